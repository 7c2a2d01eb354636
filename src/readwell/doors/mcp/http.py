"""The server over HTTP: one address, `/mcp`, behind a token and strict checks; `/health` for probes."""

from __future__ import annotations

import signal
import socket
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .address import PATH, Address
from .connections import Connection, most_connections
from .signals import TO_GO
from .token import is_bearer_of

HEALTH = "/health"
MOST_BYTES = 256 << 10
PORT_UNSAID = 80
GRACE_S = 3


async def serve_http(server: Server[Any], bound: socket.socket, address: Address, token: str) -> None:
    """Serves any number of clients until a signal says to go."""
    for number in TO_GO:
        # uvicorn handles them first, then hands them on to whoever was there before: to nobody.
        signal.signal(number, lambda _number, _frame: None)
    most = most_connections()
    config = uvicorn.Config(
        app_of(server, address, token),
        http=Connection,
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=most + 1,
        # So many connections are accepted at a time: a burst must not use up the descriptors before there is room.
        backlog=most // 4,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    await uvicorn.Server(config).serve(sockets=[bound])


def app_of(server: Server[Any], address: Address, token: str) -> ASGIApp:
    """Returns the application: stateless, so that any replica can answer any request."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        transport_security=security_of(address),
        custom_starlette_routes=[Route(HEALTH, _health)],
    )
    return _Guarded(app, token)


def security_of(address: Address) -> TransportSecuritySettings:
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
    """Lets in who bears the token, and only with a POST: without sessions there is nothing to GET or DELETE."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" and scope["path"] != HEALTH else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if not is_bearer_of(self._token, scope["headers"]):
            said = {"error": "A bearer token is needed: Authorization: Bearer TOKEN."}
            return JSONResponse(said, 401, {"WWW-Authenticate": 'Bearer realm="readwell"'})
        if scope["path"] == PATH and scope["method"] != "POST":
            return Response(status_code=405, headers={"Allow": "POST"})
        return None
