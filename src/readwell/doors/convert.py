"""The command `readwell convert`: whole documents as Markdown."""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count as numbers
from typing import NamedTuple

from ..dialects.native import Settings, dialect
from ..errors import InvalidRequest, ReadError
from ..tool import Tool
from .options import Parser, asked_password, platform_cache, seconds, whole_count
from .terminal import ProgressBar, write, write_error

DEADLINE_S = 600.0
EXAMPLES = """\
examples:
  readwell convert report.pdf                   Markdown on stdout
  readwell convert *.pdf *.docx -o text         one file each: text/report.pdf.md, …
  readwell convert locked.pdf --password-env SECRET
"""


class Converted(NamedTuple):
    """What became of one document: its Markdown, or why there is none."""

    path: str
    markdown: str
    failure: str = ""


def run(words: list[str]) -> int:
    """Converts each document and returns the exit status: 1 where any failed."""
    parser = _parser()
    options = parser.parse_args(words)
    progress = ProgressBar()
    with closing(_tool(parser, options, progress)) as tool:
        failures = [_deliver(each, options.output) for each in _converted(tool, options, progress)]
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
    parser.add_argument("-o", "--output", metavar="DIR", help="write DIR/NAME.md instead of stdout")
    parser.add_argument("--jobs", type=whole_count, default=os.cpu_count() or 1, metavar="N", help="documents at once")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="confine reading to DIR; repeatable")
    parser.add_argument("--password-env", metavar="NAME", help="the variable that holds the documents' password")
    parser.add_argument(
        "--deadline-s", type=seconds, default=DEADLINE_S, metavar="S", help=f"for each (default {DEADLINE_S:g})"
    )
    parser.add_argument(
        "--cache-dir", default=None, metavar="DIR", help="where to keep what was converted; empty: nowhere"
    )
    return parser


def _tool(parser: argparse.ArgumentParser, options: argparse.Namespace, progress: ProgressBar) -> Tool:
    alone = len(options.paths) == 1 and sys.stderr and sys.stderr.isatty()
    cache_dir = platform_cache(os.environ) if options.cache_dir is None else options.cache_dir
    most = sys.maxsize
    whole = Settings(most, most, most, most, total="exact", count_tokens=_free)
    return Tool(
        dialect(whole),
        options.root,
        deadline_s=options.deadline_s,
        on_progress=progress if alone else None,
        cache_dir=cache_dir,
        password=asked_password(parser, vars(options), os.environ),
    )


def _free(_: str) -> int:
    """Costs nothing: whole documents have no budget."""
    return 0


def _converted(tool: Tool, options: argparse.Namespace, progress: ProgressBar) -> Iterator[Converted]:
    """Yields what became of each document, in the order in which they were named."""
    with ThreadPoolExecutor(options.jobs) as pool:
        for done, each in zip(numbers(1), pool.map(partial(_convert, tool), options.paths), strict=False):
            if sys.stderr and sys.stderr.isatty():
                progress(done, len(options.paths), "convert")
            yield each


def _convert(tool: Tool, path: str) -> Converted:
    try:
        return Converted(path, tool.read({"path": path, "view": "markdown"}).text)
    except InvalidRequest as error:
        what = "is no document, and has no Markdown view" if error.param == "view" else str(error)
        return Converted(path, "", f"'{path}' {what}: read it as it is with readwell read.")
    except ReadError as error:
        return Converted(path, "", str(error))


def _deliver(each: Converted, folder: str | None) -> str:
    """Writes one document's Markdown; returns why it could not be had or written, if so."""
    if each.failure:
        return each.failure
    if folder is None:
        write(each.markdown)
        return ""
    place = os.path.join(folder, f"{os.path.basename(each.path)}.md")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(place, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(each.markdown + "\n")
    except FileExistsError:
        return f"'{place}' is there already: remove it, or choose another directory."
    except OSError as error:
        return f"'{place}' cannot be written: {error.strerror}."
    return ""
