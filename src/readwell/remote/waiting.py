"""Waiting for threads until the deadline of a call."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TypeVar

from ..watch import Watch

SLICE_S = 0.1
"""How long a wait lasts before the call is checked."""

T = TypeVar("T")


def call_in_thread(function: Callable[[], T], watch: Watch) -> T:
    """Returns what a function returns or raises; leaves it to itself once the watch ends the call."""
    result: list[T] = []
    raised: list[BaseException] = []
    done = Event()

    def run() -> None:
        try:
            result.append(function())
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            raised.append(error)
        finally:
            done.set()

    Thread(target=run, daemon=True).start()
    while not done.wait(SLICE_S):
        watch.check()
    if raised:
        raise raised[0]
    return result[0]
