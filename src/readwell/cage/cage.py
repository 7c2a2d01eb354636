"""Going into the cage: every bar the machine has, in the order in which each still can be set."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from .kernel import forbid_new_privileges
from .landlock import deny_all
from .limits import address_space, forbid_processes, limit
from .seccomp import allow_only_needed_calls


class Cage(NamedTuple):
    """What is locked away; memory is counted in bytes beyond those in use on entering."""

    memory: int = 1 << 30
    landlock: bool = True
    seccomp: bool = True


def enter(cage: Cage, seconds: int) -> None:
    """Locks this process in, for good: whatever it needs must be imported and opened before."""
    present = address_space()
    with suppress(OSError):
        forbid_new_privileges()
    if cage.landlock:
        deny_all()
    limit(cage.memory, present, seconds)
    if not (cage.seccomp and allow_only_needed_calls()):
        forbid_processes()
