"""Where calls run: small files in the event loop, other reads and conversions in two separate thread pools.

The kind and size of a file are known only once it is open. A call that finds more than its executor is meant for
raises Deferred before anything is read, and starts again in the next executor.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from threading import Event
from time import monotonic

import anyio

from ...model import Reply
from ...named_tuple import NamedTuple
from ...tool import Deferred
from ...toolspec import ToolSpec

READS, CONVERSIONS, REMOTE = 32, 4, 16
MAX_LOOP_BYTES = 256 << 10
PROGRESS_INTERVAL_S = 0.2
MAX_LOOP_S = 0.02
"""How long a call may block the event loop before it is moved to a thread."""

SendProgress = Callable[[float, float | None, str], Awaitable[None]]
"""Sends a progress notification: (done, total if known, what is being done)."""


class Pool:
    """A thread pool that knows how many calls wait for a thread. Used by one event loop."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads, self._executor = threads, ThreadPoolExecutor(threads, name)
        self._calls = 0

    async def run(self, call: Callable[[], Reply]) -> Reply:
        """Runs a call in a thread."""
        self._calls += 1
        try:
            return await get_running_loop().run_in_executor(self._executor, call)
        finally:
            self._calls -= 1

    def waiting(self) -> int:
        """Returns how many calls wait for a thread."""
        return max(0, self._calls - self._threads)

    def close(self) -> None:
        """Shuts the pool down without waiting; running calls finish in the background."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class CallExecutors(NamedTuple):
    """A thread pool for reads, one for conversions, one for each remote root; further calls wait in their queues."""

    reads: Pool
    conversions: Pool
    at_once: bool
    """Whether small files are read in the event loop itself."""
    remote: dict[int, Pool]
    """The pools of remote roots by number: a store that is slow makes only its own callers wait."""

    async def reply(
        self, spec: ToolSpec, params: object, send_progress: SendProgress | None, caller: str | None = None
    ) -> Reply:
        """Runs a call and reports its progress; if the caller cancels, the call ends at its next check."""
        cancelled, progress = Event(), _LatestProgress()
        call = partial(spec.call, params, on_progress=progress.update if send_progress else None, caller=caller)
        try:
            if send_progress is None:
                return await self._run(call, cancelled.is_set)
            async with progress.sent_with(send_progress):
                return await self._run(call, cancelled.is_set)
        finally:
            cancelled.set()

    def close(self) -> None:
        """Shuts the pools down without waiting; running calls finish in the background."""
        for pool in self._pools():
            pool.close()

    def waiting(self) -> int:
        """Returns how many calls wait for a thread."""
        return sum(pool.waiting() for pool in self._pools())

    def _pools(self) -> list[Pool]:
        return [self.reads, self.conversions, *self.remote.values()]

    async def _run(self, call: Callable[..., Reply], cancelled: Callable[[], bool]) -> Reply:
        pool = self.reads
        if self.at_once:
            try:
                return call(cancelled=_defer_slow_calls(), on_opened=_defer_large_files)
            except RemoteRoot as root:
                pool = self._of_root(root.number)
            except Deferred:
                pass
        try:
            return await self._run_in(pool, call, cancelled)
        except RemoteRoot as root:
            return await self._run_in(self._of_root(root.number), call, cancelled)
        except Deferred:
            return await self.conversions.run(partial(call, cancelled=cancelled))

    def _run_in(self, pool: Pool, call: Callable[..., Reply], cancelled: Callable[[], bool]) -> Awaitable[Reply]:
        """Runs a call in a pool; in that of the local reads it ends where it finds something for another."""
        on_opened = _defer_to_other_pools if pool is self.reads else None
        return pool.run(partial(call, cancelled=cancelled, on_opened=on_opened))

    def _of_root(self, number: int) -> Pool:
        if number not in self.remote:
            self.remote[number] = Pool(REMOTE, f"remote{number}")
        return self.remote[number]


class RemoteRoot(Deferred):
    """Raised by a call that has met a path below a remote root."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def create_executors(at_once: bool) -> CallExecutors:
    """Creates the thread pools; `at_once` lets the event loop read small files itself."""
    return CallExecutors(Pool(READS, "read"), Pool(CONVERSIONS, "convert"), at_once, {})


def _defer_slow_calls() -> Callable[[], bool]:
    """Returns a check that defers a call that takes long to open its path: deep trees, long chains of links."""
    until = monotonic() + MAX_LOOP_S

    def check() -> bool:
        if monotonic() > until:
            raise Deferred
        return False

    return check


def _defer_large_files(kind: str, size: int) -> None:
    if kind == "remote":
        raise RemoteRoot(size)
    if kind != "file" or size > MAX_LOOP_BYTES:
        raise Deferred


def _defer_to_other_pools(kind: str, size: int) -> None:
    if kind == "remote":
        raise RemoteRoot(size)
    if kind == "document":
        raise Deferred


class _LatestProgress:
    """The latest progress of a working thread, sent at intervals and only when it has advanced."""

    def __init__(self) -> None:
        self._latest = (0, 0, "")

    def update(self, done: int, total: int, what: str) -> None:
        """Replaces the progress; called by the working thread."""
        self._latest = (done, total, what)

    @asynccontextmanager
    async def sent_with(self, send_progress: SendProgress) -> AsyncGenerator[None]:
        """Sends the progress while the block runs."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._keep_sending, send_progress)
            yield
            tasks.cancel_scope.cancel()

    async def _keep_sending(self, send_progress: SendProgress) -> None:
        last = 0
        while True:
            await anyio.sleep(PROGRESS_INTERVAL_S)
            done, total, what = self._latest
            if done > last:
                last = done
                await send_progress(done, total or None, what)
