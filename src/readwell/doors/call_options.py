"""The arguments of `readwell read` and of a dialect's other tools: parameters of the dialect, and settings."""

from __future__ import annotations

from collections.abc import Mapping

from ..dialects import DEFAULT, NAMES, Dialect, DialectTool, dialect_named
from ..light_typing import TYPE_CHECKING, NoReturn, cast
from ..named_tuple import NamedTuple
from ..tool import Progress, Tool
from .settings import apply_landlock, build_tool

if TYPE_CHECKING:
    from argparse import ArgumentParser

EXAMPLES = """\
examples:
  readwell src/app.py                       the first window
  readwell src/app.py --offset 201          go on where a reply said [more: offset=201]
  readwell server.log --offset -50          the last 50 lines
  readwell data.json --offset 1 --column 2001   inside a long line
  readwell --root . docs                    list a directory, confined to this one
  readwell README.md 'src/**/*.py'          several files in one reply
  readwell server.log --follow              lines as they are added
  zcat a.gz | readwell -                    what another program writes
  readwell a.pdf --pages 3 --view image -o page.png   a page as an image
  readwell app.py --dialect envelope        the same file as another agent would see it
"""
NO_OPTIONS: dict[str, object] = {"root": [], "json": False}
"""What a command line of paths alone leaves the options at."""


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
    output: str | None = None
    """Where images are written."""
    follow: bool = False
    """Lines are printed as they are added."""
    deadline_s: float | None = None
    """What `--deadline-s` says: when following ends; None: never."""


class LazyParser:
    """The argument parser of a command, made when its arguments have to be parsed or are wrong."""

    def __init__(self, dialect: Dialect, tool: DialectTool) -> None:
        self._dialect, self._tool = dialect, tool

    def parse_options(self, argv: list[str]) -> dict[str, object]:
        """Returns the values of the arguments; exits with 2 on wrong usage."""
        paths_alone = not any(word.startswith("-") for word in argv) and self._tool.required[1:] == ()
        if paths_alone and (len(argv) == 1 or (argv and self._tool.batching)):
            return {**NO_OPTIONS, "given": argv}
        return vars(self._make_parser().parse_args(argv))

    def error(self, message: str) -> NoReturn:
        """Exits with status 2 and one line."""
        self._make_parser().error(message)

    def _make_parser(self) -> ArgumentParser:
        """Returns the parser, made when it is first needed."""
        from .argument_parsers import tool_parser

        return tool_parser(self._dialect, self._tool)


def parse_call(
    argv: list[str], environment: Mapping[str, str], on_progress: Progress | None, tool_index: int = 0
) -> ToolCall:
    """Parses a call and builds its tool; exits with 2 on wrong usage.

    `tool_index` is that of the tool in the dialect's `tools`.
    """
    dialect = chosen_dialect(argv)
    dialect_tool = dialect.tools[tool_index]
    parser = LazyParser(dialect, dialect_tool)
    options = parser.parse_options(argv)
    params = _params(dialect_tool, options)
    output = cast("str | None", options.get("output"))
    if output is not None and params.get("view") != "image":
        parser.error("-o writes images: use it with --view image (readwell convert -o writes documents)")
    tool = build_tool(parser, dialect, options, params, environment, on_progress, single_call=True)
    apply_landlock(parser, options, environment, by_default=False)
    follow = bool(options.get("follow"))
    if follow and (options["json"] or "path" not in params or params["path"] == "-"):
        parser.error("--follow prints the lines of one file, as text")
    deadline_s = cast("float | None", options.get("deadline_s"))
    return ToolCall(
        tool.all()[tool_index],
        params=params,
        as_json=bool(options["json"]),
        output=output,
        follow=follow,
        deadline_s=deadline_s,
    )


def _params(tool: DialectTool, options: dict[str, object]) -> dict[str, object]:
    """Returns the params of a call from the options."""
    given = cast("list[str]", options["given"])
    params: dict[str, object] = {tool.required[0]: given[0]}
    if tool.batching and (len(given) > 1 or "*" in given[0] or "?" in given[0]):
        params = {tool.batching.param: given}
    for name, about in tool.properties.items():
        word = options.get(f"param_{name}")
        if isinstance(word, str):
            params[name] = _int_or_word(word) if about["type"] == "integer" else word
    return params


def _int_or_word(word: str) -> object:
    """Returns a word as a number if it is one."""
    import re

    return int(word) if re.fullmatch(r"[+-]?[0-9]{1,1000}", word) else word
