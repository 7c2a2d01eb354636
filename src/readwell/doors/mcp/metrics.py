"""Metrics of a server in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

from ... import __version__
from ...errors import TooManyCalls
from ...model import Reply
from ...named_tuple import NamedTuple
from ...tool import Tool

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 60.0)
"""Upper bounds of the buckets of durations."""


class CallKind(NamedTuple):
    """What calls are counted by: the tool, its dialect, and `ok` or the error's class."""

    tool: str
    dialect: str
    outcome: str


class DurationHistogram:
    """A histogram of seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(SECONDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Counts one duration."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.sum += seconds


class Metrics:
    """Counts calls; used by the event loop alone."""

    def __init__(self, tools: Sequence[Tool], waiting_count: Callable[[], int]) -> None:
        """`tools` are asked for what they converted, `waiting_count` for the number of calls that wait for a thread."""
        self._tools, self._waiting_count = tools, waiting_count
        self._calls: Counter[CallKind] = Counter()
        self._durations: dict[str, DurationHistogram] = {}
        self._bytes: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._clients: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._in_flight = 0

    @contextmanager
    def call_in_flight(self) -> Generator[None]:
        """Counts a call as in flight inside the block."""
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1

    def count(self, tool: str, dialect: str, reply: Reply, seconds: float, client: str | None = None) -> None:
        """Counts a call that was answered; `client` is the name of its token."""
        self._calls[CallKind(tool, dialect, outcome_of(reply))] += 1
        self._durations.setdefault(tool, DurationHistogram()).add(seconds)
        self._bytes[tool] += len(reply.text.encode(errors="surrogatepass"))
        if client:
            self._clients[client] += 1
        if isinstance(reply.error, TooManyCalls):
            self._refused[reply.error.limit] += 1
        self._tokens[tool] += tokens_of(reply)

    def text(self) -> str:
        """Returns all metrics."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _metric("info", "gauge", "Version of the server.", [({"version": __version__}, 1)])
        calls = [(kind._asdict(), number) for kind, number in sorted(self._calls.items())]
        yield from _metric("calls_total", "counter", "Calls answered, by tool, dialect and outcome.", calls)
        yield from self._duration_histogram_lines()
        yield from _metric("reply_bytes_total", "counter", "Bytes of replies, by tool.", _samples_by_tool(self._bytes))
        tokens = _samples_by_tool(self._tokens)
        yield from _metric("reply_tokens_total", "counter", "Tokens of replies that count them, by tool.", tokens)
        clients = [({"client": client}, number) for client, number in sorted(self._clients.items())]
        yield from _metric("client_calls_total", "counter", "Calls answered, by the name of the token.", clients)
        refused = [({"limit": limit}, number) for limit, number in sorted(self._refused.items())]
        yield from _metric("calls_refused_total", "counter", "Calls refused, by the limit of the client.", refused)
        yield from _metric("calls_in_flight", "gauge", "Calls that are being answered.", [({}, self._in_flight)])
        yield from _metric("queue", "gauge", "Calls that wait for a thread.", [({}, self._waiting_count())])
        activity = [tool.activity() for tool in self._tools]
        conversions, running, hits, misses = map(sum, zip(*activity, strict=True)) if activity else (0, 0, 0, 0)
        yield from _metric("conversions_total", "counter", "Conversions of documents started.", [({}, conversions)])
        yield from _metric("workers", "gauge", "Documents that are being converted.", [({}, running)])
        yield from _metric("cache_hits_total", "counter", "Groups of pages found in the cache.", [({}, hits)])
        yield from _metric("cache_misses_total", "counter", "Groups of pages not found in the cache.", [({}, misses)])

    def _duration_histogram_lines(self) -> Iterator[str]:
        yield from _metric_head_lines("call_seconds", "histogram", "Duration of calls, by tool.")
        for tool, durations in sorted(self._durations.items()):
            below = 0
            for bound, number in zip((*SECONDS, "+Inf"), durations.counts, strict=True):
                below += number
                yield _sample_line("call_seconds_bucket", {"tool": tool, "le": str(bound)}, below)
            yield _sample_line("call_seconds_sum", {"tool": tool}, durations.sum)
            yield _sample_line("call_seconds_count", {"tool": tool}, below)


def outcome_of(reply: Reply) -> str:
    """Returns `ok`, or the class of the error."""
    return type(reply.error).__name__ if reply.error else "error" if reply.is_error else "ok"


def tokens_of(reply: Reply) -> int:
    """Returns the tokens of a reply; 0 where it does not count them."""
    tokens = reply.data.get("tokens")
    return tokens if isinstance(tokens, int) else 0


def _samples_by_tool(counts: Counter[str]) -> list[tuple[dict[str, str], float]]:
    return [({"tool": tool}, number) for tool, number in sorted(counts.items())]


def _metric(name: str, kind: str, about: str, samples: Iterable[tuple[dict[str, str], float]]) -> Iterator[str]:
    yield from _metric_head_lines(name, kind, about)
    for labels, value in samples:
        yield _sample_line(name, labels, value)


def _metric_head_lines(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP readwell_{name} {about}"
    yield f"# TYPE readwell_{name} {kind}"


def _sample_line(name: str, labels: dict[str, str], value: float) -> str:
    """Returns a line; the labels are names of tools, dialects, tokens and classes, which need no escaping."""
    inside = ",".join(f'{label}="{word}"' for label, word in labels.items())
    return f"readwell_{name}{{{inside}}} {value}" if inside else f"readwell_{name} {value}"
