"""The command `readwell convert`: whole documents as Markdown, a few of them or a corpus."""

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

from ..dialects import DEFAULT, Dialect, dialect_named
from ..errors import InvalidRequest, IsDirectory, NotFound, ReadError
from ..light_typing import TYPE_CHECKING, cast
from ..named_tuple import NamedTuple
from ..path_names import is_remote_root
from ..tool import Ocr, PdfLines, Tool
from .argument_parsers import Parser, add_settings
from .security import SECURITY_SETTINGS, chosen_denials
from .settings import build_tool, chosen_cache_dir, chosen_password, chosen_roots, chosen_settings, languages_of
from .terminal import ProgressBar, write, write_error
from .value_parsers import parse_output_path, parse_positive, parse_seconds

if TYPE_CHECKING:
    from ..corpus import Options

DEADLINE_S = 600.0
MAX_TEXT_BYTES = 256 << 20
"""A plain text that is longer is a failure, as in a corpus."""
WILDCARDS = "*?["
PATTERN = "with -o DIR a pattern stands for the files that match it."
EXAMPLES = """\
examples:
  readwell convert report.pdf                   Markdown on stdout
  readwell convert *.pdf *.docx -o text         one file each: text/report.pdf.md, …
  readwell convert locked.pdf --password-env SECRET
  readwell convert docs -o corpus --format jsonl          every file below docs, a row each
  readwell convert docs -o corpus --format jsonl --resume go on where a run ended
"""


class ConversionResult(NamedTuple):
    """The result of one conversion: the Markdown, or why it failed."""

    path: str
    markdown: str
    failure: str = ""


def run(argv: list[str]) -> int:
    """Converts each document and returns the exit status: 1 where any failed."""
    parser = command_parser()
    options = parser.parse_args(argv)
    if _is_corpus(parser, options):
        from .convert_corpus import run_corpus

        return run_corpus(parser, options, _corpus_options(parser, options))
    names = _output_names(parser, options)
    progress = ProgressBar()
    with closing(_unlimited_tool(parser, options, progress)) as tool:
        failures = [
            _write_output(each, options.output, names.get(each.path)) for each in _convert_all(tool, options, progress)
        ]
    progress.clear()
    failed = [failure for failure in failures if failure]
    for failure in failed:
        write_error(f"readwell: {failure}")
    if options.output or len(failures) > 1:
        write_error(f"{len(failures) - len(failed)} converted, {len(failed)} failed")
    return 1 if failed else 0


def command_parser() -> argparse.ArgumentParser:
    """Returns the parser of `readwell convert`."""
    parser = Parser(
        prog="readwell convert",
        description="Convert whole documents to Markdown.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="SOURCE", help="a document; with -o also a folder, glob or address")
    parser.add_argument(
        "-o", "--output", type=parse_output_path, metavar="DIR", help="write DIR/PATH.md, or shards, to DIR"
    )
    parser.add_argument("--jobs", type=parse_positive, default=os.cpu_count(), metavar="N", help="documents at once")
    _add_corpus_arguments(parser)
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="confine reading to DIR; repeatable")
    parser.add_argument("--password-env", metavar="NAME", help="the variable that holds the documents' password")
    parser.add_argument(
        "--deadline-s",
        type=parse_seconds,
        default=DEADLINE_S,
        metavar="S",
        help=f"seconds for each document (default {DEADLINE_S:g})",
    )
    add_settings(
        parser,
        [dialect_named(DEFAULT)],
        {*SECURITY_SETTINGS, "cache_dir", "pdf_lines", "ocr", "ocr_languages"} - {"landlock"},
    )
    return parser


def _add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a corpus (with -o)")
    group.add_argument("--format", choices=("md", "jsonl", "parquet"), default="md", help="files, or rows in shards")
    group.add_argument("--by", choices=("document", "unit"), default="document", help="a row is a document, or a page")
    group.add_argument("--engine", choices=("local", "dask", "ray"), default="local", help="what converts")
    group.add_argument("--address", metavar="A", help="of a Dask scheduler or a Ray cluster; default: a local one")
    group.add_argument("--resume", action="store_true", help="go on with the run that DIR holds")
    group.add_argument("--from-list", metavar="FILE", help="sources, a path a line; - is standard input")


def _is_corpus(parser: argparse.ArgumentParser, options: argparse.Namespace) -> bool:
    """Says whether a run over many sources is asked for, rather than a few documents by name."""
    asked = (options.format != "md", options.by != "document", options.engine != "local", options.address)
    if not options.paths and not options.from_list:
        parser.error("name a source: a document, a folder, or --from-list FILE")
    if options.by == "unit" and options.format == "md":
        parser.error("--by unit needs --format jsonl or parquet")
    if not any((*asked, options.resume, options.from_list)):
        return options.output is not None and any(map(_stands_for_many, options.paths))
    return True if options.output else parser.error("a corpus needs a folder: -o DIR")


def _stands_for_many(path: str) -> bool:
    wild = any(sign in path for sign in WILDCARDS) and not os.path.lexists(path)
    return wild or is_remote_root(path) or os.path.isdir(path)


def _corpus_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Options:
    """Returns how a corpus is converted; without a directory that is named, nothing is cached."""
    from ..corpus import Options

    given = vars(options)
    settings = chosen_settings(parser, dialect_named(DEFAULT), given, {}, os.environ)
    cached = options.cache_dir is not None or "READWELL_CACHE_DIR" in os.environ
    password = chosen_password(parser, given, os.environ)
    roots = chosen_roots(given, os.environ)
    try:
        return Options(
            passwords={"*": password} if password else {},
            ocr=cast("Ocr", settings.get("ocr", "auto")),
            ocr_languages=tuple(languages_of(settings.get("ocr_languages", ""))),
            pdf_lines=cast("PdfLines", settings.get("pdf_lines", "paragraphs")),
            deadline_s=options.deadline_s,
            cache_dir=(chosen_cache_dir(given, os.environ) or None) if cached else None,
            roots=tuple(roots),
            denials=chosen_denials(settings, roots),
            audit=cast("str | None", settings.get("audit")) or None,
            caller=cast("str | None", settings.get("caller")),
        )
    except ValueError as error:
        parser.error(str(error))


def _unlimited_tool(parser: argparse.ArgumentParser, options: argparse.Namespace, progress: ProgressBar) -> Tool:
    """Builds a tool without limits, which returns a document whole."""
    alone = len(options.paths) == 1 and _is_stderr_terminal()
    unlimited: dict[str, object] = {
        "max_bytes": sys.maxsize,
        "line_length": sys.maxsize,
        "total": "exact",
        "count_tokens": _count_no_tokens,
    }
    dialect = _accepting_plain_texts(dialect_named(DEFAULT)) if options.output else dialect_named(DEFAULT)
    ceilings = {setting.name: sys.maxsize for setting in dialect.settings if setting.is_param}
    chosen = {**vars(options), **unlimited}
    return build_tool(parser, dialect, chosen, ceilings, os.environ, progress if alone else None)


def _accepting_plain_texts(dialect: Dialect) -> Dialect:
    """Returns a dialect to which a text without a Markdown view is no error: it stays as it is, as in a corpus."""
    configure = dialect.configured

    def configured(**settings: object) -> Dialect:
        chosen = configure(**settings) if configure else dialect
        first, *others = chosen.tools
        first = first._replace(rules=first.rules._replace(markdown_of_texts=MAX_TEXT_BYTES))
        return chosen._replace(tools=(first, *others))

    return dialect._replace(configured=configured)


def _count_no_tokens(_: str) -> int:
    """Counts no tokens: whole documents have no budget."""
    return 0


def _is_stderr_terminal() -> bool:
    return bool(sys.stderr and sys.stderr.isatty())


def _convert_all(tool: Tool, options: argparse.Namespace, progress: ProgressBar) -> Iterator[ConversionResult]:
    """Converts the documents in threads; yields the results in the order of the arguments."""
    interrupted = Event()
    with ThreadPoolExecutor(options.jobs) as pool:
        try:
            for done, each in zip(
                count(1), pool.map(partial(_convert_one, tool, interrupted), options.paths), strict=False
            ):
                if _is_stderr_terminal():
                    progress(done, len(options.paths), "convert")
                yield each
        except BaseException:
            interrupted.set()
            pool.shutdown(cancel_futures=True)
            raise


def _convert_one(tool: Tool, interrupted: Event, path: str) -> ConversionResult:
    try:
        return ConversionResult(path, tool.read({"path": path, "view": "markdown"}, interrupted.is_set).text)
    except InvalidRequest as error:
        what = "is text that has no Markdown view" if error.param == "view" else str(error)
        return ConversionResult(path, "", f"'{path}' {what}: read it as it is with readwell read.")
    except IsDirectory:
        return ConversionResult(path, "", f"'{path}' {_folder_failure(tool, path)}")
    except ReadError as error:
        is_pattern = isinstance(error, NotFound) and any(sign in path for sign in WILDCARDS)
        message = f"File '{path}' does not exist: {PATTERN}" if is_pattern else str(error)
        return ConversionResult(path, "", message if path in message else f"'{path}': {message}")


def _folder_failure(tool: Tool, path: str) -> str:
    """Returns what is said of a folder: of one on the disk, or of an archive."""
    from ..corpus.convert_one import PACKED_FOLDER
    from ..corpus.process_tools import is_folder_on_disk

    if is_folder_on_disk(tool, path, DEADLINE_S):
        return "is a directory: with -o DIR everything below it is converted."
    return PACKED_FOLDER.format(path)


def _output_names(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, str]:
    """Returns the file of each document below the output directory; exits with 2 if two have the same one."""
    if options.output is None:
        return {}
    taken: dict[str, str] = {}
    for path in options.paths:
        name = f"{_path_below_output(path)}.md"
        if name in taken:
            target = os.path.join(options.output, name)
            parser.error(f"two documents would be written to {target!r}: {taken[name]!r} and {path!r}")
        taken[name] = path
    return {path: name for name, path in taken.items()}


def _path_below_output(path: str) -> str:
    """Returns a path relative to the output directory: as written, without `..` and a leading slash."""
    parts = os.path.normpath(path).split("/")
    return "/".join(part for part in parts if part not in ("", ".", ".."))


def _write_output(each: ConversionResult, output: str, name: str | None) -> str:
    """Writes one document's Markdown to its file or to stdout; returns why that failed, or an empty string."""
    if each.failure:
        return each.failure
    if name is None:
        write(each.markdown)
        return ""
    from ..dataset.output_folder import write_new_file

    target = os.path.join(output, name)
    try:
        write_new_file(output, name, f"{each.markdown}\n".encode(errors="backslashreplace"))
    except FileExistsError:
        return f"'{target}' is not written over: remove it, or choose another directory with -o."
    except OSError as error:
        return f"'{target}' cannot be written: {error.strerror}."
    return ""
