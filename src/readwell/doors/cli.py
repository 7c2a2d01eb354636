"""The command `readwell`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from .. import __version__
from ..dialects import DEFAULT, NAMES, dialect_named
from .options import EXAMPLES, chosen_dialect, long_options, other_tool_names, parse_call
from .settings import Parser
from .terminal import OutputError, ProgressBar, write, write_error

HELP = f"""\
usage: readwell [read] PATH… [options]    read a window of a file or of several, or list a directory
       readwell dialects                  the ways to ask and answer
       readwell schema [options]          the tool definition to paste into an agent
       readwell convert PATH… [-o DIR]    whole documents as Markdown
       readwell doctor                    what this machine offers
       readwell mcp [options]             the MCP server, on stdio or over HTTP
       readwell config CLIENT             the lines that add it to an MCP client
       readwell completion bash|zsh|fish  a completion script for a shell
       readwell --version

readwell COMMAND --help tells more. A command's name wins over a file of that name:
readwell ./schema reads the file.

{EXAMPLES}"""
FAILED, USAGE = 1, 2


def main(words: list[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    words = sys.argv[1:] if words is None else words
    try:
        return _run(words)
    except OutputError as error:
        return error.status
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    if not words:
        write_error(HELP)
        return USAGE
    if words[0] in ("-h", "--help"):
        write(HELP)
        return 0
    if words[0] == "--version":
        write(f"readwell {__version__}")
        return 0
    if words[0] in COMMANDS:
        return COMMANDS[words[0]](words[1:])
    if words[0] in COMMAND_MODULES:
        from importlib import import_module

        return import_module(f".{COMMAND_MODULES[words[0]]}", __package__).run(words[1:])
    further = other_tool_names(chosen_dialect(words))
    if words[0] in further:
        return _called(words[1:], 1 + further.index(words[0]))
    return _read(words)


def _read(words: list[str]) -> int:
    return _called(words, 0)


def _called(words: list[str], number: int) -> int:
    """Calls the tool of that number of the dialect that is asked for."""
    progress = ProgressBar()
    watched = progress if sys.stderr and sys.stderr.isatty() else None
    asked = parse_call(words, os.environ, watched, number)
    reply = asked.tool.reply(asked.params)
    progress.done()
    if asked.as_json:
        import json

        write(json.dumps(reply.data, ensure_ascii=False))
    elif reply.exception:
        write_error(f"readwell: {' '.join(reply.text.split(chr(10)))}")
    else:
        write(reply.text)
    return FAILED if reply.is_error or reply.error else 0


def _dialects(words: list[str]) -> int:
    _parser("dialects", "List the ways to ask and answer.").parse_args(words)
    for name in NAMES:
        write(f"{name:<9} {dialect_named(name).summary}")
    return 0


def _schema(words: list[str]) -> int:
    import json

    parser = _parser("schema", "Print the tool definition to paste into an agent.")
    parser.add_argument("--dialect", choices=NAMES, default=DEFAULT, help=f"whose tool (default {DEFAULT})")
    parser.add_argument("--format", choices=("json", "openai", "anthropic"), default="json", help="whose shape")
    parser.add_argument("--tokens", action="store_true", help="print only what the definition costs")
    options = parser.parse_args(words)
    definitions = [tool.definition(options.format) for tool in dialect_named(options.dialect).tools]
    definition = definitions if len(definitions) > 1 else definitions[0]
    if options.tokens:
        write(_cost(json.dumps(definition, ensure_ascii=False)))
    else:
        write(json.dumps(definition, indent=2, ensure_ascii=False))
    return 0


def _cost(text: str) -> str:
    from ..tokens import estimate_tokens, o200k_counter

    try:
        exact = f", {o200k_counter()(text)} exactly (o200k)"
    except ImportError:
        exact = ""
    return f"{estimate_tokens(text)} tokens estimated{exact}"


def _completion(words: list[str]) -> int:
    from .completion import SHELLS, script

    parser = _parser("completion", "Print a completion script: eval it, or save it where your shell looks.")
    parser.add_argument("shell", choices=SHELLS)
    shell = parser.parse_args(words).shell
    flags = {flag for name in NAMES for flag in long_options(dialect_named(name))} | OTHER_FLAGS
    write(script(shell, (*COMMANDS, *COMMAND_MODULES), NAMES, sorted(flags)))
    return 0


def _parser(command: str, description: str) -> Parser:
    return Parser(prog=f"readwell {command}", description=description, allow_abbrev=False)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "read": _read,
    "dialects": _dialects,
    "schema": _schema,
    "completion": _completion,
}
OTHER_FLAGS = {"--format", "--tokens", "--structured", "--http", "--token-env", "--allowed-host", "--output", "--jobs"}
COMMAND_MODULES = {"convert": "convert", "doctor": "doctor", "mcp": "mcp", "config": "config"}
"""Commands that are doors of their own: their modules, each with a `run`, loaded when asked for."""
