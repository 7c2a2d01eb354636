"""The command `readwell search`: matching lines in files, directories and documents."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from functools import partial

from ..dialects import DEFAULT, dialect_named
from ..light_typing import cast
from .argument_parsers import Parser, add_settings, flag
from .settings import apply_landlock, build_tool
from .terminal import ProgressBar, write, write_error
from .value_parsers import parse_positive

SWITCHES = {
    "literal": "PATTERN is plain text",
    "ignore_case": "small and capital letters are the same",
    "everything": "hidden and ignored files, too",
}
SHORT = {"literal": ("-F",), "ignore_case": ("-i",)}
"""Options as grep has them."""
WORDS = {
    "glob": ("G", "only such files: *.py, src/**/*.ts"),
    "after": ("PLACE", "go on behind a place that a reply named"),
}
NUMBERS = {
    "around": "lines shown before and after each match",
    "limit": "matches at most; files with --files",
    "max_tokens": "budget of the reply",
}
EXAMPLES = """\
examples:
  readwell search 'def \\w+_error' src          a regular expression (RE2), line by line
  readwell search --literal 'foo(' . --glob '*.py'
  readwell search --files TODO                  how many matches each file has
  readwell search ERROR app.log --around 2      with the lines around each match
exit status: 0 where something was found, 1 where nothing was, 2 where the search failed or a PATH is missing
"""
FOUND, NOTHING, FAILED = 0, 1, 2


def run(words: list[str]) -> int:
    """Searches and returns the exit status, as grep does."""
    parser = command_parser()
    options = vars(parser.parse_args(words))
    params = _params(options)
    progress = ProgressBar()
    watched = progress if sys.stderr and sys.stderr.isatty() else None
    tool = build_tool(parser, dialect_named(DEFAULT), options, params, os.environ, watched)
    apply_landlock(parser, options, os.environ, by_default=False)
    with closing(tool):
        reply = tool.all()[1].reply(params)
    progress.clear()
    if options["json"]:
        import json

        write(json.dumps(reply.data, ensure_ascii=False))
    elif reply.is_error:
        write_error(f"readwell: {reply.text}")
    else:
        write(reply.text)
    if reply.is_error or _has_missing_path(reply.data):
        return FAILED
    return FOUND if reply.data["count"] else NOTHING


def _has_missing_path(data: dict[str, object]) -> bool:
    """Whether one of several paths does not exist."""
    notices = cast("list[dict[str, object]]", data["notices"])
    return any(notice["code"] == "missing" for notice in notices)


def command_parser() -> Parser:
    """Returns the parser of `readwell search`."""
    parser = Parser(
        prog="readwell search",
        description="Find lines in files, below directories and in documents.",
        epilog=EXAMPLES,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=100),
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("pattern", metavar="PATTERN", help="a regular expression (RE2), matched line by line")
    add("paths", nargs="*", default=[], metavar="PATH", help="file, directory, document or 'glob' (default .)")
    for name, about in SWITCHES.items():
        add(*SHORT.get(name, ()), flag(name), dest=f"param_{name}", action="store_true", help=about)
    add("--files", dest="param_only", action="store_const", const="files", help="a row a file: matches and path")
    for name, (word, about) in WORDS.items():
        add(flag(name), dest=f"param_{name}", metavar=word, help=about)
    for name, about in NUMBERS.items():
        kind = _parse_from_zero if name == "around" else parse_positive
        add(flag(name), dest=f"param_{name}", type=kind, metavar="N", help=about)
    add("--root", action="append", default=[], metavar="DIR", help="confine searching to DIR; repeatable")
    add("--password-env", metavar="NAME", help="the variable that holds a document's password")
    add("--json", action="store_true", help="print the reply's data as JSON")
    add_settings(parser, [dialect_named(DEFAULT)])
    return parser


def _parse_from_zero(word: str) -> int:
    """Parses a number from 0 on."""
    return 0 if word == "0" else parse_positive(word)


def _params(options: dict[str, object]) -> dict[str, object]:
    """Returns the params of a search from the options."""
    named = {name.removeprefix("param_"): value for name, value in options.items() if name.startswith("param_")}
    paths = options["paths"] or ["."]
    return {"pattern": options["pattern"], "paths": paths, **{name: value for name, value in named.items() if value}}
