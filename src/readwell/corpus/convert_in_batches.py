"""`convert_many`: sends documents by the thousand in batches to an executor, and yields them as they are converted."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import ExitStack

from ..named_tuple import NamedTuple
from .conversion_options import Options
from .convert_one import DEFAULTS, Content, KnownVersion, lost_document
from .converted import Converted
from .engine_task import Batch, Outcome, Task, convert_batch, current_directory_or_empty
from .local_pool import LocalPool
from .process_tools import tool_for

BATCH_MS, MAX_BATCH = 400, 64
"""Documents travel together: about so many milliseconds of work, and at most so many of them."""
MAX_CONTENT = 16 << 20
"""Bytes of contents in one batch."""
TICK_S = 1.0
AHEAD = 3
"""Batches under way for each worker."""
ALONE_FROM, MAX_TRIES = 2, 4
"""After so many failed tries a document is converted while nothing else is; after so many it is given up."""
MAX_FAILED_IN_A_ROW = 64
"""Failures one after the other, without a result between them, before the engine is given up.

A pool that breaks loses all its batches at once; that is one failure."""

Given = str | os.PathLike[str] | tuple[str, Content]
"""A path, an address, or a name and a content."""


class EngineLost(Exception):
    """What runs the conversions is gone or takes no more work; the documents that are left have no row."""


def convert_many(
    sources: Iterable[Given],
    *,
    executor: Executor | None = None,
    options: Options = DEFAULTS,
    done: Mapping[str, str] | None = None,
    workers: int | None = None,
) -> Iterator[Converted]:
    """Yields each document as it is finished, in no order; a failed one is a row with `error`, never an exception.

    Args:
        sources: Paths, addresses, or pairs of a name and a content; drawn as they are needed.
        executor: Runs the conversions, such as Dask's `client.get_executor()`; None: processes of this machine.
        options: How to convert. ValueError is raised for invalid ones.
        done: SHA-256 of contents by source; a source that still has it is left out.
        workers: How many conversions the executor runs at once; by default as many as this machine has processors.
    """
    known = {source: KnownVersion(digest) for source, digest in (done or {}).items()}
    for numbered in numbered_outcomes(sources, executor, options, known, workers):
        if numbered and not numbered[1].unchanged:
            yield numbered[1]


def numbered_outcomes(
    sources: Iterable[Given],
    executor: Executor | None,
    options: Options,
    known: Mapping[str, KnownVersion],
    workers: int | None,
) -> Iterator[Outcome | None]:
    """Yields the number of each source and what became of it, as they are finished; raises EngineLost.

    While nothing is finished, it yields None about once a second.
    """
    tool_for(options, None)  # invalid options are told here, not by every document
    at_once = workers or os.cpu_count() or 1
    with ExitStack() as stack:
        if executor is None:
            executor = stack.enter_context(_local_pool(at_once))
        run = _BatchRunner(executor, options, at_once * AHEAD)
        stack.callback(run.cancel)
        yield from run.results(_tasks(sources, known, "" if options.roots else current_directory_or_empty()))


def _local_pool(workers: int) -> LocalPool:
    try:
        return LocalPool(workers)
    except OSError as error:
        raise EngineLost(_reason(error)) from error


def _tasks(sources: Iterable[Given], known: Mapping[str, KnownVersion], folder: str) -> Iterator[Task]:
    for number, given in enumerate(sources):
        if isinstance(given, tuple):
            yield Task(number, given[0], bytes(given[1]), known.get(given[0]))
        else:
            path = os.fspath(given)
            yield Task(number, path, None, known.get(path), folder)


class _Retry(NamedTuple):
    """A document to be tried again, and how often it was."""

    task: Task
    tries: int


class _RunningBatch(NamedTuple):
    """A batch under way: how often it was tried before, and the number of the pool that has it."""

    batch: Batch
    tries: int
    pool_number: int


class _BatchRunner:
    """Keeps an executor busy with batches, and tries again what it loses."""

    def __init__(self, executor: Executor, options: Options, most: int) -> None:
        self._executor, self._options, self._most = executor, options, most
        self._running: dict[Future[list[Outcome]], _RunningBatch] = {}
        self._pool_number = 0
        """How often the executor was restarted."""
        self._retries: deque[_Retry] = deque()
        self._mean_ms = float(BATCH_MS)
        self._failed_in_a_row = 0

    def results(self, tasks: Iterator[Task]) -> Iterator[Outcome | None]:
        """Yields the results of all tasks."""
        self._submit_batches(tasks)
        while self._running:
            finished, _ = wait(self._running, timeout=TICK_S, return_when=FIRST_COMPLETED)
            if not finished:
                yield None
            for future in finished:
                yield from self._take_outcomes(future, self._running.pop(future))
            self._submit_batches(tasks)

    def cancel(self) -> None:
        """Takes back what has not begun."""
        for future in self._running:
            future.cancel()

    def _take_outcomes(self, future: Future[list[Outcome]], running: _RunningBatch) -> Iterator[Outcome]:
        """Yields the outcomes of a batch that has ended; one that its engine lost is queued again, or given up."""
        failure = CancelledError() if future.cancelled() else future.exception()
        if failure is None:
            self._failed_in_a_row = 0
            outcomes = future.result()
            self._learn_mean_time(outcomes)
            yield from outcomes
            return
        # What an earlier pool lost is no news: that pool was replaced when its first failure was noticed.
        is_news = running.pool_number == self._pool_number or not isinstance(failure, BrokenExecutor | CancelledError)
        if is_news:
            self._handle_engine_failure(failure)
        tries = running.tries + (is_news or not future.cancelled())
        for task in running.batch:
            if tries < MAX_TRIES:
                self._retries.append(_Retry(task, tries))
            else:
                yield task.number, lost_document(task.source, _reason(failure))

    def _handle_engine_failure(self, failure: BaseException) -> None:
        """Replaces a pool that is broken; raises EngineLost where that cannot be, or nothing succeeds any more."""
        self._failed_in_a_row += 1
        restart = getattr(self._executor, "restart", None)
        is_broken = isinstance(failure, BrokenExecutor)
        if self._failed_in_a_row > MAX_FAILED_IN_A_ROW or (is_broken and restart is None):
            raise EngineLost(_reason(failure)) from failure
        if is_broken and restart:
            try:
                restart()
            except OSError as error:
                raise EngineLost(_reason(error)) from error
            self._pool_number += 1

    def _submit_batches(self, tasks: Iterator[Task]) -> None:
        """Submits batches, first those that were lost; one that was lost twice runs alone, so that it shows."""
        while len(self._running) < self._most:
            if any(running.tries >= ALONE_FROM for running in self._running.values()):
                return
            if self._retries:
                task, tries = self._retries[0]
                if tries >= ALONE_FROM and self._running:
                    return
                self._retries.popleft()
                self._submit((task,), tries)
            elif batch := self._next_batch(tasks):
                self._submit(batch, 0)
            else:
                return

    def _submit(self, batch: Batch, tries: int) -> None:
        while True:
            try:
                future = self._executor.submit(convert_batch, self._options, batch)
                break
            except BrokenExecutor as error:
                self._handle_engine_failure(error)
            except Exception as error:  # an engine may raise anything, such as OSError at the limit of processes
                raise EngineLost(_reason(error)) from error
        self._running[future] = _RunningBatch(batch, tries, self._pool_number)

    def _next_batch(self, tasks: Iterator[Task]) -> Batch:
        most = max(1, min(MAX_BATCH, round(BATCH_MS / max(self._mean_ms, 0.1))))
        batch: list[Task] = []
        held = 0
        for task in tasks:
            batch.append(task)
            held += len(task.content or b"")
            if len(batch) >= most or held >= MAX_CONTENT:
                break
        return tuple(batch)

    def _learn_mean_time(self, outcomes: list[Outcome]) -> None:
        """Learns how long documents take."""
        for _, converted in outcomes:
            self._mean_ms += 0.1 * (converted.ms - self._mean_ms)


def _reason(failure: BaseException) -> str:
    words = " ".join(str(failure).split())[:200].rstrip(".")
    return f"{type(failure).__name__}: {words}" if words else type(failure).__name__
