"""Finds children that sleep though they have work to do: a parser that waits for itself uses no processor time."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...named_tuple import NamedTuple
from ..contract import WORKING

LONGEST_SLEEP_S = 5.0
ASLEEP = b"S"
"""The state of a process that waits. One that gets no turn on a busy machine is ready to run, one at a disk is not
asleep in this sense."""
STATE, USER_TIME, SYSTEM_TIME, IGNORED_SIGNALS = 0, 11, 12, 30
"""Places in `/proc/<pid>/stat`, behind the name of the program."""


class Sleep(NamedTuple):
    """A child that was found asleep: the processor time it had used, and when that was first seen."""

    used: int
    since: float


class SleepingChildren:
    """Remembers which children are asleep; to be asked every second or so."""

    def __init__(self) -> None:
        self._asleep: dict[int, Sleep] = {}

    @property
    def asleep_count(self) -> int:
        """How many children were asleep when it was last asked."""
        return len(self._asleep)

    def find_overslept(self, children: Iterable[int], now: float) -> list[int]:
        """Returns the children at work that have slept for too long; none where the system does not tell."""
        asleep: dict[int, Sleep] = {}
        for child in children:
            used = _processor_time_if_asleep(child)
            if used is not None:
                before = self._asleep.get(child)
                asleep[child] = before if before and before.used == used else Sleep(used, now)
        self._asleep = asleep
        return [child for child, sleep in asleep.items() if now - sleep.since >= LONGEST_SLEEP_S]


def _processor_time_if_asleep(child: int) -> int | None:
    """Returns the processor time of a child that is at work and asleep, in the kernel's ticks; None for any other."""
    try:
        stat = os.open(f"/proc/{child}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        fields = os.read(stat, 4096).rpartition(b") ")[2].split()
    finally:
        os.close(stat)
    if len(fields) <= IGNORED_SIGNALS or fields[STATE] != ASLEEP:
        return None
    working = int(fields[IGNORED_SIGNALS]) & 1 << (WORKING - 1)
    return int(fields[USER_TIME]) + int(fields[SYSTEM_TIME]) if working else None
