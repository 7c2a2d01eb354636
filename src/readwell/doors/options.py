"""The words of `readwell read` become a tool and its params: each dialect's own parameters, and the settings."""

import argparse
import re
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, cast

from ..dialects import NAMES, Dialect, dialect_named
from ..tool import Progress, Tool
from .settings import Parser, add_settings, built_tool, flag, lock_if_asked

EXAMPLES = """\
examples:
  readwell src/app.py                       the first window
  readwell src/app.py --offset 201          go on where a reply said [more: offset=201]
  readwell server.log --offset -50          the last 50 lines
  readwell data.json --offset 1 --column 2001   inside a long line
  readwell --root . docs                    list a directory, confined to this one
  readwell README.md 'src/**/*.py'          several files in one reply
  readwell app.py --dialect envelope        the same file as another agent would see it
"""
WIDTH = 100


def read_parser(dialect: Dialect) -> argparse.ArgumentParser:
    """Returns the parser of `read` for a dialect."""
    parser = Parser(
        prog="readwell read",
        description="Read one window of a file, or list a directory.",
        epilog=EXAMPLES,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        allow_abbrev=False,
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="+" if dialect.batching else 1,
        help="file or directory; several, or a 'glob', share one budget" if dialect.batching else "file or directory",
    )
    parser.add_argument("--dialect", choices=NAMES, default="native", help="how to ask and answer (default native)")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="confine reading to DIR; repeatable")
    parser.add_argument("--password-env", metavar="NAME", help="the variable that holds a document's password")
    parser.add_argument("--json", action="store_true", help="print the reply's data as JSON")
    own = parser.add_argument_group(f"parameters of {dialect.name}")
    for name, about in dialect.properties.items():
        if name not in (*dialect.required, "paths", "total"):
            own.add_argument(flag(name), dest=f"param_{name}", metavar="X", help=str(about["description"]))
    add_settings(parser, (dialect.name,))
    return parser


def flags_of(dialect: Dialect) -> list[str]:
    """Returns the long options of `read` in a dialect."""
    usage = read_parser(dialect).format_usage()
    return ["--help", *re.findall("--[a-z-]+", usage)]


def asked_dialect(words: list[str]) -> Dialect:
    """Finds the dialect among the words before its own options can be known."""
    name = "native"
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--dialect":
            name = following
        elif word.startswith("--dialect="):
            name = word.removeprefix("--dialect=")
    return dialect_named(name if name in NAMES else "native")


class Asked(NamedTuple):
    """One read as the command line asked for it."""

    tool: Tool
    params: dict[str, object]
    as_json: bool


def asked_read(words: list[str], environment: Mapping[str, str], on_progress: Progress | None) -> Asked:
    """Returns the tool and the params that the words stand for; exits with 2 where they stand for nothing."""
    dialect = asked_dialect(words)
    parser = read_parser(dialect)
    options = vars(parser.parse_args(words))
    params = _params(dialect, options)
    tool = built_tool(parser, dialect, options, params, environment, on_progress)
    lock_if_asked(parser, options, environment, by_default=False)
    return Asked(tool, params, options["json"])


def _params(dialect: Dialect, options: dict[str, object]) -> dict[str, object]:
    paths = cast("list[str]", options["path"])
    several = dialect.batching and (len(paths) > 1 or re.search("[*?]", paths[0]))
    params: dict[str, object] = {"paths": paths} if several else {dialect.required[0]: paths[0]}
    for name, about in dialect.properties.items():
        word = options.get(f"param_{name}")
        if isinstance(word, str):
            params[name] = _typed(word) if about["type"] == "integer" else word
    return params


def _typed(word: str) -> object:
    return int(word) if re.fullmatch(r"[+-]?[0-9]{1,1000}", word) else word
