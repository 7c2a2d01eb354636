"""`readwell convert` for a corpus: a run over many sources into a folder, with its progress and its summary."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from time import monotonic

from .. import __version__
from ..corpus import EngineLost, Options, find_sources
from ..corpus.engines import ENGINES, EngineUnavailable
from ..corpus.source_paths import check_addresses, is_folder
from ..dataset import DatasetError, Job, Summary, run_job
from ..dataset.dataset_run import Progress
from ..path_names import is_address
from .extras import missing_extra_message
from .terminal import write_error

REDRAWN_S = 0.5


def run_corpus(parser: argparse.ArgumentParser, chosen: argparse.Namespace, options: Options) -> int:
    """Converts all sources into a folder and returns the exit status: 1 where any failed, 2 for what cannot begin."""
    if chosen.format == "parquet" and (missing := missing_extra_message("data", "--format parquet needs")):
        parser.error(missing)
    sources, unnamed = _sources_and_unnamed_keys(parser, chosen, options)
    job = Job(
        sources,
        chosen.output,
        chosen.format,
        version=__version__,
        by=chosen.by,
        options=options,
        resume=chosen.resume,
        targets=_markdown_targets(parser, chosen, sources, options) if chosen.format == "md" else {},
    )
    shown = ProgressLine()
    with ExitStack() as stack:

        def start_engine() -> tuple[object, int]:
            engine = stack.enter_context(ENGINES[chosen.engine](chosen.address, chosen.jobs))
            return engine.executor, engine.workers

        try:
            summary = run_job(job, start_engine, shown)  # pyright: ignore[reportArgumentType]
        except (DatasetError, EngineUnavailable, EngineLost) as error:
            shown.clear()
            lost = "the engine is gone" if isinstance(error, EngineLost) else ""
            write_error(f"readwell convert: {f'{lost} ({error}): continue with --resume' if lost else error}.")
            return 1 if lost else 2
        finally:
            shown.clear()
    _write_summary(summary, len(sources))
    if unnamed:
        write_error(f"{_with_noun(unnamed, 'entry', 'entries')} left out: no path leads there")
    return 1 if summary.failed else 0


def _sources_and_unnamed_keys(
    parser: argparse.ArgumentParser, chosen: argparse.Namespace, options: Options
) -> tuple[list[str], int]:
    """Returns what is to be converted, and how many keys no path leads to; exits with 2 for an invalid root."""
    unnamed: list[int] = []
    try:
        found = find_sources(*chosen.paths, options=options, left_out=unnamed.append) if chosen.paths else []
        sources = _sources_outside(chosen.output, [*found, *_sources_in_list(parser, chosen.from_list)])
        check_addresses(sources)
    except ValueError as error:
        parser.error(str(error))
    return sources, sum(unnamed)


def _sources_in_list(parser: argparse.ArgumentParser, file: str | None) -> list[str]:
    """Returns the lines of a list of sources, each a path as it is; empty lines are left out.

    Where every line ends with a carriage return, it belongs to the line end and not to the path.
    """
    if file is None:
        return []
    try:
        with open(sys.stdin.fileno() if file == "-" else file, "rb", closefd=file != "-") as lines:
            content = lines.read()
    except OSError as error:
        parser.error(f"--from-list: {file!r} cannot be read: {error.strerror}")
    end = b"\r\n" if content.count(b"\r\n") == content.count(b"\n") else b"\n"
    return [os.fsdecode(line) for line in content.split(end) if line]


def _sources_outside(folder: str, sources: Iterable[str]) -> list[str]:
    """Returns the sources, each once, outside of the folder that is written: a run does not convert what it wrote."""
    below = os.path.join(os.path.abspath(folder), "")
    each_once = dict.fromkeys(sources)
    return [source for source in each_once if is_address(source) or not os.path.abspath(source).startswith(below)]


def _markdown_targets(
    parser: argparse.ArgumentParser, chosen: argparse.Namespace, sources: list[str], options: Options
) -> dict[str, str]:
    """Returns the Markdown file of each source; exits with 2 where two would have the same."""
    alone = chosen.paths[0] if len(chosen.paths) == 1 and not chosen.from_list else ""
    top = f"{alone.rstrip('/')}/" if alone and is_folder(alone, options) else ""
    taken: dict[str, str] = {}
    for source in sources:
        target = f"{path_below_output(source.removeprefix(top))}.md"
        if target in taken:
            parser.error(f"two documents would be written to {target!r}: {taken[target]!r} and {source!r}")
        taken[target] = source
    return {source: target for target, source in taken.items()}


def path_below_output(path: str) -> str:
    """Returns a path relative to the output directory: as written, without `..` and a leading slash."""
    parts = os.path.normpath(path.replace("://", "/")).split("/")
    return "/".join(part for part in parts if part not in ("", ".", ".."))


class ProgressLine:
    """A line on a terminal that tells how far a run is."""

    def __init__(self) -> None:
        self._on = bool(sys.stderr and sys.stderr.isatty())
        self._drawn = 0.0
        self._shown = False

    def __call__(self, progress: Progress) -> None:
        """Draws the line again, at most twice a second."""
        if not self._on or monotonic() - self._drawn < REDRAWN_S:
            return
        self._drawn, self._shown = monotonic(), True
        print(f"\r\x1b[K{progress_text(progress)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False


def progress_text(progress: Progress) -> str:
    """Returns done, failed, documents and pages a second, and the time left."""
    done, total, seconds = progress.done, progress.total, max(progress.seconds, 0.001)
    left = _duration_text(seconds / done * (total - done)) if done else "?"
    return (
        f"{done:,}/{total:,} done, {progress.failed:,} failed, {done / seconds:.1f} documents/s, "
        f"{progress.units / seconds:.1f} pages/s, {left} left"
    )


def _with_noun(number: int, one: str, more: str) -> str:
    """Returns a number with the word that goes with it."""
    return f"{number:,} {one if number == 1 else more}"


def _duration_text(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _write_summary(summary: Summary, total: int) -> None:
    """Writes the summary, and the failures by code."""
    if summary.skipped == total:
        every = "1 source is" if total == 1 else f"all {total:,} sources are"
        write_error(f"nothing to do: {every} done, {summary.failed:,} {'failed' if total == 1 else 'of them failed'}")
    else:
        now = total - summary.skipped
        rate = f"{now / max(summary.seconds, 0.001):.1f} documents/s"
        failed_before = summary.failed - summary.failed_now
        before = f", {_with_noun(summary.skipped, 'was', 'were')} done before" if summary.skipped else ""
        before += f", {failed_before:,} of them failed" if failed_before else ""
        write_error(
            f"{summary.converted_now:,} converted, {summary.failed_now:,} failed{before} "
            f"({_duration_text(summary.seconds)}, {rate}, {_with_noun(summary.units, 'page', 'pages')})"
        )
    if summary.codes:
        width = max(map(len, summary.codes))
        write_error(f"{'failed':>8}  {'code':<{width}}  for example")
        for code, count in sorted(summary.codes.items(), key=lambda each: (-each[1], each[0])):
            write_error(f"{count:>8,}  {code:<{width}}  {summary.examples.get(code, '')}")
