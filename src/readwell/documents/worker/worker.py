"""The worker: the one way in for whoever wants a document converted."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from functools import partial
from typing import Self

from ...cage import Cage
from ...errors import ConversionFailed, Unreadable
from ...installed import Places
from ...watch import Watch
from ..converters import Place, everywhere, place_of
from .conversion import Conversion
from .frames import MOST_UNITS, Order
from .household import Household
from .parent import Parent, ParentGone

LONGEST_JOB_S = 3600.0
TRIES = 2
EVERYTHING = range(1, MOST_UNITS + 1)


class Worker:
    """Converts documents in processes of their own, several at once; may be used from any thread.

    `converters` maps formats to an application's own converters, as `module:object`; they and what
    they need are imported from `places`. Processes are started on first
    use, in a forked process anew, and end with `close`, with the worker, or with the process that uses it.
    """

    def __init__(
        self,
        converters: Mapping[str, str] | None = None,
        cage: Cage | None = None,
        at_once: int = 0,
        places: Places | None = None,
    ) -> None:
        self._places = places or everywhere()
        self._converters, self._cage = dict(converters or {}), cage or Cage()
        self._at_once = at_once or 2 * (os.cpu_count() or 1)
        self._by_process: dict[int, Household] = {}
        weakref.finalize(self, _end_ours, self._by_process)

    def convert(
        self,
        descriptor: int,
        form: str,
        watch: Watch,
        wanted: range = EVERYTHING,
        size: int | None = None,
        digest: str | None = None,
        password: str | None = None,
        prepared: bytes = b"",
    ) -> Conversion:
        """Opens a document of a format and returns it as soon as its head is known; raises a ReadError.

        `wanted` are the units to convert, one after the other; those that do not exist are left out. `size` and
        `digest` say which content is meant: ChangedWhileReading is raised where the descriptor holds another.
        `prepared` is that of an earlier head for the same content. The descriptor may be closed afterwards.
        """
        if wanted.step != 1:
            raise ValueError("units are converted one after the other")
        place = place_of(form, self._converters, self._places)
        order = Order(
            format=form,
            first=max(1, wanted.start),
            end=wanted.stop,
            size=size,
            digest=digest,
            password=password,
            **self._cage._asdict(),
        )
        for _ in range(TRIES):
            try:
                return self._begin(descriptor, place, order, prepared, watch)
            except ParentGone:
                continue
            except OSError as error:  # no more descriptors or processes
                raise Unreadable(error.errno or 0, error.strerror or "") from error
        raise ConversionFailed.by_machine(form, "the process that runs the parsers does not start or ends at once")

    def _begin(self, descriptor: int, place: Place, order: Order, prepared: bytes, watch: Watch) -> Conversion:
        household = self._household()
        household.take_place(watch)
        try:
            seconds = max(0.0, min(watch.expires - watch.clock(), LONGEST_JOB_S))
            parent, wire = household.give(order.format, place, seconds, descriptor)
        except BaseException:
            household.leave_place()
            raise
        conversion = Conversion(wire, order, watch, partial(self._ended, household, parent))
        try:
            conversion.start(prepared)
        except ParentGone:
            household.replace(parent)
            raise
        return conversion

    def _ended(self, household: Household, parent: Parent, alive: bool) -> None:
        """Takes back the place of a child; replaces a parent that has shown no sign of life."""
        if not alive:
            household.replace(parent)
        household.leave_place()

    def close(self) -> None:
        """Ends all processes for good; what is still being converted fails."""
        self._household().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _household(self) -> Household:
        """Returns what belongs to this process; what was inherited in a fork is left to those it belongs to."""
        mine = os.getpid()
        for process in [process for process in self._by_process if process != mine]:
            inherited = self._by_process.pop(process, None)
            if inherited is not None:
                inherited.forget()
        return self._by_process.setdefault(mine, Household(self._at_once, self._places))


def _end_ours(by_process: dict[int, Household]) -> None:
    ours = by_process.get(os.getpid())
    if ours is not None:
        ours.close()
