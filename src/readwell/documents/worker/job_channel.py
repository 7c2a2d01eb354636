"""The caller's two connections to a job: the answer, shared with the child, and the leash, shared with the fork server.

Closing the leash, or dying while holding it, makes the fork server kill the child.
"""

from __future__ import annotations

import os
import select
import socket
import struct
from contextlib import suppress

from ...deadline import Deadline
from .wire_frames import HEADER, MAX_BODY, STATUS, InvalidFrame

SLICE_MS = 50
"""Longest wait before the deadline is checked again."""
LAST_WAIT_MS = 2000
"""How long to wait until the fork server confirms the end of a child."""
LATE_WAIT_MS = 100
"""The same for a caller whose deadline has passed."""


class JobChannel:
    """Two socket pairs; the remote ends are sent with the job and then closed here."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._received = bytearray()
        self._answer, self.remote_answer = socket.socketpair()
        self._leash, self.remote_leash = socket.socketpair()
        self._answer.setblocking(False)
        self._leash.setblocking(False)

    def close_remote_ends(self) -> None:
        """Closes our copies of the remote ends, so that we notice when their owners close theirs."""
        self.remote_answer.close()
        self.remote_leash.close()

    def send(self, content: bytes, deadline: Deadline) -> None:
        """Sends all of the content; raises EOFError where the child has closed its end."""
        left = memoryview(content)
        while left:
            _wait_until_ready(self._answer, select.POLLOUT, deadline)
            try:
                left = left[self._answer.send(left) :]
            except OSError:
                raise EOFError from None

    def receive(self, deadline: Deadline) -> tuple[bytes, bytes]:
        """Returns the kind and the body of the next frame; raises EOFError or InvalidFrame."""
        self._fill(HEADER.size, deadline)
        kind, length = HEADER.unpack_from(self._received)
        if length > MAX_BODY.get(kind, -1):
            raise InvalidFrame
        self._fill(HEADER.size + length, deadline)
        body = bytes(memoryview(self._received)[HEADER.size :])
        self._received.clear()
        return kind, body

    def _fill(self, count: int, deadline: Deadline) -> None:
        """Receives until so many bytes of a frame are buffered; they stay where the deadline ends the call."""
        while (missing := count - len(self._received)) > 0:
            _wait_until_ready(self._answer, select.POLLIN, deadline)
            try:
                more = self._answer.recv(min(missing, 1 << 20))
            except OSError:
                raise EOFError from None
            if not more:
                raise EOFError
            self._received += more

    def kill_and_read_status(self, deadline: Deadline) -> int | None:
        """Kills a child that has stopped answering and returns its wait status; None where the fork server has died."""
        self._release_leash()
        _wait_until_ready(self._leash, select.POLLIN, deadline)
        try:
            return STATUS.unpack(self._leash.recv(STATUS.size))[0]
        except (OSError, struct.error):
            return None

    def terminate(self, timeout_ms: int) -> bool:
        """Kills the child if it still runs; returns whether the fork server confirmed its end. May be called twice."""
        if self._leash.fileno() >= 0 and os.getpid() == self._owner:
            self._release_leash()
            return _is_ready(self._leash, select.POLLIN, timeout_ms)
        return True

    def close(self) -> None:
        """Closes all ends."""
        for connection in (self._answer, self._leash, self.remote_answer, self.remote_leash):
            connection.close()

    def _release_leash(self) -> None:
        """Shuts the leash down, also where a forked process has inherited this end."""
        with suppress(OSError):
            self._leash.shutdown(socket.SHUT_WR)


def _wait_until_ready(connection: socket.socket, event: int, deadline: Deadline) -> None:
    """Waits until a connection can be used; raises when the call is over."""
    deadline.check()
    while not _is_ready(connection, event, SLICE_MS):
        deadline.check()


def _is_ready(connection: socket.socket, event: int, timeout_ms: int) -> bool:
    """Says whether a connection can be used within a time."""
    waiting = select.poll()
    waiting.register(connection, event)
    return bool(waiting.poll(timeout_ms))
