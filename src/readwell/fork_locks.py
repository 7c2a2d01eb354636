"""Replaces locks in a forked process: one that another thread held at the fork would stay locked for ever."""

from __future__ import annotations

import os
from _weakrefset import WeakSet
from functools import cache

from .light_typing import Protocol


class Forkable(Protocol):
    """An object with a lock."""

    def after_fork(self) -> None:
        """Replaces the lock, and repairs what the thread that held it may have left incomplete."""
        ...


def renew_after_fork(owner: Forkable) -> None:
    """Registers an object whose `after_fork` is called in every process forked from this one."""
    _owners().add(owner)


@cache
def _owners() -> WeakSet[Forkable]:
    owners: WeakSet[Forkable] = WeakSet()

    def renew() -> None:
        for owner in list(owners):
            owner.after_fork()

    os.register_at_fork(after_in_child=renew)
    return owners
