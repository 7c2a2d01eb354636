"""The command `readwell mcp`: words become an config and a transport."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from ...dialects import DEFAULT, NAMES, dialect_named
from ...toolspec import tool_specs
from ..extras import SERVER_NEEDS, missing_extra
from ..settings import (
    Parser,
    absolute_roots,
    add_settings,
    apply_landlock,
    build_tool,
    chosen_roots,
    flag,
    settings_of,
    switch,
    value_parser,
)
from ..terminal import write_error
from .address import listen, parse_address
from .nonblocking_stderr import make_stderr_nonblocking
from .server_config import ServerConfig
from .token import new_token, token_from

Serve = Callable[[Any], Awaitable[None]]
ABOUT = """\
Serve files to an MCP client: on standard input and output, or over HTTP.
Without --root only the current directory and what lies below it can be read."""


def run(words: list[str]) -> int:
    """Serves until the client leaves or a signal comes; returns the exit status."""
    parser = mcp_parser()
    options = parser.parse_args(words)
    if lack := missing_extra("mcp", SERVER_NEEDS):
        write_error(f"readwell: {lack}")
        return 1
    _fill_standard_descriptors()
    options.audit = _audit(parser, options.audit or os.environ.get("READWELL_AUDIT"))
    config = _server_config(parser, options)
    from .signals import exit_on_stop_signals

    exit_on_stop_signals()
    serve = _over_http(parser, options) if options.http else _on_stdio(parser)
    apply_landlock(parser, vars(options), os.environ, by_default=True)
    return _served(serve, config, at_once=not options.http)


def mcp_parser() -> Parser:
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
    add("--structured", action="store_true", help="send text and data as structured content, too")
    add("--meta", type=switch, default=True, metavar="X", help="yes or no: data for programs in _meta (default yes)")
    add("--password-env", metavar="NAME", help="the variable that holds the documents' password")
    add = parser.add_argument_group("over HTTP").add_argument
    add("--http", metavar="HOST:PORT", help="listen there, at /mcp, instead of on standard input")
    add("--token-env", metavar="NAME", help="the variable that holds the bearer token")
    add("--allowed-host", action="append", default=[], metavar="H", help="a name that clients call; repeatable")
    dialects = [dialect_named(name) for name in NAMES]
    add_settings(parser, dialects)
    ceilings = [setting for setting in settings_of(dialects) if setting.is_param]
    add = parser.add_argument_group(f"ceilings of {DEFAULT}").add_argument
    for setting in ceilings:
        add(flag(setting.name), type=value_parser(setting), dest=setting.name, metavar="X", help=setting.help)
    return parser


def _server_config(parser: Parser, options: argparse.Namespace) -> ServerConfig:
    """Builds the tools to serve, all of them confined."""
    chosen = vars(options)
    chosen["root"] = absolute_roots(parser, chosen_roots(chosen, os.environ))
    if chosen["images"] is None and not os.environ.get("READWELL_IMAGES"):
        chosen["images"] = True
    names = dict.fromkeys(options.dialect or [DEFAULT])
    wanted = dict.fromkeys((*names, DEFAULT))
    specs = {name: tool_specs(build_tool(parser, dialect_named(name), chosen, chosen, os.environ)) for name in wanted}
    offered = [spec for name in names for spec in specs[name]]
    called = [spec.name for spec in offered]
    if len(set(called)) < len(called):
        parser.error(f"two tools would be called alike: {', '.join(called)}; serve them in servers of their own")
    return ServerConfig(offered, specs[DEFAULT][0], chosen["root"], options.structured, options.meta)


def _fill_standard_descriptors() -> None:
    """Opens what is closed of descriptors 0 to 2, so that no root or socket becomes a standard stream."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(opened)


def _audit(parser: Parser, path: str | None) -> object:
    """Opens the account of calls: one for all tools, and so that it can be rotated."""
    if not path:
        return path
    from .audit_rotation import open_rotating_audit

    try:
        return open_rotating_audit(path)
    except ValueError as error:
        parser.error(str(error))


def _on_stdio(parser: Parser) -> Serve:
    from .stdio import serve_stdio

    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if not stream:
            parser.error(f"standard {name} is closed: let a client start the server, or use --http")
    if sys.stdin.isatty():
        write_error("readwell: waiting for an MCP client on standard input; `readwell config CLIENT` adds it to one")
    return serve_stdio


def _over_http(parser: Parser, options: argparse.Namespace) -> Serve:
    """Listens, and says where; refuses to be reached from elsewhere without a token and a name."""
    try:
        address = parse_address(options.http, options.allowed_host)
        if not address.is_loopback and not (options.token_env and options.allowed_host):
            parser.error(f"listening on {address.host} needs --token-env and --allowed-host: others can connect")
        token = token_from(os.environ, options.token_env) if options.token_env else new_token()
        bound, address = listen(address)
    except ValueError as error:
        parser.error(str(error))
    from .http import serve_http

    write_error(f"readwell: serving {address.url}")
    if not options.token_env:
        write_error(f"readwell: bearer token of this run: {token}")
    return partial(serve_http, bound=bound, address=address, token=token)


def _served(serve: Serve, config: ServerConfig, at_once: bool) -> int:
    """Serves; over HTTP no file is read at once, since one that hangs would keep every other client waiting."""
    import anyio

    from .executors import create_executors
    from .server import make_server
    from .signals import leave

    executors = create_executors(at_once)
    make_stderr_nonblocking()
    anyio.run(serve, make_server(config, executors))
    executors.close()
    config.close()
    return leave(0)
