"""Calls functions that know no deadline in threads, and waits for them until the deadline of a call."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore, Event, Thread
from typing import TypeVar

from ..deadline import Deadline
from ..fork_locks import renew_after_fork

SLICE_S = 0.1
"""How long a wait lasts before the call is checked."""

T = TypeVar("T")


class AbandonableCalls:
    """Calls of code that knows no deadline, `most` at a time; one that hangs for ever keeps its place."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Frees all places: the threads are in the other process."""
        self._free = BoundedSemaphore(self._most)

    def call(self, function: Callable[[], T], deadline: Deadline) -> T:
        """Returns what a function returns or raises; leaves it to itself once the deadline ends the call."""
        free = self._free
        while not free.acquire(timeout=SLICE_S):
            deadline.check()
        result: list[T] = []
        raised: list[BaseException] = []
        done = Event()

        def run() -> None:
            try:
                result.append(function())
            except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
                raised.append(error)
            finally:
                free.release()
                done.set()

        Thread(target=run, daemon=True).start()
        while not done.wait(SLICE_S):
            deadline.check()
        if raised:
            raise raised[0]
        return result[0]
