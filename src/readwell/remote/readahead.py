"""Reading on: an object from some offset towards its end, in growing ranges, several of them under way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from threading import Event

from ..deadline import Deadline
from ..named_tuple import NamedTuple
from .deadline_threads import SLICE_S

FIRST, LARGEST = 1 << 20, 8 << 20
UNDER_WAY = 4

FetchRange = Callable[[int, int, Deadline], bytes]
"""(start, count, deadline) -> those bytes."""


class _Range(NamedTuple):
    """A range of an object that is being read."""

    start: int
    end: int
    content: Future[bytes]


class Readahead:
    """The bytes of an object in order; asked for other ones it starts again there."""

    def __init__(self, fetch: FetchRange, size: int, deadline: Deadline, executor: Executor) -> None:
        self._fetch, self._size, self._deadline, self._executor = fetch, size, deadline, executor
        self._ahead: deque[_Range] = deque()
        self._next, self._step = 0, FIRST
        self._given_up = Event()

    def holds(self, offset: int) -> bool:
        """Whether the range at an offset is under way."""
        return bool(self._ahead) and self._ahead[0].start <= offset < self._ahead[-1].end

    def bytes_from(self, offset: int) -> memoryview:
        """Returns bytes from an offset on, at least one of them."""
        if not self.holds(offset) and offset != self._next:
            self.close()
            self._next, self._step = offset, FIRST
        while self._ahead and offset >= self._ahead[0].end:
            self._ahead.popleft()
        self._request_ranges()
        current = self._ahead[0]
        content = self._wait_for(current.content)
        return memoryview(content)[offset - current.start :]

    def close(self) -> None:
        """Gives up what is under way."""
        self._given_up.set()
        for each in self._ahead:
            each.content.cancel()
        self._ahead.clear()
        self._given_up = Event()

    def _request_ranges(self) -> None:
        """Orders the next ranges, so that some are always under way."""
        # The first range is short and alone: whoever wants one line of it does not wait for many.
        most = 1 if self._step == FIRST else UNDER_WAY
        while len(self._ahead) < most and self._next < self._size:
            end = min(self._size, self._next + self._step)
            content = self._executor.submit(self._fetch, self._next, end - self._next, self._deadline_of_ranges())
            self._ahead.append(_Range(self._next, end, content))
            self._next, self._step = end, min(LARGEST, self._step * 2)

    def _deadline_of_ranges(self) -> Deadline:
        """Returns the deadline of a range that nobody may wait for any more."""
        given_up, cancelled = self._given_up, self._deadline.cancelled

        def ended() -> bool:
            return given_up.is_set() or (cancelled is not None and cancelled())

        return self._deadline._replace(on_progress=None, on_opened=None, cancelled=ended)

    def _wait_for(self, content: Future[bytes]) -> bytes:
        """Returns the content of a range, within the deadline."""
        while True:
            with suppress(NotYetError):
                return content.result(SLICE_S)
            self._deadline.check()
