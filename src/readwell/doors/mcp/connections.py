"""Connections that keep nobody out: a request has so long to arrive, and slow connections are closed first."""

from __future__ import annotations

import asyncio
import resource
import select
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL_S = 10.0
"""How long a client may take from its first byte, or from connecting, to the last byte of its request."""
READING_S = 1.0
"""How long the server may then take to read what has already arrived."""
MOST_CONNECTIONS = 512
OWING = (h11.IDLE, h11.SEND_BODY)


def most_connections() -> int:
    """Returns how many connections may be open: few enough to leave descriptors for files."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, limit // 2)


class Connection(H11Protocol):
    """A connection of uvicorn's that is closed when its request comes too late, and earlier where it is crowded."""

    late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Waits for a request; where there are too many connections, the one that would be closed first goes now."""
        super().connection_made(transport)
        self.late = self.loop.call_later(ARRIVAL_S, self._too_late)
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Takes in a piece of a request, and watches the clock until all of it is there."""
        super().data_received(data)
        if self.conn.their_state not in OWING:
            self._is_in_time()
        elif self.late is None:
            self.late = self.loop.call_later(ARRIVAL_S, self._too_late)

    def timeout_keep_alive_handler(self) -> None:
        """Closes an idle connection, unless its next request is there to be read."""
        if not self._has_arrivals():
            super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._is_in_time()
        super().connection_lost(exc)

    def _too_late(self) -> None:
        """Closes the connection; if more of the request has arrived, only after a moment to read it."""
        if self._has_arrivals():
            self.late = self.loop.call_later(READING_S, self.transport.abort)
        else:
            self.transport.abort()

    def _has_arrivals(self) -> bool:
        """Whether bytes wait to be read.

        After the process was stopped, its timers are the first thing that runs: the client may have been in time.
        A connection that was reset is closed already, and its timer still runs.
        """
        descriptor = self.transport.get_extra_info("socket").fileno()
        if descriptor < 0:
            return False
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        return bool(waiting.poll(0))

    def _is_in_time(self) -> None:
        if self.late:
            self.late.cancel()
            self.late = None

    def _make_room(self) -> None:
        waiting = [each for each in cast("set[Connection]", self.connections) if each.is_waiting]
        if waiting:
            first = min(waiting, key=Connection.due)
            self.connections.discard(first)
            first.transport.abort()

    @property
    def is_waiting(self) -> bool:
        """Whether the client is to do something; it is not while it is served."""
        return bool(self.late or self.timeout_keep_alive_task)

    def due(self) -> float:
        """Returns when the connection will be closed unless its client does something."""
        timer: asyncio.TimerHandle | None = self.late or self.timeout_keep_alive_task
        return timer.when() if timer else float("inf")
