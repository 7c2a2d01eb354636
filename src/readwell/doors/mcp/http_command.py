"""The part of `readwell mcp` that serves over HTTP: its tokens, its address, what it prints."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from ..argument_parsers import Parser
from ..terminal import write_error
from .bearer_token import new_token, token_from_environment
from .client_limits import LimitsPerClient
from .http_callers import Callers
from .http_server import serve_http
from .listen_address import PATH, listen, parse_address
from .readiness import Readiness
from .request_admission import Gate
from .server_config import ServerConfig
from .token_file import TokenFile, describe_change


def prepare_http_server(
    parser: Parser, options: argparse.Namespace, config: ServerConfig
) -> Callable[[Any, Any], Awaitable[None]]:
    """Opens the socket and prints the URL; addresses other than loopback need a token and a host name."""
    has_token = options.token_env or options.tokens_file
    if options.token_env and options.tokens_file:
        parser.error("--token-env holds one token and --tokens-file several: use one of them")
    try:
        address = parse_address(options.http, options.allowed_host)
        if not address.is_loopback and not (has_token and options.allowed_host):
            needs = "--token-env or --tokens-file, and --allowed-host"
            parser.error(f"listening on {address.host} needs {needs}: others can connect")
        file = TokenFile(options.tokens_file, config.roots) if options.tokens_file else None
        variable = options.token_env
        token = "" if file else token_from_environment(os.environ, variable) if variable else new_token()
        callers = Callers(file.read_callers()) if file else Callers.with_token(token)
        bound, address = listen(address)
    except ValueError as error:
        parser.error(str(error))
    if file:
        signal.signal(signal.SIGHUP, lambda _number, _frame: None)  # until the server runs
    write_error(f"readwell: serving {address.url}")
    if not has_token:
        write_error(f"readwell: bearer token of this run: {token}")
    if config.ledger:
        write_error(f"readwell: what was read: {address.url.removesuffix(PATH)}/ledger (it asks for the token)")
    return partial(
        serve_http,
        bound=bound,
        address=address,
        gate=Gate(callers, options.per_client or LimitsPerClient()),
        readiness=Readiness(config.backing_tools[0].try_conversion),
        grace_s=options.grace_s,
        ledger=config.ledger,
        reload=partial(_reload_tokens, file, callers) if file else None,
    )


def _reload_tokens(file: TokenFile, callers: Callers) -> None:
    """Reads the tokens again; a file that is missing or invalid changes nothing."""
    before = callers.valid_callers()
    try:
        callers.replace(file.read_callers())
    except ValueError as error:
        write_error(f"readwell: the tokens stay as they were: {error}")
    else:
        write_error(f"readwell: read the tokens again: {describe_change(before, callers.valid_callers())}")
