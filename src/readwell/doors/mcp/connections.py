"""Connections that keep nobody out: a request has so long to arrive, and slow connections are closed first.

Nothing of uvicorn is asked but what it documents: a connection is an `asyncio.Protocol` around uvicorn's own, and the
application says, as ASGI has it, when a request is there and when it is answered.
"""

from __future__ import annotations

import asyncio
import resource
import select
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL_S = 10.0
"""How long a client may take from its first byte, or from connecting, to the last byte of its request."""
IDLE_S = 5.0
"""How long a connection is kept between an answer and the next request."""
READING_S = 1.0
"""How long the server may then take to read what has already arrived."""
MOST_CONNECTIONS = 512


def connection_limit() -> int:
    """Returns how many connections may be open: few enough to leave descriptors for files."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, limit // 2)


class OpenConnections:
    """All open connections of a server, by the addresses of their clients."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: dict[object, Connection] = {}

    def add(self, client: object, connection: Connection) -> None:
        """Takes in a connection; where there are too many, the one that would be closed first goes now."""
        self._open[client] = connection
        if len(self._open) > self.most:
            waiting = {key: each.due for key, each in self._open.items() if each.due is not None}
            if waiting:
                self._open.pop(min(waiting, key=waiting.__getitem__)).abort()

    def remove(self, client: object) -> None:
        """Forgets a connection."""
        self._open.pop(client, None)

    def watched(self, app: ASGIApp) -> ASGIApp:
        """Returns an application whose requests are noted with their connections."""

        async def watching(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ()))
            if connection is None:
                return await app(scope, receive, send)

            async def noted() -> Message:
                message = await receive()
                if message["type"] == "http.request" and not message.get("more_body"):
                    connection.wait(None)
                return message

            try:
                return await app(scope, noted, send)
            finally:
                connection.wait(IDLE_S)

        return watching


class Connection(asyncio.Protocol):
    """A connection of uvicorn's that is closed when its request comes too late, and earlier where it is crowded."""

    def __init__(self, crowd: OpenConnections, **given: Any) -> None:
        self._crowd, self._served = crowd, H11Protocol(**given)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._idle, self._heard = False, 0.0

    @property
    def due(self) -> float | None:
        """When it will be closed unless its client does something; None while it is served."""
        return self._timer.when() if self._timer else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Waits for a request."""
        self._transport = transport
        self._client = tuple(transport.get_extra_info("peername") or ())[:2]
        self._served.connection_made(transport)
        self.wait(ARRIVAL_S)
        self._crowd.add(self._client, self)

    def data_received(self, data: bytes) -> None:
        """Takes in a piece of a request: with its first one begins the time that it has."""
        self._heard = self._loop.time()
        if self._idle:
            self.wait(ARRIVAL_S)
        self._served.data_received(data)

    def eof_received(self) -> bool | None:
        """Hands on that the client sends no more."""
        return self._served.eof_received()

    def pause_writing(self) -> None:
        """Hands on that the client reads slowly."""
        self._served.pause_writing()

    def resume_writing(self) -> None:
        """Hands on that the client has read."""
        self._served.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self.wait(None)
        self._crowd.remove(self._client)
        self._served.connection_lost(exc)

    def wait(self, seconds: float | None) -> None:
        """Begins the time that the client has for what it is to do next; None: it is the server's turn."""
        if self._timer:
            self._timer.cancel()
        open_still = seconds is not None and not self._transport.is_closing()
        self._timer = self._loop.call_later(seconds, self._too_late) if open_still and seconds else None
        self._idle = seconds == IDLE_S

    def abort(self) -> None:
        """Closes the connection at once."""
        self._transport.abort()

    def _too_late(self) -> None:
        """Closes the connection; if more of the request has just arrived, only after a moment to take it in.

        After the process was stopped, the client may have been in time, and its timer is the first thing that runs.
        """
        if self._has_arrivals() or self._loop.time() - self._heard < READING_S:
            self._timer = self._loop.call_later(READING_S, self.abort)
        else:
            self.abort()

    def _has_arrivals(self) -> bool:
        """Whether bytes wait to be read."""
        waiting = select.poll()
        waiting.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(waiting.poll(0))
