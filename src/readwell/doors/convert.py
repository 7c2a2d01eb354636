"""The command `readwell convert`: converts whole documents to Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count
from threading import Event

from ..dialects import DEFAULT, dialect_named
from ..errors import InvalidRequest, IsDirectory, ReadError
from ..named_tuple import NamedTuple
from ..tool import Tool
from .arguments import Parser, add_settings
from .security import SECURITY_SETTINGS
from .settings import build_tool, positive_int
from .terminal import ProgressBar, write, write_error

DEADLINE_S = 600.0
EXAMPLES = """\
examples:
  readwell convert report.pdf                   Markdown on stdout
  readwell convert *.pdf *.docx -o text         one file each: text/report.pdf.md, …
  readwell convert locked.pdf --password-env SECRET
"""


class Converted(NamedTuple):
    """The result of one conversion: the Markdown, or why it failed."""

    path: str
    markdown: str
    failure: str = ""


def run(argv: list[str]) -> int:
    """Converts each document and returns the exit status: 1 where any failed."""
    parser = _parser()
    options = parser.parse_args(argv)
    targets = _output_paths(parser, options)
    progress = ProgressBar()
    with closing(_tool(parser, options, progress)) as tool:
        failures = [_write_output(each, targets.get(each.path)) for each in _converted(tool, options, progress)]
    progress.done()
    failed = [failure for failure in failures if failure]
    for failure in failed:
        write_error(f"readwell: {failure}")
    if options.output or len(failures) > 1:
        write_error(f"{len(failures) - len(failed)} converted, {len(failed)} failed")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="readwell convert",
        description="Convert whole documents to Markdown.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a document: PDF, DOCX, …")
    parser.add_argument("-o", "--output", metavar="DIR", help="write DIR/PATH.md instead of stdout")
    parser.add_argument("--jobs", type=positive_int, default=os.cpu_count(), metavar="N", help="documents at once")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="confine reading to DIR; repeatable")
    parser.add_argument("--password-env", metavar="NAME", help="the variable that holds the documents' password")
    add_settings(
        parser,
        [dialect_named(DEFAULT)],
        {*SECURITY_SETTINGS, "cache_dir", "deadline_s", "pdf_lines", "ocr", "ocr_languages"} - {"landlock"},
    )
    parser.set_defaults(deadline_s=DEADLINE_S)
    return parser


def _tool(parser: argparse.ArgumentParser, options: argparse.Namespace, progress: ProgressBar) -> Tool:
    """Builds a tool without limits, which returns a document whole."""
    alone = len(options.paths) == 1 and _on_terminal()
    unlimited: dict[str, object] = {
        "max_bytes": sys.maxsize,
        "line_length": sys.maxsize,
        "total": "exact",
        "count_tokens": _count_nothing,
    }
    dialect = dialect_named(DEFAULT)
    ceilings = {setting.name: sys.maxsize for setting in dialect.settings if setting.is_param}
    chosen = {**vars(options), **unlimited}
    return build_tool(parser, dialect, chosen, ceilings, os.environ, progress if alone else None)


def _count_nothing(_: str) -> int:
    """Counts no tokens: whole documents have no budget."""
    return 0


def _on_terminal() -> bool:
    return bool(sys.stderr and sys.stderr.isatty())


def _converted(tool: Tool, options: argparse.Namespace, progress: ProgressBar) -> Iterator[Converted]:
    """Converts the documents in threads; yields the results in the order of the arguments."""
    interrupted = Event()
    with ThreadPoolExecutor(options.jobs) as pool:
        try:
            for done, each in zip(
                count(1), pool.map(partial(_convert, tool, interrupted), options.paths), strict=False
            ):
                if _on_terminal():
                    progress(done, len(options.paths), "convert")
                yield each
        except BaseException:
            interrupted.set()
            pool.shutdown(cancel_futures=True)
            raise


def _convert(tool: Tool, interrupted: Event, path: str) -> Converted:
    try:
        return Converted(path, tool.read({"path": path, "view": "markdown"}, interrupted.is_set).text)
    except InvalidRequest as error:
        what = "is text that has no Markdown view" if error.param == "view" else str(error)
        return Converted(path, "", f"'{path}' {what}: read it as it is with readwell read.")
    except IsDirectory:
        return Converted(path, "", f"'{path}' is a directory: name the documents in it.")
    except ReadError as error:
        message = str(error)
        return Converted(path, "", message if path in message else f"'{path}': {message}")


def _output_paths(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, str]:
    """Returns the output file of each document; exits with 2 if two documents have the same one."""
    if options.output is None:
        return {}
    targets = [os.path.join(options.output, f"{_relative(path)}.md") for path in options.paths]
    taken: dict[str, str] = {}
    for path, target in zip(options.paths, targets, strict=True):
        if target in taken:
            parser.error(f"two documents would be written to {target!r}: {taken[target]!r} and {path!r}")
        taken[target] = path
    return dict(zip(options.paths, targets, strict=True))


def _relative(path: str) -> str:
    """Returns a path relative to the output directory: as written, without `..` and a leading slash."""
    parts = os.path.normpath(path).split("/")
    return "/".join(part for part in parts if part not in ("", ".", ".."))


def _write_output(each: Converted, target: str | None) -> str:
    """Writes one document's Markdown to its file or to stdout; returns why that failed, or an empty string."""
    if each.failure:
        return each.failure
    if target is None:
        write(each.markdown)
        return ""
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _write_whole(target, each.markdown)
    except FileExistsError:
        return f"'{target}' is not written over: remove it, or choose another directory with -o."
    except OSError as error:
        return f"'{target}' cannot be written: {error.strerror}."
    return ""


def _write_whole(target: str, markdown: str) -> None:
    """Writes a new file; if that fails, no partial file is left."""
    with open(target, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        try:
            file.write(markdown + "\n")
            file.flush()
        except OSError:
            os.unlink(target)
            raise
