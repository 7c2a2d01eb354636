"""Signals: an orderly end instead of a traceback, whenever they come."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

import anyio

TO_GO = (signal.SIGINT, signal.SIGTERM)
PATIENCE_S = 1.0


def exit_on_stop_signals() -> None:
    """Makes the signals end the process with status 0; to be called before clients can know of it."""
    for number in TO_GO:
        signal.signal(number, lambda _number, _frame: os._exit(0))


@contextmanager
def told_to_go(handle: Callable[[int], object]) -> Generator[None]:
    """Has the signals handled by `handle` for a while. One handler replaces the other, so that none gets lost."""
    before = {number: signal.signal(number, lambda number, _frame: handle(number)) for number in TO_GO}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@asynccontextmanager
async def cancel_on_stop_signals() -> AsyncGenerator[anyio.CancelScope]:
    """Ends what runs inside when a signal says so, or whoever cancels the scope."""
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as scope, told_to_go(lambda _number: loop.call_soon_threadsafe(scope.cancel)):
        yield scope


def leave(status: int) -> int:
    """Returns the status, or exits with it where a thread is stuck that Python would wait for without end."""
    until = monotonic() + PATIENCE_S
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                os._exit(status)
    return status
