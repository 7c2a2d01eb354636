"""The command `readwell completion`: prints a completion script with the commands and options that there are."""

from __future__ import annotations

from importlib import import_module
from itertools import chain

from ..dialects import NAMES, dialect_named
from .argument_parsers import Parser, tool_parser
from .cli import COMMAND_MODULES, COMMANDS, schema_parser
from .shell_completion import SHELLS, completion_script
from .terminal import write


def run(argv: list[str]) -> int:
    """Prints the script for a shell."""
    shell = command_parser().parse_args(argv).shell
    parsers = _command_parsers()
    options = {"--version", *chain.from_iterable(parser.long_options() for _, parser in parsers)}
    choices = {(command, option): words for command, parser in parsers for option, words in parser.choices().items()}
    write(completion_script(shell, (*COMMANDS, *COMMAND_MODULES), NAMES, sorted(options), choices))
    return 0


def command_parser() -> Parser:
    """Returns the parser of `readwell completion`."""
    about = "Print a completion script: eval it, or save it where your shell looks."
    parser = Parser(prog="readwell completion", description=about, allow_abbrev=False)
    parser.add_argument("shell", choices=SHELLS)
    return parser


def _command_parsers() -> list[tuple[str, Parser]]:
    """Returns the parsers of all commands with their names; reading has one for each dialect."""
    dialects = [dialect_named(name) for name in NAMES]
    modules = {name: import_module(f".{module}", __package__) for name, module in COMMAND_MODULES.items()}
    reading = [("read", tool_parser(dialect, dialect.tools[0])) for dialect in dialects]
    others = [(name, module.command_parser()) for name, module in modules.items()]
    return [*reading, ("schema", schema_parser()), *others]
