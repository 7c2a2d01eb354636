"""Going when told to: an orderly end instead of a traceback."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import monotonic

import anyio

TO_GO = (signal.SIGINT, signal.SIGTERM)
PATIENCE_S = 1.0


@asynccontextmanager
async def until_told_to_go() -> AsyncGenerator[anyio.CancelScope]:
    """Ends what runs inside when a signal says so, or whoever cancels the scope."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_await_signal, tasks.cancel_scope)
        yield tasks.cancel_scope
        tasks.cancel_scope.cancel()


async def _await_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(*TO_GO) as signals:
        async for _ in signals:
            scope.cancel()
            return


def leave(status: int) -> int:
    """Returns the status, or exits with it where a thread is stuck that Python would wait for without end."""
    until = monotonic() + PATIENCE_S
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                os._exit(status)
    return status
