"""The command `readwell mcp`: parses arguments, builds the server and runs it on a transport."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...dialects import DEFAULT, NAMES, dialect_named
from ...toolspec import ToolSpec, text_specs, tool_specs
from ..argument_parsers import Parser, add_settings, flag
from ..extras import SERVER_NEEDS, missing_extra_message
from ..settings import (
    absolute_roots,
    apply_landlock,
    build_tool,
    chosen_roots,
    settings_of,
)
from ..terminal import write_error
from ..value_parsers import parse_bool, value_parser
from .metrics import Metrics
from .nonblocking_stderr import make_stderr_nonblocking
from .server_config import ServerConfig

if TYPE_CHECKING:
    from .live_report import LiveReport

Serve = Callable[[Any, Metrics], Awaitable[None]]
"""Serves an MCP server, whose calls the metrics count, on a transport."""
MAX_GRACE_S = 3600
ABOUT = """\
Serve files to an MCP client: on standard input and output, or over HTTP.
Without --root only the current directory and what lies below it can be read."""


def run(argv: list[str]) -> int:
    """Serves until the client disconnects or a stop signal arrives; returns the exit status."""
    parser = command_parser()
    options = parser.parse_args(argv)
    if missing := missing_extra_message("mcp", SERVER_NEEDS):
        write_error(f"readwell: {missing}")
        return 1
    _fill_standard_descriptors()
    ledger = _open_ledger(parser, options)
    options.audit = _open_audit(parser, options, ledger)
    config = _server_config(parser, options, ledger)
    from .stop_signals import exit_on_stop_signals

    exit_on_stop_signals()
    serve = _prepare_http(parser, options, config) if options.http else _prepare_stdio(parser, options)
    apply_landlock(parser, vars(options), os.environ, by_default=True)
    return _run_server(serve, config, small_reads_in_loop=not options.http)


def command_parser() -> Parser:
    """Returns the parser of `readwell mcp`."""
    parser = Parser(
        prog="readwell mcp",
        description=ABOUT,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=100),
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--root", action="append", default=[], metavar="DIR", help="serve what lies below DIR; repeatable (default .)")
    add("--dialect", action="append", choices=NAMES, help=f"serve its tool; repeatable (default {DEFAULT})")
    add("--search", type=parse_bool, metavar="X", help=f"yes or no: the tool search (default: with {DEFAULT})")
    add("--structured", action="store_true", help="send text and data as structured content, too")
    add(
        "--meta", type=parse_bool, default=True, metavar="X", help="yes or no: data for programs in _meta (default yes)"
    )
    add("--span-paths", action="store_true", help="put the paths of calls into spans of OpenTelemetry")
    add("--password-env", metavar="NAME", help="the variable that holds the documents' password")
    add(
        "--ledger",
        metavar="DIR",
        help="keep the record of this server in DIR and show what was read: at /ledger over HTTP",
    )
    add = parser.add_argument_group("over HTTP").add_argument
    add("--http", metavar="HOST:PORT", help="listen there, at /mcp, instead of on standard input")
    add("--token-env", metavar="NAME", help="the variable that holds the bearer token")
    add("--tokens-file", metavar="FILE", help="tokens with names, in TOML; read again on SIGHUP")
    add("--per-client", type=_parse_per_client, metavar="X", help="limits, such as calls=16,minute=600,conversions=2")
    add("--allowed-host", action="append", default=[], metavar="H", help="a name that clients call; repeatable")
    add("--grace-s", type=_grace_time, default=30, metavar="S", help="time for calls to end after SIGTERM (default 30)")
    dialects = [dialect_named(name) for name in NAMES]
    add_settings(parser, dialects)
    ceilings = [setting for setting in settings_of(dialects) if setting.is_param]
    add = parser.add_argument_group(f"ceilings of {DEFAULT}").add_argument
    for setting in ceilings:
        add(flag(setting.name), type=value_parser(setting), dest=setting.name, metavar="X", help=setting.help)
    return parser


def _grace_time(word: str) -> int:
    if not word.isdecimal() or not 0 <= int(word) <= MAX_GRACE_S:
        raise argparse.ArgumentTypeError(f"a whole number of seconds up to {MAX_GRACE_S}, not {word!r}")
    return int(word)


def _parse_per_client(word: str) -> object:
    from .client_limits import parse_limits_per_client

    try:
        return parse_limits_per_client(word)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _server_config(parser: Parser, options: argparse.Namespace, ledger: LiveReport | None = None) -> ServerConfig:
    """Builds the tools to serve, all confined to the roots."""
    chosen = vars(options)
    chosen["root"] = absolute_roots(parser, chosen_roots(chosen, os.environ))
    if chosen["images"] is None and not os.environ.get("READWELL_IMAGES"):
        chosen["images"] = True
    names = dict.fromkeys(options.dialect or [DEFAULT])
    wanted = dict.fromkeys((*names, DEFAULT))
    tools = {name: build_tool(parser, dialect_named(name), chosen, chosen, os.environ) for name in wanted}
    carries_images = chosen["images"] or (chosen["images"] is None and parse_bool(os.environ["READWELL_IMAGES"]))
    make_specs = tool_specs if carries_images else text_specs
    specs = {name: make_specs(tool) for name, tool in tools.items()}
    offered = _offered_tools(parser, options, names, specs)
    if ledger:
        ledger.set_project(chosen["root"], tools[DEFAULT].denials)

    def confined_to(roots: Sequence[str]) -> ServerConfig:
        confined = {name: make_specs(tool.confined_to(roots)) for name, tool in tools.items()}
        offered = _offered_tools(parser, options, names, confined)
        return config._replace(tools=offered, resource_reader=confined[DEFAULT][0], roots=roots, ledger=None)

    config = ServerConfig(
        tools=offered,
        resource_reader=specs[DEFAULT][0],
        roots=chosen["root"],
        dialect_by_tool={spec.name: name for name in specs for spec in specs[name]},
        backing_tools=list(tools.values()),
        structured=options.structured,
        meta=options.meta,
        ledger=ledger,
        span_paths=options.span_paths,
        confined_to=confined_to,
    )
    return config


def _offered_tools(
    parser: Parser, options: argparse.Namespace, names: Iterable[str], specs: Mapping[str, Sequence[ToolSpec]]
) -> list[ToolSpec]:
    """Returns the tools that clients see; exits with 2 where two have the same name."""
    first, *further = specs[DEFAULT]
    offered = [spec for name in names for spec in (specs[name] if name != DEFAULT else [first])]
    if _wants_search(parser, options.search, DEFAULT in names):
        offered += further
    called = [spec.name for spec in offered]
    if twice := sorted({name for name in called if called.count(name) > 1}):
        parser.error(f"two tools would be called {' and '.join(twice)}: serve them in servers of their own")
    return offered


def _wants_search(parser: Parser, asked: bool | None, by_default: bool) -> bool:
    """Says whether to offer the tools that are no readers: as asked, or beside the dialect that has them."""
    word = os.environ.get("READWELL_SEARCH", "")
    try:
        return asked if asked is not None else parse_bool(word) if word else by_default
    except argparse.ArgumentTypeError as error:
        parser.error(f"READWELL_SEARCH: {error}")


def _fill_standard_descriptors() -> None:
    """Opens /dev/null for those of descriptors 0 to 2 that are closed, so that no root becomes a standard stream."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(opened)


def _open_ledger(parser: Parser, options: argparse.Namespace) -> LiveReport | None:
    """Begins the record of this process, before it gives up the rest of the disk."""
    folder = options.ledger or os.environ.get("READWELL_LEDGER")
    if not folder:
        return None
    from .live_report import LiveReport

    try:
        return LiveReport(folder, _caller_name(options))
    except ValueError as error:
        parser.error(str(error))


def _open_audit(parser: Parser, options: argparse.Namespace, ledger: LiveReport | None) -> object:
    """Opens the audit file that all tools share, so that it can be rotated; with a ledger, records go to both."""
    path = options.audit or os.environ.get("READWELL_AUDIT")
    if not path:
        return ledger.audit if ledger else path
    from .audit_rotation import open_rotating_audit
    from .live_report import audit_to_both

    try:
        audit = open_rotating_audit(path, _caller_name(options))
    except ValueError as error:
        parser.error(str(error))
    return audit_to_both(audit, ledger.audit) if ledger else audit


def _caller_name(options: argparse.Namespace) -> str | None:
    return options.caller or os.environ.get("READWELL_CALLER")


def _prepare_http(parser: Parser, options: argparse.Namespace, config: ServerConfig) -> Serve:
    from .http_command import prepare_http_server

    if options.tokens_file and _caller_name(options):
        parser.error("--caller names one caller and --tokens-file several: leave one of them out")
    return prepare_http_server(parser, options, config)


def _prepare_stdio(parser: Parser, options: argparse.Namespace) -> Serve:
    from .stdio_server import serve_stdio

    if options.tokens_file or options.per_client:
        parser.error("--tokens-file and --per-client are for servers with --http")

    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if not stream:
            parser.error(f"standard {name} is closed: let a client start the server, or use --http")
    if sys.stdin.isatty():
        write_error("readwell: waiting for an MCP client on standard input; `readwell config CLIENT` adds it to one")
    return lambda server, _metrics: serve_stdio(server)


def _run_server(serve: Serve, config: ServerConfig, small_reads_in_loop: bool) -> int:
    """Runs the server to its end.

    Over HTTP `small_reads_in_loop` is off: a file that hangs in the event loop would make every other client wait.
    """
    import anyio

    from .executors import create_executors
    from .request_handlers import make_server
    from .stop_signals import join_threads_or_exit

    executors = create_executors(small_reads_in_loop)
    metrics = Metrics(config.backing_tools, executors.waiting_count)
    make_stderr_nonblocking()
    anyio.run(serve, make_server(config, executors, metrics), metrics)
    executors.close()
    config.close()
    return join_threads_or_exit(0)
