"""HTTP connections with a time limit for each request; at the connection limit, slow connections are closed first.

Only documented interfaces of uvicorn are used: a connection is an `asyncio.Protocol` around uvicorn's protocol, and an
ASGI wrapper around the application notes when a request has arrived and when it has been answered.
"""

from __future__ import annotations

import asyncio
import resource
import select
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_TIMEOUT_S = 10.0
"""Time for a request to arrive whole, from connecting or from its first byte."""
IDLE_TIMEOUT_S = 5.0
"""Time that a connection is kept open between a response and the next request."""
STALLED_TIMEOUT_S = 30.0
"""Time in which a client must take something of a response that it reads slowly."""
GRACE_S = 1.0
"""Time for the server to read data that arrived before a timeout."""
MAX_CONNECTIONS = 512


def connection_limit() -> int:
    """Returns how many connections may be open: at most half the file descriptors of the process."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if limit == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, limit // 2)


class OpenConnections:
    """The open connections of a server, by client address."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: dict[object, Connection] = {}

    def add(self, client: object, connection: Connection) -> None:
        """Adds a connection; above the limit, closes the waiting one whose timeout is next."""
        self._open[client] = connection
        if len(self._open) > self.limit:
            waiting = {key: each.expires for key, each in self._open.items() if each.expires is not None}
            if waiting:
                self._open.pop(min(waiting, key=waiting.__getitem__)).abort()

    def remove(self, client: object) -> None:
        """Removes a connection."""
        self._open.pop(client, None)

    def wrap_with_timeouts(self, app: ASGIApp) -> ASGIApp:
        """Returns the application, wrapped to set the timeouts of its connections."""

        async def app_with_timeouts(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ()))
            if connection is None:
                return await app(scope, receive, send)

            async def receive_whole() -> Message:
                message = await receive()
                if message["type"] == "http.request" and not message.get("more_body"):
                    connection.set_timeout(None)
                return message

            try:
                return await app(scope, receive_whole, send)
            finally:
                connection.set_timeout(IDLE_TIMEOUT_S)

        return app_with_timeouts


class Connection(asyncio.Protocol):
    """A uvicorn connection that is closed when its request takes too long to arrive, or earlier at the limit."""

    def __init__(self, connections: OpenConnections, **options: Any) -> None:
        self._connections, self._served = connections, H11Protocol(**options)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._idle, self._last_received = False, 0.0
        self._unsent, self._last_taken = 0, 0.0

    @property
    def expires(self) -> float | None:
        """Loop time at which the connection times out; None while its request is served."""
        return self._timer.when() if self._timer else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the timeout for the first request."""
        self._transport = transport
        self._client = tuple(transport.get_extra_info("peername") or ())[:2]
        self._served.connection_made(transport)
        self.set_timeout(REQUEST_TIMEOUT_S)
        self._connections.add(self._client, self)

    def data_received(self, data: bytes) -> None:
        """Passes data on; the first data of a request starts its timeout."""
        self._last_received = self._loop.time()
        if self._idle:
            self.set_timeout(REQUEST_TIMEOUT_S)
        self._served.data_received(data)

    def eof_received(self) -> bool | None:
        """Passes the event on to uvicorn: the client sends no more."""
        return self._served.eof_received()

    def pause_writing(self) -> None:
        """Passes the event on to uvicorn: the client reads slowly."""
        self._served.pause_writing()

    def resume_writing(self) -> None:
        """Passes the event on to uvicorn: the client has read."""
        self._served.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Stops the timeout and removes the connection.

        uvicorn cancels its own keep-alive timer only if the connection ended without an error. After a reset, the timer
        would hold the connection in memory until it fires, and here it never does, so uvicorn is not told of errors.
        """
        self.set_timeout(None)
        self._connections.remove(self._client)
        self._served.connection_lost(None)

    def set_timeout(self, seconds: float | None) -> None:
        """Starts the timeout for the client's next action; None while the server has to act."""
        if self._timer:
            self._timer.cancel()
        open_still = seconds is not None and not self._transport.is_closing()
        self._timer = self._loop.call_later(seconds, self._time_out) if open_still and seconds else None
        self._idle = seconds == IDLE_TIMEOUT_S

    def abort(self) -> None:
        """Closes the connection at once."""
        self._transport.abort()

    def _time_out(self) -> None:
        """Closes the connection; if data has just arrived, only after a moment to read it.

        When a suspended process resumes, timers run first, although the client may have sent its request in time. While
        a client still reads its response, it is not waited for.
        """
        if self._is_response_being_taken():
            self._timer = self._loop.call_later(IDLE_TIMEOUT_S, self._time_out)
        elif self._has_unread_data() or self._loop.time() - self._last_received < GRACE_S:
            self._timer = self._loop.call_later(GRACE_S, self.abort)
        else:
            self.abort()

    def _is_response_being_taken(self) -> bool:
        """Returns whether a part of a response is still to be sent, and the client has taken some of it lately."""
        unsent = self._transport.get_write_buffer_size()
        if unsent != self._unsent:
            self._unsent, self._last_taken = unsent, self._loop.time()
        return unsent > 0 and self._loop.time() - self._last_taken < STALLED_TIMEOUT_S

    def _has_unread_data(self) -> bool:
        """Returns whether the socket has data to read."""
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(poll.poll(0))
