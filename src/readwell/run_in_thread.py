"""Calling a synchronous read from asynchronous code, without blocking the event loop."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def run_in_thread(function: Callable[[object, Callable[[], bool]], Result], params: object) -> Result:
    """Calls `function(params, cancelled)` in a thread; if the awaiting task is cancelled, `cancelled()` is true."""
    from asyncio import to_thread
    from threading import Event

    cancelled = Event()
    try:
        return await to_thread(function, params, cancelled.is_set)
    finally:
        cancelled.set()
