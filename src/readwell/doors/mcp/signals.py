"""Going when told to: an orderly end instead of a traceback."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

TO_GO = (signal.SIGINT, signal.SIGTERM)


@asynccontextmanager
async def until_told_to_go() -> AsyncGenerator[None]:
    """Ends what runs inside when a signal says so."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_await_signal, tasks.cancel_scope)
        yield
        tasks.cancel_scope.cancel()


async def _await_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(*TO_GO) as signals:
        async for _ in signals:
            scope.cancel()
            return


def leave(status: int) -> int:
    """Returns the status, or exits with it at once where a thread is stuck that Python would wait for."""
    main = threading.main_thread()
    if any(thread is not main and not thread.daemon for thread in threading.enumerate()):
        os._exit(status)
    return status
