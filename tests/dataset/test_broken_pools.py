"""A pool whose processes die in the middle of a run, with many documents under way."""

import contextlib
import os
import signal
import time

import pytest

from readwell.corpus import EngineLost, convert_many
from readwell.corpus.local_pool import LocalPool

DOCUMENTS = [(f"{number}.txt", b"words\n") for number in range(100)]
MANY = 30
"""Workers that a run counts with: three times as many batches are under way."""


class Struck(LocalPool):
    """A pool of two real processes that are killed before or after some of its submissions."""

    def __init__(self, *, before=(), after=()):
        super().__init__(2)
        self._before, self._after = before, after
        self.submitted = self.restarts = 0

    def submit(self, fn, /, *args, **kwargs):
        self.submitted += 1
        number = self.submitted
        if number in self._before:
            self.strike()
        future = super().submit(fn, *args, **kwargs)
        if number in self._after:
            self.strike()
        return future

    def restart(self):
        self.restarts += 1
        super().restart()

    def strike(self):
        """Kills the processes, and waits until the pool knows."""
        pool = self._pool
        if not pool._processes:
            pool.submit(os.getpid)
        for pid in list(pool._processes):
            with contextlib.suppress(ProcessLookupError):  # the pool ends the others when it sees the first die
                os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + 30
        while not pool._broken and time.monotonic() < until:
            time.sleep(0.01)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_crash_with_many_batches_under_way_costs_one_restart_and_no_row(when):
    with Struck(**{when: {3 * MANY - 2}}) as pool:
        found = list(convert_many(DOCUMENTS, executor=pool, workers=MANY))
    assert sorted(each.source for each in found) == sorted(name for name, _ in DOCUMENTS)
    assert {each.error for each in found} == {None}
    assert pool.restarts == 1


def test_a_pool_that_is_broken_again_at_once_is_restarted_again():
    with Struck(before={4, 5}) as pool:
        found = list(convert_many(DOCUMENTS[:8], executor=pool, workers=2))
    assert (len(found), {each.error for each in found}, pool.restarts) == (8, {None}, 2)


def test_a_pool_that_breaks_without_end_is_given_up():
    from readwell.corpus import convert_in_batches

    with Struck(before=range(1, 1000)) as pool, pytest.raises(EngineLost):
        pool.strike = lambda: setattr(pool._pool, "_broken", "a process died")
        list(convert_many(DOCUMENTS, executor=pool, workers=2))
    assert pool.restarts <= convert_in_batches.MAX_FAILED_IN_A_ROW
