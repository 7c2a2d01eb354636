"""What a worker holds in one process: a warm parent, started when needed, and a number of places for children."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

from ...installed import Places
from ...source import unreadable
from ...watch import Watch
from ..converters import Place
from .parent import Parent, ParentGone
from .wire import Wire

WAITING_S = 0.05


class Household:
    """A warm parent that is replaced when it dies, and places at its table; may be used from any thread."""

    def __init__(self, places: int, modules: Places) -> None:
        self._modules = modules
        # Both may be used by a conversion that is collected as garbage at any moment.
        self._lock = threading.RLock()
        self._places: SimpleQueue[None] = SimpleQueue()
        for _ in range(places):
            self._places.put(None)
        self._parent: Parent | None = None
        self._closed = False

    def take_place(self, watch: Watch) -> None:
        """Waits until one child more may run."""
        while True:
            watch.check()
            try:
                return self._places.get(timeout=WAITING_S)
            except Empty:
                continue

    def leave_place(self) -> None:
        """Makes room for another child."""
        self._places.put(None)

    def give(self, form: str, place: Place, seconds: float, document: int) -> tuple[Parent, Wire]:
        """Gives a job to the warm parent and returns the lines to it; raises ParentGone."""
        with self._lock:
            if self._closed:
                raise ValueError("the worker is closed")
            try:
                parent = self._parent = self._parent or Parent(self._modules)
                return parent, self._hand_over(parent, form, place, seconds, document)
            except OSError as error:
                raise unreadable(error) from error

    def _hand_over(self, parent: Parent, form: str, place: Place, seconds: float, document: int) -> Wire:
        wire = Wire()
        try:
            parent.give(form, place, seconds, (document, wire.far_answer.fileno(), wire.far_leash.fileno()))
        except BaseException as error:
            wire.drop()
            if isinstance(error, ParentGone):
                self.replace(parent)
            raise
        wire.let_go_of_far_ends()
        return wire

    def replace(self, parent: Parent) -> None:
        """Ends a warm parent that has died or does not answer; the next job starts another."""
        with self._lock:
            if self._parent is parent:
                self._parent = None
                parent.kill()

    def close(self) -> None:
        """Ends everything for good."""
        with self._lock:
            self._closed = True
            parent, self._parent = self._parent, None
            if parent is not None:
                parent.end()

    def forget(self) -> None:
        """Lets go of everything without ending it: it belongs to the process that this one was forked from."""
        if self._parent is not None:
            self._parent.forget()
