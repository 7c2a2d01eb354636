"""A run that converts sources into a folder: what is left to do, who does it, and what became of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from time import monotonic
from typing import Literal, Protocol

from ..corpus import Converted, Options
from ..corpus.convert_in_batches import numbered_outcomes
from ..corpus.convert_one import KnownVersion
from ..corpus.source_paths import current_stamps
from ..named_tuple import NamedTuple
from ..path_names import is_address
from ..source.version_stamp import stamp_at
from .document_rows import By, escape_source_path, unescape_source_path
from .manifest import NAME, SourceState
from .markdown_files import MarkdownWriter, forget_missing_files
from .output_folder import DatasetError, OutputFolder
from .shard_formats import FORMATS
from .shards import MAX_BYTES, MAX_SECONDS, ShardWriter, adopt_shards, finish_drops

LAYOUT = 1
"""The version of folder and manifest."""
Format = Literal["md", "jsonl", "parquet"]


class Progress(NamedTuple):
    """How far a run is."""

    done: int
    total: int
    failed: int
    units: int
    seconds: float


class Job(NamedTuple):
    """What is to be done."""

    sources: Sequence[str]
    out: str
    format: Format
    version: str
    """That of readwell: what another one has converted is converted again."""
    by: By = "document"
    options: Options = Options()
    resume: bool = False
    targets: Mapping[str, str] = {}
    """Files by source, for the format `md`."""
    max_bytes: int = MAX_BYTES
    max_seconds: float = MAX_SECONDS


class Summary(NamedTuple):
    """What became of the sources of a job, those included that earlier runs had done."""

    converted: int
    failed: int
    converted_now: int
    failed_now: int
    """Those of this run alone."""
    skipped: int
    """Done by earlier runs, those included whose content was compared and is still the same."""
    units: int
    seconds: float
    codes: Mapping[str, int]
    """How many failed, by code."""
    examples: Mapping[str, str]
    """A message for each code, or a source of an earlier run."""


class _Writer(Protocol):
    """Keeps results as they come."""

    def add(self, number: int, converted: Converted) -> None:
        """Keeps one."""
        ...

    def flush_if_overdue(self) -> None:
        """Writes what has waited too long; called about once a second."""
        ...

    def close(self) -> None:
        """Keeps all that is left."""
        ...


StartEngine = Callable[[], tuple[Executor | None, int | None]]
"""Starts what converts, once it is known that something is to be done: an executor, and how many it does at once."""


def run_job(job: Job, start_engine: StartEngine, on_progress: Callable[[Progress], None]) -> Summary:
    """Converts what is not done yet; raises DatasetError, and EngineLost after what was finished is safe."""
    with OutputFolder(job.out) as folder:
        _check_folder_fits(folder, job)
        folder.begin_manifest(_manifest_header(job))
        _match_manifest_to_files(folder, job)
        run = _DatasetRun(folder, job)
        if not run.pending:
            folder.finish_manifest()
            return run.summary()
        if run.known_before and not job.resume:
            raise DatasetError(f"{job.out!r} holds a run: {run.resume_hint()}")
        _refuse_to_overwrite_targets(folder, job, run.pending)
        try:
            executor, workers = start_engine()
            run.convert(executor, workers, on_progress)
        finally:
            run.writer.close()
            folder.finish_manifest()
        return run.summary()


def _manifest_header(job: Job) -> dict[str, object]:
    return {"readwell": LAYOUT, "format": job.format, "by": job.by, "options": job.options.text_shaping_options()}


def _check_folder_fits(folder: OutputFolder, job: Job) -> None:
    """Refuses a folder that holds something else."""
    names = folder.entry_names()
    if folder.header is None:
        ours = job.resume and (NAME in names or job.format == "md" or all(name.startswith("part-") for name in names))
        if names and not ours:
            what = "its manifest cannot be read" if NAME in names else "it is not empty"
            believed = "" if job.resume else ", or --resume to believe what is in it"
            raise DatasetError(f"{job.out!r}: {what}. Choose a new folder{believed}")
        return
    for name, value in _manifest_header(job).items():
        if folder.header.get(name) != value:
            was = f"{name} {folder.header.get(name)!r}, not {value!r}"
            raise DatasetError(f"{job.out!r} was written with {was}: choose another folder")


def _match_manifest_to_files(folder: OutputFolder, job: Job) -> None:
    if job.format == "md":
        forget_missing_files(folder)
        return
    shard_format = FORMATS[job.format]
    finish_drops(folder, shard_format)
    adopt_shards(folder, shard_format)


def _refuse_to_overwrite_targets(folder: OutputFolder, job: Job, pending: Iterable[str]) -> None:
    """Refuses to write over the file of another source that an earlier run has converted."""
    owners = {entry.shard: source for source, entry in folder.entries.items() if not entry.code}
    for source in pending if job.targets else ():
        target = job.targets[source]
        owner = unescape_source_path(owners.get(escape_source_path(target), ""))
        if owner and os.path.abspath(owner) != os.path.abspath(source):
            what = f"{target!r} in {job.out!r} was made from {owner!r}, and would be written over with {source!r}"
            raise DatasetError(f"{what}: choose another folder")


class _DatasetRun:
    def __init__(self, folder: OutputFolder, job: Job) -> None:
        self._folder, self._job = folder, job
        self.known_before = bool(folder.entries)
        not_done = [source for source in job.sources if not self._is_done(source)]
        self._known = {
            source: KnownVersion(entry.sha256, entry.stamp)
            for source in not_done
            if (entry := self._valid_entry(source))
        }
        unchanged = self._unchanged_objects()
        self.pending = [source for source in not_done if source not in unchanged]
        self._began = monotonic()
        self._converted = self._failed = self._unchanged = self._units = 0
        self._examples: dict[str, str] = {}
        self.writer: _Writer = (
            MarkdownWriter(folder, job.targets)
            if job.format == "md"
            else ShardWriter(folder, FORMATS[job.format], job.by, job.max_bytes, job.max_seconds)
        )

    def convert(self, executor: Executor | None, workers: int | None, on_progress: Callable[[Progress], None]) -> None:
        """Converts what is left, and keeps it as it comes."""
        for numbered in numbered_outcomes(self.pending, executor, self._job.options, self._known, workers):
            if numbered is None:
                self.writer.flush_if_overdue()
            else:
                self._keep(*numbered)
            seconds = monotonic() - self._began
            done = self._converted + self._failed + self._unchanged
            on_progress(Progress(done, len(self.pending), self._failed, units=self._units, seconds=seconds))

    def resume_hint(self) -> str:
        """Says how much of the sources an earlier run has done, and how the rest is converted."""
        total, left = len(self._job.sources), len(self.pending)
        unknown = sum(1 for source in self.pending if escape_source_path(source) not in self._folder.entries)
        parts = [f"{unknown:,} not in it yet"] * bool(unknown)
        parts += [f"{left - unknown:,} to be looked at again"] * (left > unknown)
        done, them = f"{total - left:,} of {total:,} sources are done", "it" if left == 1 else "them"
        return f"{done}, {', '.join(parts)}. Add --resume to convert {them}"

    def summary(self) -> Summary:
        """Returns what became of all sources."""
        entries = self._folder.entries
        states = [(source, entries.get(escape_source_path(source))) for source in self._job.sources]
        codes = Counter(entry.code for _, entry in states if entry and entry.code)
        examples = {entry.code: source for source, entry in reversed(states) if entry and entry.code}
        return Summary(
            converted=sum(1 for _, entry in states if entry and not entry.code),
            failed=sum(codes.values()),
            converted_now=self._converted,
            failed_now=self._failed,
            skipped=len(self._job.sources) - len(self.pending) + self._unchanged,
            units=self._units,
            seconds=monotonic() - self._began,
            codes=codes,
            examples=examples | self._examples,
        )

    def _keep(self, number: int, converted: Converted) -> None:
        entry = self._folder.entries.get(escape_source_path(converted.source))
        if converted.error and not converted.sha256 and entry and not entry.code and entry.version == self._job.version:
            # What was converted before stays, though its source is gone.
            converted = converted._replace(error=None, unchanged=True, stamp=entry.stamp)
        self._unchanged += converted.unchanged
        self._converted += converted.error is None and not converted.unchanged
        self._failed += converted.error is not None
        self._units += len(converted.first_lines) or (not converted.unchanged and not converted.error)
        if converted.error:
            self._examples[converted.error.code] = converted.error.message
        self.writer.add(number, converted)

    def _is_done(self, source: str) -> bool:
        """Says whether a source has its row, and by its stamp is what it was; objects are asked for together, later."""
        entry = self._valid_entry(source)
        return (
            entry is not None
            and not is_address(source)
            and stamp_at(source) == entry.stamp
            and self._is_stamp_enough(entry)
        )

    def _valid_entry(self, source: str) -> SourceState | None:
        """Returns what the manifest tells of a source; None where it must be converted whatever its content is."""
        entry = self._folder.entries.get(escape_source_path(source))
        if entry is None or (not entry.shard and not entry.code) or entry.again or entry.version != self._job.version:
            return None
        return entry

    def _unchanged_objects(self) -> set[str]:
        """Returns those known objects that are, as their servers tell, what their rows were made from."""
        known = {source: each for source, each in self._known.items() if is_address(source)}
        stamps = current_stamps(list(known), self._job.options)
        return {
            source
            for (source, each), stamp in zip(known.items(), stamps, strict=True)
            if stamp == each.stamp and self._is_stamp_enough(each)
        }

    def _is_stamp_enough(self, entry: SourceState | KnownVersion) -> bool:
        """Says whether an equal stamp proves that nothing changed; with none a source was missing, or not readable."""
        return bool(entry.stamp) or not entry.sha256
