"""The MCP server over HTTP, an ASGI application: `/mcp` checks token, host and size; pages for those who run it.

`/health` and `/ready` are for probes and need no token; `/metrics` needs it.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .http_callers import Callers
from .http_connections import Connection, OpenConnections, connection_limit
from .json_rpc_messages import InvalidMessage, parse_message
from .listen_address import BACKLOG, PATH, ListenAddress
from .metrics import CONTENT_TYPE, Metrics
from .readiness import Readiness
from .request_admission import CALLER, Gate
from .stop_signals import stop_signals_handled_by

if TYPE_CHECKING:
    from .ledger_endpoint import LedgerEndpoint
    from .live_report import LiveReport

HEALTH, READY, METRICS = "/health", "/ready", "/metrics"
MAX_BODY_BYTES = 256 << 10
DEFAULT_PORT = 80
NEVER_S = 1 << 20


async def serve_http(
    server: Server[Any],
    metrics: Metrics,
    bound: socket.socket,
    address: ListenAddress,
    gate: Gate,
    readiness: Readiness,
    grace_s: int,
    ledger: LiveReport | None = None,
    reload: Callable[[], None] | None = None,
) -> None:
    """Serves any number of clients until a stop signal; then calls have `grace_s` to end. SIGHUP calls `reload`."""
    if reload:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)
    limit = connection_limit()
    connections = OpenConnections(limit)
    pages = [
        Route(HEALTH, _health),
        Route(READY, partial(_ready, readiness)),
        Route(METRICS, partial(_metrics, metrics)),
    ]
    config = uvicorn.Config(
        connections.wrap_with_timeouts(make_app(server, address, gate, pages, ledger)),
        http=cast("type[asyncio.Protocol]", partial(Connection, connections)),
        timeout_keep_alive=NEVER_S,  # each connection has its own timeouts
        proxy_headers=False,  # connections are looked up by their real client address
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=limit + 1,
        # uvicorn accepts this many at a time: a burst must not use up descriptors before old connections are closed.
        backlog=limit // 4,
        server_header=False,
        timeout_graceful_shutdown=grace_s,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_no_cancelled_call)
    await _Server(config, readiness).serve(sockets=[bound])


def _is_no_cancelled_call(record: logging.LogRecord) -> bool:
    """Leaves out the traceback of each call that outlasts the grace; uvicorn says in a line how many they are."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, readiness: Readiness) -> None:
        super().__init__(config)
        self._readiness = readiness

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to accept connections; a burst of them waits in the kernel's queue, and is not told to try again."""
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(BACKLOG)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handles signals as uvicorn does, but does not raise them again afterwards, so the exit status is 0."""
        with stop_signals_handled_by(self._stop):
            yield

    def _stop(self, _number: int) -> None:
        """Stops accepting connections and waits for the calls in flight; the second signal ends the server at once."""
        self.force_exit = self.should_exit
        self.should_exit = self._readiness.is_draining = True


def make_app(
    server: Server[Any],
    address: ListenAddress,
    gate: Gate,
    pages: Sequence[Route] = (),
    ledger: LiveReport | None = None,
) -> ASGIApp:
    """Returns the ASGI application; it is stateless, so that any replica can answer any request."""
    allowed = transport_security_for(address)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=allowed,
        custom_starlette_routes=[*pages],
    )
    guarded = _Authorization(RequestBodyLimitMiddleware(_Admission(app, gate), MAX_BODY_BYTES), gate.callers)
    if ledger is None:
        return guarded
    from .ledger_endpoint import LedgerEndpoint

    return _with_ledger(guarded, LedgerEndpoint(ledger, gate.callers, allowed))


def _with_ledger(app: ASGIApp, pages: LedgerEndpoint) -> ASGIApp:
    """Returns the application with the pages of the ledger, which ask for the token in their own way."""

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["path"] in pages.paths
        await (pages if is_page else app)(scope, receive, send)

    return routed


def transport_security_for(address: ListenAddress) -> TransportSecuritySettings:
    """Returns the exact Host and Origin headers that requests may have."""
    own = ["127.0.0.1", "localhost", "[::1]"] if address.is_loopback else []
    hosts = [*own] if address.port == DEFAULT_PORT else []
    hosts += [f"{name}:{address.port}" for name in own]
    for name in address.names:
        hosts += [name] if _has_port(name) else [name, f"{name}:{address.port}"]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _has_port(name: str) -> bool:
    return ":" in name.rpartition("]")[2]


async def _health(_request: object) -> Response:
    return JSONResponse({"status": "ok"})


async def _ready(readiness: Readiness, _request: object) -> Response:
    problem = await readiness.find_problem()
    return JSONResponse({"status": problem or "ready"}, 503 if problem else 200)


async def _metrics(metrics: Metrics, _request: object) -> Response:
    return Response(metrics.text(), media_type=CONTENT_TYPE)


class _Authorization:
    """Middleware that requires the token, and a POST: without sessions there is nothing to GET or DELETE.

    Other paths answer 404, with or without a token: clients probe for OAuth registration endpoints, and a 401 there
    would send them into a login that does not exist.
    """

    def __init__(self, app: ASGIApp, callers: Callers) -> None:
        self._app, self._callers = app, callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        needs_token = scope["type"] == "http" and scope["path"] not in (HEALTH, READY)
        refusal = self._refusal(scope) if needs_token else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["path"].rstrip("/") not in (PATH, METRICS):
            return _refusal_response(404, f"There is nothing here: the server is at {PATH}.")
        caller = scope[CALLER] = self._callers.of_headers(scope["headers"])
        if caller is None:
            message = "A bearer token is needed: Authorization: Bearer TOKEN."
            return _refusal_response(401, message, {"WWW-Authenticate": 'Bearer realm="readwell"'})
        if scope["path"] == METRICS:
            return None
        if not caller.may_read:
            return _refusal_response(403, "This token may look at metrics only.")
        if scope["path"] != PATH or scope["method"] != "POST":
            return _refusal_response(405, f"Send a POST to {PATH}, without a slash at its end.", {"Allow": "POST"})
        return None


def _refusal_response(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": message}, status, headers)


class _Admission:
    """Middleware that lets a call in: its client's limits and turn, its visit, roots and tokens.

    An invalid message is answered here, with the same error as on stdio. The body comes in one piece, as the body
    limit in front of it has collected it. A client that disconnected before the end of its body gets no response.
    """

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            return await self._app(scope, receive, send)
        first = await receive()
        if first["type"] != "http.request" or first.get("more_body"):
            return None
        try:
            message = parse_message(first["body"])
        except InvalidMessage as invalid:
            response = invalid.response.model_dump(mode="json", exclude_none=True)
            return await JSONResponse({"id": None, **response}, 400)(scope, receive, send)

        replayed = iter([first])

        async def receive_again() -> Message:
            return next(replayed, None) or await receive()

        async with self._gate.visit(scope, getattr(message, "method", "")):
            return await self._app(scope, receive_again, send)
