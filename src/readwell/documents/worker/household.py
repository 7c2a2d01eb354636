"""What a worker holds in one process: a warm parent, started when needed, and a number of places for children."""

from __future__ import annotations

import threading

from ...watch import Watch
from ..converters import Place
from .parent import Parent
from .wire import Wire

WAITING_S = 0.05


class Household:
    """A warm parent that is replaced when it dies, and places at its table; may be used from any thread."""

    def __init__(self, places: int) -> None:
        self._lock = threading.Lock()
        self._places = threading.Semaphore(places)
        self._parent: Parent | None = None
        self._closed = False

    def take_place(self, watch: Watch) -> None:
        """Waits until one child more may run."""
        while not self._places.acquire(timeout=WAITING_S):
            watch.check()

    def leave_place(self) -> None:
        """Makes room for another child."""
        self._places.release()

    def give(self, kind: str, place: Place, seconds: float, document: int) -> tuple[Parent, Wire]:
        """Gives a job to the warm parent and returns the lines to it; raises ParentGone."""
        with self._lock:
            if self._closed:
                raise ValueError("the worker is closed")
            parent = self._parent = self._parent or Parent()
            wire = Wire()
            try:
                parent.give(kind, place, seconds, (document, wire.far_answer.fileno(), wire.far_leash.fileno()))
            except BaseException:
                wire.end()
                self._end(parent)
                raise
            wire.let_go_of_far_ends()
            return parent, wire

    def replace(self, parent: Parent) -> None:
        """Ends a warm parent that has died or does not answer; the next job starts another."""
        with self._lock:
            self._end(parent)

    def close(self) -> None:
        """Ends everything for good."""
        with self._lock:
            self._closed = True
            if self._parent is not None:
                self._end(self._parent)

    def forget(self) -> None:
        """Lets go of everything without ending it: it belongs to the process that this one was forked from."""
        if self._parent is not None:
            self._parent.forget()

    def _end(self, parent: Parent) -> None:
        if self._parent is parent:
            self._parent = None
            parent.end()
