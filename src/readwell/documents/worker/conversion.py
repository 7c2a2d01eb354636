"""One conversion as its caller sees it: the head, then unit after unit, and an end that leaves nothing behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Self

from ...errors import ConversionFailed, DeadlineExceeded, TooLarge
from ...watch import Watch
from .crossing import read_error
from .frames import (
    ERROR,
    HEAD,
    MOST_OUTPUT,
    ORDER,
    OUT_OF_MEMORY,
    PREPARED,
    UNIT,
    Head,
    Nonsense,
    Order,
    frame,
    pack_order,
    read_head,
    read_unit,
)
from .parent import ParentGone
from .wire import LAST_WAIT_MS, LATE_WAIT_MS, Wire

GAVE_UP = (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP)
"""How native code ends itself, mostly for want of memory."""
FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""How a machine short of memory, or whoever looks after it, ends a process."""


class Conversion:
    """An open document: its `head`, and an iterator over the Markdown of the wanted units.

    A context manager; leaving it early ends the child at once.
    """

    head: Head

    def __init__(self, wire: Wire, order: Order, watch: Watch, ended: Callable[[bool], None]) -> None:
        self._wire, self._order, self._watch, self._ended = wire, order, watch, ended
        self._room = MOST_OUTPUT
        self._left = 0
        self._closed = False

    def start(self, prepared: bytes) -> None:
        """Gives the child its order and waits for the head; raises ParentGone where there is nobody to give it to."""
        with self._ending_on_failure():
            with suppress(EOFError):  # the answer will tell
                self._wire.send(frame(ORDER, pack_order(self._order)) + frame(PREPARED, prepared), self._watch)
            self.head = read_head(self._expect(HEAD), self._expect(PREPARED))
        self._left = len(range(self._order.first, min(self._order.end, self.head.total + 1)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        """Returns the next unit; the iteration ends after the last one that was wanted and never before."""
        if self._closed or not self._left:
            self.close()
            raise StopIteration
        with self._ending_on_failure():
            try:
                unit = self._take_unit()
            except ParentGone:
                raise self._killed("the process that runs the parsers has ended") from None
        self._left -= 1
        with self._ending_on_failure():
            self._watch.tick(self.head.total - self._left, self.head.total, "convert")
        return unit

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child, if it still runs, and waits for its end; once time is up, somebody else does."""
        if self._closed:
            return
        self._closed = True
        if self._watch.clock() <= self._watch.expires or self._wire.end(LATE_WAIT_MS):
            self._see_the_end()
            return
        try:
            Thread(target=self._see_the_end, daemon=True).start()
        except RuntimeError:  # no thread can be started any more
            self._see_the_end()

    def _see_the_end(self) -> None:
        confirmed = self._wire.end(LAST_WAIT_MS)
        self._wire.drop()
        self._ended(confirmed or hasattr(self, "head"))

    @contextmanager
    def _ending_on_failure(self) -> Generator[None]:
        try:
            yield
        except Nonsense:
            self.close()
            raise self._failed("the parser sent what no parser sends") from None
        except BaseException:
            self.close()
            raise

    def _take_unit(self) -> str:
        unit = self._expect(UNIT)
        self._room -= len(unit)
        if self._room < 0:
            raise TooLarge(MOST_OUTPUT)
        return read_unit(unit)

    def _expect(self, wanted: bytes) -> bytes:
        try:
            kind, body = self._wire.receive(self._watch)
        except EOFError:
            raise self._death() from None
        if kind == ERROR:
            raise read_error(body, self._order.format)
        if kind != wanted:
            raise Nonsense
        return body

    def _death(self) -> Exception:
        """Returns what the child died of."""
        status = self._wire.status(self._watch)
        if status is None:
            return ParentGone()
        memory = f"it may use {self._order.memory >> 20} MiB"
        if not os.WIFSIGNALED(status):
            short = os.waitstatus_to_exitcode(status) == OUT_OF_MEMORY
            return self._failed(
                f"the parser ran out of memory: {memory}" if short else "the parser ended without an answer"
            )
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return DeadlineExceeded(self._watch.seconds)
        if number in FROM_OUTSIDE:
            return self._killed("the parser was killed")
        name = signal.strsignal(number) or str(number)
        return self._failed(f"the parser crashed ({name}" + (f"; {memory} of memory)" if number in GAVE_UP else ")"))

    def _failed(self, reason: str) -> ConversionFailed:
        return ConversionFailed(self._order.format, reason)

    def _killed(self, reason: str) -> ConversionFailed:
        """Returns the failure of a parser that was ended from outside."""
        return ConversionFailed.by_machine(self._order.format, reason)
