"""The command line program `readwell`: dispatch to its commands, with progress where stderr is a terminal."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable

from .. import __version__
from ..dialects import DEFAULT, NAMES, dialect_named
from ..light_typing import TYPE_CHECKING
from .call_options import EXAMPLES, chosen_dialect, other_tool_names, parse_call
from .terminal import OutputError, ProgressBar, write, write_error

if TYPE_CHECKING:
    from ..model import Reply
    from .argument_parsers import Parser

HELP = f"""\
usage: readwell [read] PATH… [options]    read a window of a file or of several, or list a directory
       readwell search PATTERN [PATH…]    find lines in files, directories and documents
       readwell dialects                  the ways to ask and answer
       readwell schema [options]          the tool definition to paste into an agent
       readwell convert SOURCE… [-o DIR]  whole documents as Markdown, folders as a corpus
       readwell report AUDIT… [-o FILE]   what was read, from the records of --audit
       readwell doctor                    what this machine offers
       readwell mcp [options]             the MCP server, on stdio or over HTTP
       readwell config CLIENT             the lines that add it to an MCP client
       readwell completion bash|zsh|fish  a completion script for a shell
       readwell --version

readwell COMMAND --help tells more. A command's name wins over a file of that name:
readwell ./schema reads the file.

{EXAMPLES}"""
FAILED, WRONG_USAGE = 1, 2
NEAR = 0.75
"""How alike a word and the command that it may stand for are at least, from 0 to 1."""


def main(argv: list[str] | None = None) -> int:
    """Runs a command and returns the exit status; `argv` defaults to the arguments of the process."""
    if argv is None:
        _drop_script_folder_from_import_path()
    try:
        return _run_command(sys.argv[1:] if argv is None else argv)
    except OutputError as error:
        return error.status
    except KeyboardInterrupt:
        return 130
    finally:
        if argv is None:
            gc.freeze()  # the process ends: looking for garbage would take a tenth of the time to read a small file


def _drop_script_folder_from_import_path() -> None:
    """Imports nothing from the folder of the script: it may lie in a root, as that of a project's `.venv` does."""
    if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(sys.argv[0])):
        del sys.path[0]


def _run_command(argv: list[str]) -> int:
    """Runs the command that the arguments name; a bare path is read."""
    if not argv:
        write_error(HELP)
        return WRONG_USAGE
    if argv[0] in ("-h", "--help"):
        write(HELP)
        return 0
    if argv[0] == "--version":
        write(f"readwell {__version__}{_checkout_commit()}")
        return 0
    if argv[0] in COMMANDS:
        return COMMANDS[argv[0]](argv[1:])
    if argv[0] in COMMAND_MODULES:
        from importlib import import_module

        return import_module(f".{COMMAND_MODULES[argv[0]]}", __package__).run(argv[1:])
    others = other_tool_names(chosen_dialect(argv))
    if argv[0] in others:
        return _call_tool(argv[1:], 1 + others.index(argv[0]))
    if command := _similar_command(argv):
        write_error(f"readwell: File '{argv[0]}' does not exist. Did you mean the command: readwell {command}?")
        return FAILED
    return _run_read(argv)


def _similar_command(argv: list[str]) -> str:
    """Returns the command that the first word looks like, if it names no file; empty where that is not certain."""
    word, elsewhere = argv[0], ("--root", "--json", "--dialect")
    if not (word.isascii() and word.isalpha()) or os.path.lexists(word) or os.environ.get("READWELL_ROOT"):
        return ""
    if any(each.startswith(elsewhere) for each in argv):
        return ""
    from difflib import get_close_matches

    return "".join(get_close_matches(word, (*COMMANDS, *COMMAND_MODULES), 1, NEAR))


def _checkout_commit() -> str:
    """Returns the commit of the checkout that this program runs from, in parentheses; empty if it is installed."""
    checkout = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    if not os.path.exists(os.path.join(checkout, ".git")):
        return ""
    import subprocess

    command = ["git", "-C", checkout, "rev-parse", "--short=12", "HEAD"]
    try:
        described = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f" ({described.stdout.strip()})"


def _run_read(argv: list[str]) -> int:
    """Runs `readwell read`."""
    return _call_tool(argv, 0)


def _call_tool(argv: list[str], tool_index: int) -> int:
    """Calls the tool at this index of the chosen dialect, and prints its reply."""
    progress = ProgressBar()
    watched = progress if sys.stderr and sys.stderr.isatty() else None
    call = parse_call(argv, os.environ, watched, tool_index)
    if call.follow:
        from .follow_command import follow

        return follow(call.tool, call.params, call.deadline_s)
    reply = call.tool.reply(call.params)
    progress.clear()
    if reply.pictures:
        from .image_files import write_pictures

        if failure := write_pictures(reply, call.output):
            write_error(f"readwell: {failure}")
            return FAILED
    if call.as_json:
        import json

        write(json.dumps(reply.data, ensure_ascii=False))
    else:
        _write_reply(reply)
    return FAILED if reply.is_error or reply.error else 0


def _write_reply(reply: Reply) -> None:
    """Writes what was read to standard output, and each failure to standard error, on a line."""
    failures = (reply.text,) if reply.exception else reply.failures
    answered = reply.without_failures if reply.failures else "" if reply.exception else reply.text
    if answered or not failures:
        write(answered)
    for failure in failures:
        write_error(f"readwell: {' '.join(failure.split(chr(10)))}")


def _run_dialects(argv: list[str]) -> int:
    """Runs `readwell dialects`."""
    _command_parser("dialects", "List the ways to ask and answer.").parse_args(argv)
    for name in NAMES:
        write(f"{name:<9} {dialect_named(name).summary}")
    return 0


def _run_schema(argv: list[str]) -> int:
    """Runs `readwell schema`."""
    import json

    parser = schema_parser()
    options = parser.parse_args(argv)
    tools = {tool.name: tool for tool in dialect_named(options.dialect).tools}
    name = options.tool or next(iter(tools))
    if name not in tools:
        parser.error(f"{options.dialect} has no tool {name}: use {' or '.join(tools)}")
    definition = tools[name].definition(options.format)
    if options.tokens:
        write(_token_cost_text(json.dumps(definition, ensure_ascii=False)))
    else:
        write(json.dumps(definition, indent=2, ensure_ascii=False))
    return 0


def schema_parser() -> Parser:
    """Returns the parser of `readwell schema`."""
    parser = _command_parser("schema", "Print the tool definition to paste into an agent.")
    parser.add_argument("--dialect", choices=NAMES, default=DEFAULT, help=f"whose tool (default {DEFAULT})")
    parser.add_argument("--tool", metavar="NAME", help="which of its tools (default: the one that reads)")
    parser.add_argument("--format", choices=("json", "openai", "anthropic"), default="json", help="whose shape")
    parser.add_argument("--tokens", action="store_true", help="print only what the definition costs")
    return parser


def _token_cost_text(text: str) -> str:
    """Returns what a text costs, estimated and counted."""
    from ..tokens import estimate_tokens, o200k_counter

    try:
        exact = f", {o200k_counter()(text)} exactly (o200k)"
    except ImportError:
        exact = ""
    return f"{estimate_tokens(text)} tokens estimated{exact}"


def _command_parser(command: str, description: str) -> Parser:
    """Returns the argument parser of a command."""
    from .argument_parsers import Parser

    return Parser(prog=f"readwell {command}", description=description, allow_abbrev=False)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "read": _run_read,
    "dialects": _run_dialects,
    "schema": _run_schema,
}
COMMAND_MODULES = {
    "search": "search_command",
    "convert": "convert_command",
    "doctor": "doctor_command",
    "mcp": "mcp",
    "config": "config_command",
    "report": "report_command",
    "completion": "completion_command",
}
"""Commands in modules of their own, each with a function `run`, imported when used."""
