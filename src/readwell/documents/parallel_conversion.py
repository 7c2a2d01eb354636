"""Converts the groups of a long document in several children at once, chunk by chunk; their order stays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Event

from ..deadline import Deadline
from .crash_tolerant_conversion import GROUP, CrashTolerantConversion
from .worker import Conversion

CHUNK = 16
"""Groups that one child converts: enough that opening the document again costs little."""
MAX_CHILDREN = 8
StartPart = Callable[[int, int, Deadline, bool], Conversion]
"""(number of the first unit, that after the last, deadline) -> the running conversion."""


def child_count_for(groups: int) -> int:
    """Returns how many children are worth their start: as many as there are cores, each with a chunk or more."""
    return min(MAX_CHILDREN, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, groups // CHUNK)


def convert_groups(
    groups: Sequence[int], children: int, start: StartPart, deadline: Deadline, keep: Callable[[int, list[str]], None]
) -> Iterator[tuple[int, list[str]]]:
    """Yields the units of groups in order; `keep` is called with each group as soon as a child has converted it."""
    stopped = Event()
    quiet = deadline._replace(on_progress=None, on_opened=None, cancelled=lambda: _is_cancelled(stopped, deadline))

    def convert_chunk(chunk: Sequence[int]) -> list[tuple[int, list[str]]]:
        end = chunk[-1] * GROUP + GROUP + 1
        running = CrashTolerantConversion(lambda first, recognise: start(first, end, quiet, recognise), chunk[0])
        groups_converted: list[tuple[int, list[str]]] = []
        try:
            for number in chunk:
                groups_converted.append((number, running.next_group()))
                keep(*groups_converted[-1])
        finally:
            running.close()
        return groups_converted

    with ThreadPoolExecutor(children) as pool:
        try:
            chunks = _chunks(groups)
            running: list[Future[list[tuple[int, list[str]]]]] = []
            running += [pool.submit(convert_chunk, chunk) for chunk in islice(chunks, children + 1)]
            while running:
                yield from running.pop(0).result()
                running += [pool.submit(convert_chunk, chunk) for chunk in islice(chunks, 1)]
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


def _is_cancelled(stopped: Event, deadline: Deadline) -> bool:
    """Says whether other chunks have failed or the call was cancelled."""
    return stopped.is_set() or bool(deadline.cancelled and deadline.cancelled())


def _chunks(groups: Sequence[int]) -> Iterator[list[int]]:
    """Yields runs of consecutive groups, of bounded length."""
    chunk: list[int] = []
    for number in groups:
        if chunk and (number != chunk[-1] + 1 or len(chunk) == CHUNK):
            yield chunk
            chunk = []
        chunk.append(number)
    if chunk:
        yield chunk
