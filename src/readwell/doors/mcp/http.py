"""The server over HTTP: one address, `/mcp`, behind a token and strict checks; `/health` for probes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .address import PATH, Address
from .connections import Connection, OpenConnections, connection_limit
from .messages import InvalidMessage, parse_message
from .signals import told_to_go
from .token import has_bearer_token

HEALTH = "/health"
MOST_BYTES = 256 << 10
PORT_UNSAID = 80
GRACE_S = 3
NEVER_S = 1 << 20


async def serve_http(server: Server[Any], bound: socket.socket, address: Address, token: str) -> None:
    """Serves any number of clients until a signal says to go."""
    most = connection_limit()
    crowd = OpenConnections(most)
    config = uvicorn.Config(
        crowd.watched(make_app(server, address, token)),
        http=cast("type[asyncio.Protocol]", partial(Connection, crowd)),
        timeout_keep_alive=NEVER_S,  # connections end by their own clocks
        proxy_headers=False,  # a connection is known by the address of its real client
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=most + 1,
        # So many connections are accepted at a time: a burst must not use up the descriptors before there is room.
        backlog=most // 4,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    await _Server(config).serve(sockets=[bound])


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handles signals as uvicorn does, but does not raise them again afterwards: the exit status is 0."""
        with told_to_go(lambda number: self.handle_exit(number, None)):
            yield


def make_app(server: Server[Any], address: Address, token: str) -> ASGIApp:
    """Returns the application: stateless, so that any replica can answer any request."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        transport_security=transport_security_for(address),
        custom_starlette_routes=[Route(HEALTH, _health)],
    )
    return _Guarded(RequestBodyLimitMiddleware(_OneMessage(app), MOST_BYTES), token)


def transport_security_for(address: Address) -> TransportSecuritySettings:
    """Returns the hosts and origins that a request may name: these, to the letter."""
    own = ["127.0.0.1", "localhost", "[::1]"] if address.is_loopback else []
    hosts = [*own] if address.port == PORT_UNSAID else []
    hosts += [f"{name}:{address.port}" for name in own]
    for name in address.names:
        hosts += [name] if _has_port(name) else [name, f"{name}:{address.port}"]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _has_port(name: str) -> bool:
    return ":" in name.rpartition("]")[2]


async def _health(_request: object) -> Response:
    return JSONResponse({"status": "ok"})


class _Guarded:
    """Lets in who bears the token, and only with a POST: without sessions there is nothing to GET or DELETE.

    Other places are not there, with a token or without: clients look for a place to register at, and must not find
    one that asks them for the token that they lack.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" and scope["path"] != HEALTH else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["path"].rstrip("/") != PATH:
            return _refused(404, f"There is nothing here: the server is at {PATH}.")
        if not has_bearer_token(self._token, scope["headers"]):
            said = "A bearer token is needed: Authorization: Bearer TOKEN."
            return _refused(401, said, {"WWW-Authenticate": 'Bearer realm="readwell"'})
        if scope["path"] != PATH or scope["method"] != "POST":
            return _refused(405, f"Send a POST to {PATH}, without a slash at its end.", {"Allow": "POST"})
        return None


def _refused(status: int, said: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": said}, status, headers)


class _OneMessage:
    """Hands on a body that is one message, and answers one that is none as standard input does.

    It is given the body in one piece. A client that left before its end gets no answer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            return await self._app(scope, receive, send)
        first = await receive()
        if first["type"] != "http.request" or first.get("more_body"):
            return None
        try:
            parse_message(first["body"])
        except InvalidMessage as none:
            answer = none.answer.model_dump(mode="json", exclude_none=True)
            return await JSONResponse({"id": None, **answer}, 400)(scope, receive, send)

        pieces = iter([first])

        async def again() -> Message:
            return next(pieces, None) or await receive()

        return await self._app(scope, again, send)
