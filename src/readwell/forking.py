"""What a forked process must make new: a lock that another thread held at the fork stays locked there for ever."""

import os
from _weakrefset import WeakSet
from functools import cache
from typing import Protocol


class Forkable(Protocol):
    """Something that holds a lock."""

    def after_fork(self) -> None:
        """Makes the lock new, and mends what the thread that held it may have left half done."""
        ...


def renew_after_fork(owner: Forkable) -> None:
    """Has `after_fork` called in every process that is forked from this one while the owner lives."""
    _owners().add(owner)


@cache
def _owners() -> WeakSet[Forkable]:
    owners: WeakSet[Forkable] = WeakSet()

    def renew() -> None:
        for owner in list(owners):
            owner.after_fork()

    os.register_at_fork(after_in_child=renew)
    return owners
