"""Where calls run: reads and conversions in two thread pools, each remote root in one of its own.

On stdio, where one client alone waits, small files are read in the event loop. The kind and size of a file are
known only once it is open. A call that finds more than its executor is meant for raises Deferred before anything is
read, and starts again in the next executor.
"""

from __future__ import annotations

from asyncio import Future, get_running_loop, wrap_future
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

import anyio

from ...errors import TooManyCalls
from ...model import Reply
from ...named_tuple import NamedTuple
from ...tool import Deferred
from ...toolspec import ToolSpec

if TYPE_CHECKING:
    from .request_admission import Visit

READS, CONVERSIONS, REMOTE = 32, 4, 16
MAX_LOOP_BYTES = 256 << 10
PROGRESS_INTERVAL_S = 0.2
MAX_LOOP_S = 0.02
"""How long a call may block the event loop before it is moved to a thread."""

SendProgress = Callable[[float, float | None, str], Awaitable[None]]
"""Sends a progress notification: (done, total if known, what is being done)."""


class FairSlots:
    """Slots that are shared fairly among clients: the one that has the fewest gets the next. Used by one event loop."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._held: Counter[object] = Counter()
        self._waiting: dict[object, deque[Future[None]]] = {}

    async def acquire(self, client: object) -> None:
        """Waits for a slot; clients take turns, the calls of one client keep their order."""
        if self._free > 0:
            self._free -= 1
            self._held[client] += 1
            return
        granted: Future[None] = get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(granted)
        try:
            await granted
        except BaseException:
            if granted.done() and not granted.cancelled():
                self.release(client)
            raise

    def release(self, client: object) -> None:
        """Gives a slot back; the waiting client that holds the fewest gets it."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        while self._waiting:
            chosen = min(self._waiting, key=self._held.__getitem__)
            queue = self._waiting.pop(chosen)
            granted = queue.popleft()
            if queue:
                self._waiting[chosen] = queue  # behind the others that hold as many
            if not granted.done():
                self._held[chosen] += 1
                return granted.set_result(None)
        self._free += 1
        return None

    def waiting_count(self) -> int:
        """Returns how many wait."""
        return sum(not granted.done() for queue in self._waiting.values() for granted in queue)


class FairThreadPool:
    """A thread pool whose threads are shared fairly among clients. Used by one event loop."""

    def __init__(self, threads: int, name: str) -> None:
        self._executor, self._slots = ThreadPoolExecutor(threads, name), FairSlots(threads)

    async def run(self, call: Callable[[], Reply], client: object = None) -> Reply:
        """Runs a call in a thread, as soon as one is free and it is the client's turn."""
        await self._slots.acquire(client)
        loop = get_running_loop()
        running = self._executor.submit(call)

        def release(_ended: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._slots.release, client)

        running.add_done_callback(release)
        return await wrap_future(running)

    def waiting_count(self) -> int:
        """Returns how many calls wait for a thread."""
        return self._slots.waiting_count()

    def close(self) -> None:
        """Shuts the pool down without waiting; running calls finish in the background."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class CallExecutors(NamedTuple):
    """A thread pool for reads, one for conversions, one for each remote root; further calls wait in their queues."""

    reads: FairThreadPool
    conversions: FairThreadPool
    small_reads_in_loop: bool
    """Whether small files are read in the event loop itself."""
    remote: dict[int, FairThreadPool]
    """The pools of remote roots by number: a store that is slow makes only its own callers wait."""

    async def reply(
        self,
        spec: ToolSpec,
        params: object,
        send_progress: SendProgress | None,
        caller: str | None = None,
        visit: Visit | None = None,
    ) -> Reply:
        """Runs a call and reports its progress; if the caller cancels, the call ends at its next check."""
        cancelled, progress = Event(), _LatestProgress()
        call = partial(spec.call, params, on_progress=progress.update if send_progress else None, caller=caller)
        try:
            if send_progress is None:
                return await self._run(call, cancelled.is_set, visit)
            async with progress.send_while_running(send_progress):
                return await self._run(call, cancelled.is_set, visit)
        except TooManyCalls as refusal:
            return spec.refuse(params, refusal, caller)
        finally:
            cancelled.set()

    def close(self) -> None:
        """Shuts the pools down without waiting; running calls finish in the background."""
        for pool in self._pools():
            pool.close()

    def waiting_count(self) -> int:
        """Returns how many calls wait for a thread."""
        return sum(pool.waiting_count() for pool in self._pools())

    def _pools(self) -> list[FairThreadPool]:
        return [self.reads, self.conversions, *self.remote.values()]

    async def _run(self, call: Callable[..., Reply], cancelled: Callable[[], bool], visit: Visit | None) -> Reply:
        pool, client = self.reads, visit and visit.client
        if self.small_reads_in_loop:
            try:
                return call(cancelled=_slow_call_check(), on_opened=_defer_large_files)
            except RemoteRootMet as root:
                pool = self._pool_of_root(root.number)
            except Deferred:
                pass
        try:
            return await self._run_in(pool, call, cancelled, client)
        except RemoteRootMet as root:
            return await self._run_in(self._pool_of_root(root.number), call, cancelled, client)
        except Deferred:
            async with visit.count_conversion() if visit else nullcontext():
                return await self.conversions.run(partial(call, cancelled=cancelled), client)

    def _run_in(
        self, pool: FairThreadPool, call: Callable[..., Reply], cancelled: Callable[[], bool], client: str | None
    ) -> Awaitable[Reply]:
        """Runs a call in a pool; in that of the local reads it ends where it finds something for another."""
        on_opened = _defer_to_other_pools if pool is self.reads else None
        return pool.run(partial(call, cancelled=cancelled, on_opened=on_opened), client)

    def _pool_of_root(self, number: int) -> FairThreadPool:
        if number not in self.remote:
            self.remote[number] = FairThreadPool(REMOTE, f"remote{number}")
        return self.remote[number]


class RemoteRootMet(Deferred):
    """Raised by a call that has met a path below a remote root."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def create_executors(small_reads_in_loop: bool) -> CallExecutors:
    """Creates the thread pools; `small_reads_in_loop` lets the event loop read small files itself."""
    return CallExecutors(FairThreadPool(READS, "read"), FairThreadPool(CONVERSIONS, "convert"), small_reads_in_loop, {})


def _slow_call_check() -> Callable[[], bool]:
    """Returns a check that defers a call that takes long to open its path: deep trees, long chains of links."""
    until = monotonic() + MAX_LOOP_S

    def check() -> bool:
        if monotonic() > until:
            raise Deferred
        return False

    return check


def _defer_large_files(kind: str, size_or_root: int) -> None:
    if kind == "remote":
        raise RemoteRootMet(size_or_root)
    if kind != "file" or size_or_root > MAX_LOOP_BYTES:
        raise Deferred


def _defer_to_other_pools(kind: str, size_or_root: int) -> None:
    if kind == "remote":
        raise RemoteRootMet(size_or_root)
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
    async def send_while_running(self, send_progress: SendProgress) -> AsyncGenerator[None]:
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
