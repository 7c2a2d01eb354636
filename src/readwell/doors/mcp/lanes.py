"""Where calls are worked on: reads and conversions in lanes of their own, so that neither waits for the other.

Whether a path is a document is known only once it is open. So every call starts as a read; one that comes to a
conversion is put off before it begins, and done anew in the other lane.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from threading import Event
from typing import NamedTuple

import anyio
from anyio.to_thread import run_sync

from ...model import Reply
from ...tool import ConversionPutOff
from ...toolspec import ToolSpec

READS, CONVERSIONS = 32, 4
TELL_EVERY_S = 0.2

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""Sends one notification: how far, of how much if that is known, at what."""


class Lanes(NamedTuple):
    """How many reads and how many conversions may be under way at a time; others wait their turn."""

    reads: anyio.CapacityLimiter
    conversions: anyio.CapacityLimiter

    async def reply(self, spec: ToolSpec, params: object, tell: Tell | None) -> Reply:
        """Works in a thread and tells how far it is; when the caller goes, the work ends at its next step."""
        gone, told = Event(), _Told()
        call = partial(spec.call, params, gone.is_set, told.note if tell else None)
        try:
            if tell is None:
                return await self._in_a_lane(call)
            async with told.passed_on_to(tell):
                return await self._in_a_lane(call)
        finally:
            gone.set()

    async def _in_a_lane(self, call: Callable[..., Reply]) -> Reply:
        try:
            return await run_sync(partial(call, converting=_put_off), abandon_on_cancel=True, limiter=self.reads)
        except ConversionPutOff:
            return await run_sync(call, abandon_on_cancel=True, limiter=self.conversions)


def open_lanes() -> Lanes:
    """Returns lanes of the usual width."""
    return Lanes(anyio.CapacityLimiter(READS), anyio.CapacityLimiter(CONVERSIONS))


def _put_off() -> None:
    raise ConversionPutOff


class _Told:
    """The latest word of the working thread, passed on now and then, and only when it is news."""

    def __init__(self) -> None:
        self._latest = (0, 0, "")

    def note(self, done: int, total: int, what: str) -> None:
        """Keeps what the working thread says, in place of what it said before."""
        self._latest = (done, total, what)

    @asynccontextmanager
    async def passed_on_to(self, tell: Tell) -> AsyncGenerator[None]:
        """Tells what is kept for as long as the work lasts."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._keep_telling, tell)
            yield
            tasks.cancel_scope.cancel()

    async def _keep_telling(self, tell: Tell) -> None:
        last = 0
        while True:
            await anyio.sleep(TELL_EVERY_S)
            done, total, what = self._latest
            if done > last:
                last = done
                await tell(done, total or None, what)
