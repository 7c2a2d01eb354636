"""The arguments of `readwell read` and of a dialect's other tools: parameters of the dialect, and settings."""

import argparse
import re
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, cast

from ..dialects import DEFAULT, NAMES, Dialect, DialectTool, dialect_named
from ..tool import Progress, Tool
from .settings import Parser, add_settings, apply_landlock, build_tool, flag

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


def tool_parser(dialect: Dialect, tool: DialectTool) -> argparse.ArgumentParser:
    """Returns the parser of the command that calls a tool: `read` for the first one, else its name."""
    reads = tool is dialect.tools[0]
    parser = Parser(
        prog=f"readwell {'read' if reads else tool.name}",
        description="Read one window of a file, or list a directory." if reads else tool.description,
        epilog=EXAMPLES if reads else None,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        allow_abbrev=False,
    )
    parser.add_argument(
        "given",
        metavar=tool.required[0].upper() if not reads else "PATH",
        nargs="+" if tool.batching else 1,
        help="file or directory; several, or a 'glob', share one budget" if tool.batching else "file or directory",
    )
    parser.add_argument("--dialect", choices=NAMES, default=DEFAULT, help=f"how to ask and answer (default {DEFAULT})")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="confine reading to DIR; repeatable")
    parser.add_argument("--password-env", metavar="NAME", help="the variable that holds a document's password")
    parser.add_argument("--json", action="store_true", help="print the reply's data as JSON")
    own = parser.add_argument_group(f"parameters of {dialect.name}")
    for name in _option_names(dialect, tool):
        needed, about = name in tool.required, str(tool.properties[name].get("description", ""))
        own.add_argument(flag(name), dest=f"param_{name}", required=needed, metavar="X", help=about)
    add_settings(parser, [dialect])
    return parser


def _option_names(dialect: Dialect, tool: DialectTool) -> list[str]:
    """Returns the parameters that are options: not the positional ones, nor those that a setting replaces."""
    settings = {setting.name for setting in dialect.settings if not setting.is_param}
    several = {tool.batching.param} if tool.batching else set[str]()
    return [name for name in tool.properties if name not in {tool.required[0]} | settings | several]


def long_options(dialect: Dialect) -> list[str]:
    """Returns the long options of a dialect's commands, for shell completion."""
    usages = [tool_parser(dialect, tool).format_usage() for tool in dialect.tools]
    return ["--help", *re.findall("--[a-z-]+", "".join(usages))]


def chosen_dialect(argv: list[str]) -> Dialect:
    """Returns the dialect that `--dialect` names; needed before the arguments can be parsed, as it has options."""
    name = DEFAULT
    for word, following in zip(argv, [*argv[1:], ""], strict=False):
        if word == "--dialect":
            name = following
        elif word.startswith("--dialect="):
            name = word.removeprefix("--dialect=")
    return dialect_named(name if name in NAMES else DEFAULT)


def other_tool_names(dialect: Dialect) -> list[str]:
    """Returns the names of the dialect's tools after the first; each is a command."""
    return [tool.name for tool in dialect.tools[1:]]


class ToolCall(NamedTuple):
    """A call of a tool, parsed from the command line."""

    tool: Tool
    params: dict[str, object]
    as_json: bool


def parse_call(
    argv: list[str], environment: Mapping[str, str], on_progress: Progress | None, number: int = 0
) -> ToolCall:
    """Parses a call and builds its tool; exits with 2 on wrong usage.

    `number` is the index of the tool in the dialect's `tools`.
    """
    dialect = chosen_dialect(argv)
    dialect_tool = dialect.tools[number]
    parser = tool_parser(dialect, dialect_tool)
    options = vars(parser.parse_args(argv))
    params = _params(dialect_tool, options)
    tool = build_tool(parser, dialect, options, params, environment, on_progress)
    apply_landlock(parser, options, environment, by_default=False)
    return ToolCall(tool.all()[number], params, options["json"])


def _params(tool: DialectTool, options: dict[str, object]) -> dict[str, object]:
    given = cast("list[str]", options["given"])
    params: dict[str, object] = {tool.required[0]: given[0]}
    if tool.batching and (len(given) > 1 or re.search("[*?]", given[0])):
        params = {tool.batching.param: given}
    for name, about in tool.properties.items():
        word = options.get(f"param_{name}")
        if isinstance(word, str):
            params[name] = _typed(word) if about["type"] == "integer" else word
    return params


def _typed(word: str) -> object:
    return int(word) if re.fullmatch(r"[+-]?[0-9]{1,1000}", word) else word
