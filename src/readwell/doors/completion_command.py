"""The command `readwell completion`: prints a completion script with the commands and options that there are."""

from __future__ import annotations

from importlib import import_module

from ..dialects import NAMES, dialect_named
from .argument_parsers import Parser, long_options, tool_parser
from .cli import COMMAND_MODULES, COMMANDS, schema_parser
from .shell_completion import SHELLS, completion_script
from .terminal import write


def run(argv: list[str]) -> int:
    """Prints the script for a shell."""
    shell = command_parser().parse_args(argv).shell
    write(completion_script(shell, (*COMMANDS, *COMMAND_MODULES), NAMES, sorted(_all_long_options())))
    return 0


def command_parser() -> Parser:
    """Returns the parser of `readwell completion`."""
    about = "Print a completion script: eval it, or save it where your shell looks."
    parser = Parser(prog="readwell completion", description=about, allow_abbrev=False)
    parser.add_argument("shell", choices=SHELLS)
    return parser


def _all_long_options() -> set[str]:
    """Returns the long options of the program and all of its commands."""
    dialects = [dialect_named(name) for name in NAMES]
    modules = [import_module(f".{module}", __package__) for module in COMMAND_MODULES.values()]
    reading = (tool_parser(dialect, dialect.tools[0]) for dialect in dialects)
    return {"--version", *long_options(*reading, schema_parser(), *(module.command_parser() for module in modules))}
