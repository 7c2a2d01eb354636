"""Where calls are worked on: small files at once, reads and conversions in executors that do not wait for each other.

What a path leads to is known only once it is open. So a call that comes upon more than its place is meant for is put
off before anything is read, and begun anew where it belongs.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Event
from time import monotonic
from typing import NamedTuple

import anyio

from ...model import Reply
from ...tool import Deferred
from ...toolspec import ToolSpec

READS, CONVERSIONS = 32, 4
SMALL = 256 << 10
TELL_EVERY_S = 0.2
AT_ONCE_S = 0.02
"""How long the event loop may be kept from others before what it works on goes to a thread."""

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""Sends one notification: how far, of how much if that is known, at what."""


class CallExecutors(NamedTuple):
    """Threads for reads and threads for conversions; further calls wait their turn."""

    reads: Executor
    conversions: Executor
    at_once: bool
    """Small files are read in the event loop itself."""

    async def reply(self, spec: ToolSpec, params: object, tell: Tell | None) -> Reply:
        """Works and tells how far it is; when the caller goes, the work ends at its next step."""
        gone, told = Event(), _Told()
        call = partial(spec.call, params, on_progress=told.note if tell else None)
        try:
            if tell is None:
                return await self._worked_on(call, gone.is_set)
            async with told.passed_on_to(tell):
                return await self._worked_on(call, gone.is_set)
        finally:
            gone.set()

    def close(self) -> None:
        """Lets the threads go, those that work as soon as they are done."""
        self.reads.shutdown(wait=False, cancel_futures=True)
        self.conversions.shutdown(wait=False, cancel_futures=True)

    async def _worked_on(self, call: Callable[..., Reply], gone: Callable[[], bool]) -> Reply:
        loop = get_running_loop()
        if self.at_once:
            with suppress(Deferred):
                return call(cancelled=_not_for_long(), on_opened=_small_files)
        with suppress(Deferred):
            return await loop.run_in_executor(self.reads, partial(call, cancelled=gone, on_opened=_no_documents))
        return await loop.run_in_executor(self.conversions, partial(call, cancelled=gone))


def create_executors(at_once: bool) -> CallExecutors:
    """Returns executors of the usual width."""
    return CallExecutors(ThreadPoolExecutor(READS, "read"), ThreadPoolExecutor(CONVERSIONS, "convert"), at_once)


def _not_for_long() -> Callable[[], bool]:
    """Returns what puts a call off that finds its way slowly: deep trees, long chains of links, wide folders."""
    until = monotonic() + AT_ONCE_S

    def look() -> bool:
        if monotonic() > until:
            raise Deferred
        return False

    return look


def _small_files(kind: str, size: int) -> None:
    if kind != "file" or size > SMALL:
        raise Deferred


def _no_documents(kind: str, _size: int) -> None:
    if kind == "document":
        raise Deferred


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
