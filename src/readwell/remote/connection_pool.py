"""Connections to one server, a bounded number of them: no proxy, nothing that waits beyond the deadline of a call."""

from __future__ import annotations

import io
import ssl
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from select import POLLOUT, poll
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import Any, cast
from weakref import finalize

from ..deadline import Deadline
from ..fork_locks import renew_after_fork
from ..named_tuple import NamedTuple
from .deadline_threads import SLICE_S, AbandonableCalls
from .sockets import CONNECT_S, Endpoint, Socket, connect_to, tls_handshake

MOST = 8
"""Connections to one server at a time."""
IDLE_S = 15.0
"""How long a connection is kept for the next request."""


class StreamedResponse(NamedTuple):
    """The head of an answer, and its body, which may be read once."""

    status: int
    headers: dict[str, str]
    body: Callable[[memoryview], int]
    """Reads on into a buffer; returns how many bytes came, 0 at the end."""


Exchange = Callable[[str, bytes], StreamedResponse]
"""(method, request) -> the answer."""


class ConnectionPool:
    """The connections to one server. Safe to share between threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._context: ssl.SSLContext | None = None
        self._resolving = AbandonableCalls(MOST)
        self._idle: list[tuple[_Connection, float]] = []
        finalize(self, _close_all, self._idle).atexit = False  # for a pool that is dropped without being closed
        self._closed = False
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Drops the connections, which belong to the other process."""
        self._free, self._lock = BoundedSemaphore(MOST), Lock()
        self._close_idle()

    def close(self) -> None:
        """Closes the connections; those in use when their answers have come."""
        with self._lock:
            self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        """Closes the connections that nobody uses."""
        with self._lock:
            idle = self._idle.copy()
            self._idle.clear()
        _close_all(idle)

    @contextmanager
    def lease(self, deadline: Deadline) -> Generator[Exchange]:
        """Gives a connection to one request; waits for one until the deadline."""
        while not self._free.acquire(timeout=SLICE_S):
            deadline.check()
        try:
            lease = _Lease(self, deadline)
            try:
                yield lease.exchange
            finally:
                lease.end()
        finally:
            self._free.release()

    def take_idle(self) -> _Connection | None:
        """Returns a connection that was kept, or None."""
        with self._lock:
            while self._idle:
                connection, since = self._idle.pop()
                if monotonic() - since < IDLE_S and connection.is_reusable():
                    return connection
                connection.close()
        return None

    def put_idle(self, connection: _Connection) -> None:
        """Keeps a connection for the next request."""
        with self._lock:
            if not self._closed:
                self._idle.append((connection, monotonic()))
                return
        connection.close()

    def connect(self, deadline: Deadline) -> _Connection:
        """Returns a new connection; raises OSError where there is none."""
        plain = connect_to(self.endpoint, self._resolving, deadline)
        return _Connection(self._wrap_in_tls(plain, deadline) if self.endpoint.secure else plain)

    def _wrap_in_tls(self, plain: Socket, deadline: Deadline) -> Socket:
        """Returns a connection with TLS, its certificate verified."""
        with plain:  # it is empty once it is wrapped
            with self._lock:
                if self._context is None:
                    self._context = ssl.create_default_context()
            name = self.endpoint.host
            secured = self._context.wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)
        try:
            tls_handshake(secured, deadline)
        except BaseException:
            secured.close()
            raise
        return secured


class _Lease:
    """One connection for one request; a kept one that the server has closed meanwhile is replaced by a new one."""

    def __init__(self, pool: ConnectionPool, deadline: Deadline) -> None:
        self._pool, self._deadline = pool, deadline
        self._connection: _Connection | None = None
        self._answer: HTTPResponse | None = None

    def exchange(self, method: str, request: bytes) -> StreamedResponse:
        """Sends the request and returns the head of the answer."""
        kept = self._pool.take_idle()
        if kept:
            try:
                return self._exchange_on(kept, method, request)
            except (OSError, HTTPException):
                kept.close()
        return self._exchange_on(self._pool.connect(self._deadline), method, request)

    def _exchange_on(self, connection: _Connection, method: str, request: bytes) -> StreamedResponse:
        """Sends a request and returns the answer up to its body."""
        self._connection = connection
        self._answer = answer = connection.exchange(method, request, self._deadline)
        headers = {name.lower(): value.strip() for name, value in answer.getheaders()}
        return StreamedResponse(answer.status, headers, cast("Callable[[memoryview], int]", answer.readinto))

    def end(self) -> None:
        """Keeps the connection if its answer was read to the end, else closes it."""
        if self._connection is None:
            return
        answer = self._answer
        if answer is not None and answer.isclosed() and not answer.will_close:
            self._pool.put_idle(self._connection)
        else:
            self._connection.close()


def _close_all(connections: list[tuple[_Connection, float]]) -> None:
    """Closes connections that were kept."""
    for connection, _ in connections:
        connection.close()


class _Connection:
    """A connection; each wait for data is cut in slices, between which the call is checked."""

    def __init__(self, connected: Socket) -> None:
        self._socket = connected
        self._reader = _SocketReader(connected)
        self._buffered = io.BufferedReader(self._reader)

    def exchange(self, method: str, request: bytes, deadline: Deadline) -> HTTPResponse:
        """Sends a request and reads the head of the answer; raises OSError or HTTPException."""
        self._reader.deadline = deadline
        self._socket.settimeout(min(CONNECT_S, max(SLICE_S, deadline.expires - deadline.clock())))
        self._socket.sendall(request)
        self._socket.settimeout(SLICE_S)
        answer = HTTPResponse(cast("Socket", self), method=method)
        answer.begin()
        return answer

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Returns what HTTPResponse reads from; closing it does not close the connection."""
        return cast("io.BufferedReader", _NonClosingReader(self._buffered))

    def is_reusable(self) -> bool:
        """Whether the server has neither closed the connection nor sent anything unasked."""
        self._reader.deadline = None
        if self._buffered.peek(1):
            return False
        waiting = poll()
        waiting.register(self._socket.fileno())
        return all(not event & ~POLLOUT for _, event in waiting.poll(0))

    def close(self) -> None:
        """Closes the connection."""
        self._socket.close()


class _NonClosingReader:
    """A buffered reader that HTTPResponse may close at the end of an answer, while the connection goes on."""

    def __init__(self, buffered: Any) -> None:
        self.read, self.readline, self.readinto = buffered.read, buffered.readline, buffered.readinto
        self.read1, self.peek = buffered.read1, buffered.peek

    def flush(self) -> None:
        """Does nothing: the connection may be gone when an answer is collected."""

    def close(self) -> None:
        """Does nothing."""


class _SocketReader(io.RawIOBase):
    """Reads from a socket with a short timeout, until the deadline ends the call; without one there is nothing."""

    def __init__(self, connected: Socket) -> None:
        self._socket = connected
        self.deadline: Deadline | None = None

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview, /) -> int | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Returns how many bytes have arrived, once any have."""
        while self.deadline:
            self.deadline.check()
            with suppress(TimeoutError):
                return self._socket.recv_into(buffer)
        return None
