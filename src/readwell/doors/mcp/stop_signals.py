"""Stop signals: the server ends in order, with status 0 and without a traceback, whenever they arrive."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

import anyio

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
JOIN_TIMEOUT_S = 1.0


def exit_on_stop_signals() -> None:
    """Makes stop signals end the process with status 0; called before clients can connect."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda _number, _frame: os._exit(0))


@contextmanager
def stop_signals_handled_by(handle: Callable[[int], object]) -> Generator[None]:
    """Handles stop signals with `handle` inside the block.

    One handler directly replaces the other, so that no signal is lost in between.
    """
    before = {number: signal.signal(number, lambda number, _frame: handle(number)) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@asynccontextmanager
async def cancel_on_stop_signals() -> AsyncGenerator[anyio.CancelScope]:
    """Cancels the block on a stop signal; yields its cancel scope, so that others can cancel it, too."""
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as scope, stop_signals_handled_by(lambda _number: loop.call_soon_threadsafe(scope.cancel)):
        yield scope


def join_threads_or_exit(status: int) -> int:
    """Returns the exit status, or exits at once if a thread is stuck, for which Python would wait forever."""
    until = monotonic() + JOIN_TIMEOUT_S
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                os._exit(status)
    return status
