"""The command `readwell report`: what the records of `--audit` say was read."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import BinaryIO

from .. import __version__
from ..report import Ledger, Project, Report, parse_logged_calls, report_of
from .argument_parsers import Parser, add_settings
from .security import chosen_denials
from .terminal import OutputError, write, write_error
from .value_parsers import parse_output_path

FORMATS = ("html", "json", "lcov")
BUFFER = 1 << 20
KEEPING = "readwell read, search and mcp keep a record with --audit FILE."
EXAMPLES = """\
examples:
  readwell report audit.jsonl                          a summary
  readwell report audit.jsonl --root . -o report.html  a page to look at, in one file
  readwell report *.jsonl --format lcov -o read.info   lines read, for editors and coverage services
  readwell report audit.jsonl --format json            numbers, for programs
"""
POLICY = ("config", "deny", "allow", "ignore_files")


def run(argv: list[str]) -> int:
    """Reports on the records and returns the exit status: 1 where one of them cannot be read."""
    parser = command_parser()
    options = parser.parse_args(argv)
    gc.disable()  # nothing here refers to itself, and looking for that takes as long as counting
    ledger = Ledger()
    failed = [failure for path in options.records if (failure := _count_audit_file(ledger, path))]
    for failure in failed:
        write_error(f"readwell: {failure}")
    if len(failed) == len(options.records):
        return 1
    with ExitStack() as stack:
        project = stack.enter_context(closing(_open_project(parser, options))) if options.root else None
        _write_report(options, report_of(ledger, project), project)
    return 1 if failed else 0


def command_parser() -> Parser:
    """Returns the argument parser."""
    parser = Parser(
        prog="readwell report",
        description="Report what was read, from the records that --audit has kept.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("records", nargs="+", metavar="AUDIT", help="a file of --audit, or - for standard input")
    parser.add_argument("--root", metavar="DIR", help="the project: shows what was never read, and the text beside")
    parser.add_argument("--format", choices=FORMATS, help="default: html with -o, else a summary")
    parser.add_argument(
        "-o", "--output", type=parse_output_path, metavar="FILE", help="write to FILE instead of stdout"
    )
    add_settings(parser, [], POLICY)
    return parser


def _count_audit_file(ledger: Ledger, path: str) -> str:
    """Counts the records of a file; returns why that failed, or an empty string."""
    try:
        if path == "-":
            return _count_records(ledger, "standard input", sys.stdin.buffer)
        with open(path, "rb", buffering=BUFFER) as record:
            return _count_records(ledger, f"'{path}'", record)
    except FileNotFoundError as error:
        return f"'{path}' cannot be read: {error.strerror}. {KEEPING}"
    except OSError as error:
        return f"'{path}' cannot be read: {error.strerror}."


def _count_records(ledger: Ledger, name: str, record: BinaryIO) -> str:
    """Adds the calls of a record; returns what is wrong where it has lines, but not one that is a call."""
    damaged_before, lines = ledger.damaged, 0
    for lines, call in enumerate(parse_logged_calls(record), 1):  # noqa: B007
        ledger.add(call)
    if not lines or ledger.damaged - damaged_before < lines:
        return ""
    ledger.damaged = damaged_before
    return f"{name} is no audit record: not one of its lines is the record of a call. {KEEPING}"


def _open_project(parser: Parser, options: argparse.Namespace) -> Project:
    """Returns the project of `--root`, with its deny rules."""
    chosen = {name: value for name, value in vars(options).items() if name in POLICY and value is not None}
    try:
        return Project(options.root, chosen_denials(chosen, [options.root]))
    except ValueError as error:
        parser.error(str(error))


def _write_report(options: argparse.Namespace, report: Report, project: Project | None) -> None:
    """Writes the report in the chosen form, to a file or to stdout."""
    chosen = options.format or ("html" if options.output else "")
    if not chosen:
        from ..report.as_text import text_report

        write(text_report(report))
        return
    chunks = _report_chunks(chosen, report, project)
    if options.output is None:
        _write_chunks(chunks)
        return
    try:
        with open(options.output, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(chunks)
    except OSError as error:
        write_error(f"readwell: '{options.output}' cannot be written: {error.strerror}.")
        raise OutputError(1) from error
    write_error(f"readwell: wrote {options.output}, {os.path.getsize(options.output):,} bytes")


def _report_chunks(chosen: str, report: Report, project: Project | None) -> Iterator[str]:
    """Returns the report in the chosen form, piece by piece."""
    if chosen == "json":
        from ..report.as_json import json_chunks

        return json_chunks(report)
    if chosen == "lcov":
        from ..report.as_lcov import lcov_chunks

        return lcov_chunks(report, lambda what: write_error(f"readwell: {what}"))
    from ..report.html_page import ReportPage

    return ReportPage(__version__).chunks(report, project)


def _write_chunks(chunks: Iterator[str]) -> None:
    """Writes to standard output, as it comes."""
    try:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk.encode(errors="backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputError(1) from None
    except (AttributeError, OSError) as error:
        write_error(f"readwell: cannot write the report: {error}")
        raise OutputError(1) from None
