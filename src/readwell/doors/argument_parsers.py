"""Argument parsers of the commands, with the help text of each option; imported only where one is needed."""

import argparse
import re
import sys
from collections.abc import Container, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

from ..dialects import DEFAULT, NAMES, Dialect, DialectTool, dialect_named
from .call_options import EXAMPLES
from .settings import settings_of
from .terminal import escape_controls
from .value_parsers import parse_output_path, value_parser

WIDTH = 100
NEAR = 0.7
"""How alike a wrong option and a suggested one are at least, from 0 to 1."""
INSTEAD = {
    "if_revision": "The rev of this very window, if you hold it: if it has not changed, the reply is one line",
    "after": "Of a directory: list the entries behind this name, which a reply named",
}
"""Help on parameters of which a tool's definition says little, since each word of it costs tokens."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports wrong usage in one line, with control characters escaped."""

    dialect_name = DEFAULT
    """The dialect whose options it has."""

    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Iterable[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """Parses all arguments; names the option that looks most like an unknown one."""
        words = sys.argv[1:] if args is None else list(args)
        options, unknown = self.parse_known_args(words, namespace)
        if unknown and "--" not in words and not any(word.startswith("-") and word != "-" for word in unknown):
            return self.parse_intermixed_args(words)  # options stand between the paths
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._unknown_option_hint(unknown)}")
        return options

    def _unknown_option_hint(self, words: list[str]) -> str:
        """Returns whose option one of the words is, or a question for the first option that looks like one."""
        others = list[str]()
        if self.dialect_name != DEFAULT:
            dialect = dialect_named(DEFAULT)
            others = tool_parser(dialect, dialect.tools[0]).long_options()
        if word := next((word for word in words if word.partition("=")[0] in others), ""):
            return f". {word.partition('=')[0]} is an option of --dialect {DEFAULT}, not of {self.dialect_name}"
        known = self.long_options()
        for word in words:
            if word.startswith("--") and (near := get_close_matches(word.partition("=")[0], known, 1, NEAR)):
                return f". Did you mean {near[0]}?"
        return ""

    def long_options(self) -> list[str]:
        """Returns the long options, in their order."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def choices(self) -> dict[str, list[str]]:
        """Returns the words that may follow options, where no others may."""
        return {name: list(action.choices) for name, action in self._option_string_actions.items() if action.choices}

    def error(self, message: str) -> NoReturn:
        """Exits with status 2 and one line."""
        line = escape_controls(message).replace("\n", " ")
        self.exit(2, f"{self.prog}: error: {line} ({self.prog} --help lists the options)\n")


def tool_parser(dialect: Dialect, tool: DialectTool) -> Parser:
    """Returns the parser of the command that calls a tool: `read` for the first one, else its name."""
    reads = tool is dialect.tools[0]
    parser = Parser(
        prog=f"readwell {'read' if reads else tool.name}",
        description="Read one window of a file, or list a directory." if reads else tool.description,
        epilog=EXAMPLES if reads else None,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        allow_abbrev=False,
    )
    parser.dialect_name = dialect.name
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
    if "region" in tool.properties:
        parser.add_argument(
            "--follow", action="store_true", default=None, help="print lines as they are added, until interrupted"
        )
        told = "with --view image: where to write the image"
        parser.add_argument("-o", "--output", type=parse_output_path, metavar="FILE", help=told)
    own = parser.add_argument_group(f"parameters of {dialect.name}")
    for name in _option_names(dialect, tool):
        needed, about = name in tool.required, _param_help(name, tool.properties[name])
        own.add_argument(flag(name), dest=f"param_{name}", required=needed, metavar="X", help=about)
    add_settings(parser, [dialect])
    return parser


def _param_help(name: str, about: Mapping[str, Any]) -> str:
    """Returns what a parameter is, with the values that it may have."""
    said = str(about.get("description", ""))
    *others, last = about.get("enum") or [""]
    if others:
        return f"{', '.join(others)} or {last}. {said}"
    return INSTEAD[name] if name in INSTEAD and len(said) < len(INSTEAD[name]) else said


def _option_names(dialect: Dialect, tool: DialectTool) -> list[str]:
    """Returns the parameters that are options: not the positional ones, nor those that a setting replaces."""
    settings = {setting.name for setting in dialect.settings if not setting.is_param}
    several = {tool.batching.param} if tool.batching else set[str]()
    return [name for name in tool.properties if name not in {tool.required[0]} | settings | several]


def add_settings(
    parser: argparse.ArgumentParser, dialects: Iterable[Dialect], names: Container[str] | None = None
) -> None:
    """Adds an option for each setting of the dialects that is not a parameter; `names` restricts them."""
    group = parser.add_argument_group("settings (also READWELL_* in the environment)")
    for setting in settings_of(dialects):
        if not setting.is_param and (names is None or setting.name in names):
            action = "extend" if setting.value_type == "patterns" else "store"
            name, parse = setting.name, value_parser(setting)
            group.add_argument(flag(name), action=action, type=parse, dest=name, metavar="X", help=setting.help)


def flag(name: str) -> str:
    """Returns `--start-line` for `start_line` and `startLine`."""
    return "--" + re.sub("(?<=[a-z])([A-Z])", r"-\1", name).replace("_", "-").lower()
