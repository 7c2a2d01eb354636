"""Waiting for a synchronous read without blocking an event loop."""

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


async def in_thread(work: Callable[[object, Callable[[], bool]], Answer], params: object) -> Answer:
    """Works in a thread; when the caller goes, the work is told and ends at its next step."""
    from asyncio import to_thread
    from threading import Event

    gone = Event()
    try:
        return await to_thread(work, params, gone.is_set)
    finally:
        gone.set()
