"""Entering the cage: all restrictions that the machine supports, in an order in which each can still be set."""

from __future__ import annotations

from contextlib import suppress

from ..named_tuple import NamedTuple
from .landlock import deny_all
from .resource_limits import address_space_bytes, forbid_processes, limit_resources
from .seccomp import allow_only_needed_calls
from .system_calls import forbid_new_privileges


class Cage(NamedTuple):
    """The restrictions to set; `memory` is the bytes allowed beyond those in use on entering."""

    memory: int = 1 << 30
    landlock: bool = True
    seccomp: bool = True


def enter(cage: Cage, seconds: int) -> None:
    """Restricts this process for good, with `seconds` of processor time left; imports and opens must be done before."""
    in_use = address_space_bytes()
    with suppress(OSError):
        forbid_new_privileges()
    if cage.landlock:
        deny_all()
    limit_resources(cage.memory, in_use, seconds)
    if not (cage.seccomp and allow_only_needed_calls()):
        forbid_processes()
