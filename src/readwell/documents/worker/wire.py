"""The caller's two lines to a job: the child's answer, and the leash whose other end the warm parent holds."""

from __future__ import annotations

import os
import select
import socket
import struct
from contextlib import suppress

from ...watch import Watch
from .frames import HEADER, MOST, STATUS, Nonsense

SLICE_MS = 50
"""How long a wait lasts before the deadline is looked at again."""
LAST_WAIT_MS = 2000
"""How long the end of a child is waited for."""
LATE_WAIT_MS = 100
"""The same for a caller whose time is up."""


class Wire:
    """Two socket pairs; the far ends are handed over with the job and closed here."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._answer, self.far_answer = socket.socketpair()
        self._leash, self.far_leash = socket.socketpair()
        self._answer.setblocking(False)
        self._leash.setblocking(False)

    def let_go_of_far_ends(self) -> None:
        """Leaves the far ends to those they were handed to, so that their end is noticed."""
        self.far_answer.close()
        self.far_leash.close()

    def send(self, content: bytes, watch: Watch) -> None:
        """Sends everything; raises EOFError where the child has gone."""
        left = memoryview(content)
        while left:
            _wait(self._answer, select.POLLOUT, watch)
            try:
                left = left[self._answer.send(left) :]
            except OSError:
                raise EOFError from None

    def receive(self, watch: Watch) -> tuple[bytes, bytes]:
        """Returns the kind and the body of the next frame; raises EOFError or Nonsense."""
        kind, length = HEADER.unpack(self._take(HEADER.size, watch))
        if length > MOST.get(kind, -1):
            raise Nonsense
        return kind, self._take(length, watch)

    def _take(self, count: int, watch: Watch) -> bytes:
        found = bytearray()
        while len(found) < count:
            _wait(self._answer, select.POLLIN, watch)
            try:
                more = self._answer.recv(min(count - len(found), 1 << 20))
            except OSError:
                raise EOFError from None
            if not more:
                raise EOFError
            found += more
        return bytes(found)

    def status(self, watch: Watch) -> int | None:
        """Ends a child that has stopped answering and returns how it ended; None where its parent has gone, too."""
        self._hang_up()
        _wait(self._leash, select.POLLIN, watch)
        try:
            return STATUS.unpack(self._leash.recv(STATUS.size))[0]
        except (OSError, struct.error):
            return None

    def end(self, most_ms: int) -> bool:
        """Ends the child if it still runs, and says whether the warm parent confirmed it. May be called twice."""
        if self._leash.fileno() >= 0 and os.getpid() == self._owner:
            self._hang_up()
            return _ready(self._leash, select.POLLIN, most_ms)
        return True

    def drop(self) -> None:
        """Closes everything."""
        for line in (self._answer, self._leash, self.far_answer, self.far_leash):
            line.close()

    def _hang_up(self) -> None:
        """Lets go of the leash, whoever else has inherited this end of it."""
        with suppress(OSError):
            self._leash.shutdown(socket.SHUT_WR)


def _wait(line: socket.socket, event: int, watch: Watch) -> None:
    watch.check()
    while not _ready(line, event, SLICE_MS):
        watch.check()


def _ready(line: socket.socket, event: int, most_ms: int) -> bool:
    waiting = select.poll()
    waiting.register(line, event)
    return bool(waiting.poll(most_ms))
