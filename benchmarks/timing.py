"""Interleaved measurements and their statistics: ratios of medians with intervals, spread, peak memory."""

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from console import progress, warn

Job = Callable[[], float]
"""Does its work once and returns the measured seconds."""

CONFIDENCE = 0.95
MIN_PAIRS = 15


class JobDropped(Exception):
    """Raised by a job that cannot go on; the others do."""


class Ratio(NamedTuple):
    """The ratio of two medians; `low` and `high` enclose it with the confidence that so many pairs allow."""

    value: float
    low: float
    high: float
    pairs: int

    @property
    def sure(self) -> bool:
        return self.pairs >= MIN_PAIRS


class Measured(Protocol):
    """A process that reports its peak memory."""

    def ask(self, **request: object) -> Mapping[str, object]: ...

    @property
    def peak(self) -> int: ...


def seconds_of(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def interleaved(jobs: Mapping[str, Job], rounds: int) -> dict[str, list[float]]:
    """Runs every job once per round, in random order; the first round does not count.

    The results of a dropped job are not returned.
    """
    remaining = dict(jobs)
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(rounds + 1):
        for name in random.sample(list(remaining), len(remaining)):
            progress(f"round {number} of {rounds}: {name}")
            try:
                taken = remaining[name]()
            except JobDropped as why:
                warn(f"DROPPED {name}: {why}")
                del remaining[name], times[name]
                continue
            if number:
                times[name].append(taken)
    return times


def ratio(of: Sequence[float], to: Sequence[float]) -> Ratio:
    """Compares two jobs of one interleaved run; the interval comes from the ratios within each round."""
    pairs = sorted(one / other for one, other in zip(of, to, strict=True))
    below = outside_each_end(len(pairs))
    value = statistics.median(of) / statistics.median(to)
    return Ratio(value, min(value, pairs[below]), max(value, pairs[-1 - below]), len(pairs))


def outside_each_end(pairs: int) -> int:
    """Returns the number of sorted values outside each end of the confidence interval of their median."""
    left_out, outside = 0, 2 * 0.5**pairs
    while outside + 2 * math.comb(pairs, left_out + 1) * 0.5**pairs <= 1 - CONFIDENCE:
        left_out += 1
        outside += 2 * math.comb(pairs, left_out) * 0.5**pairs
    return left_out


def spread(samples: Sequence[float]) -> float:
    """Returns the distance between the quartiles as a share of the median: the noise of the machine."""
    low, middle, high = statistics.quantiles(samples, n=4)
    return (high - low) / middle


def extra_peak(start: Callable[[], AbstractContextManager[Measured]], requests: Iterable[Mapping[str, object]]) -> int:
    """Returns the peak memory of a process that serves the requests, above one that only starts."""
    with start() as idle:
        least = idle.peak
    with start() as working:
        for request in requests:
            working.ask(**request)
        return max(0, working.peak - least)
