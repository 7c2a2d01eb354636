"""Rows into shards, in the order of the sources, and rows of earlier runs out of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from time import monotonic

from ..corpus import Converted
from ..named_tuple import NamedTuple
from .document_rows import By, Row, is_worth_another_try, rows_of, source_name
from .manifest import SourceState
from .output_folder import DatasetError, OutFolder
from .shard_formats import ShardFormat

MAX_BYTES, MAX_SECONDS = 64 << 20, 10.0
"""A shard is closed at this size, or when its oldest row has waited so long."""
ROW_BYTES = 512
"""Roughly what a row takes beside its text."""
TICK_S = 0.5
PREFIX = "part-"


def entry_of(converted: Converted, shard: str) -> SourceState:
    """Returns what the manifest tells of a document."""
    code = converted.error.code if converted.error else ""
    return SourceState(
        converted.sha256,
        converted.stamp,
        shard,
        version=converted.version,
        code=code,
        again=is_worth_another_try(converted),
    )


class Arrived(NamedTuple):
    """A result and when it came."""

    at: float
    converted: Converted


class InOrder:
    """Hands on what comes in any order by its number."""

    def __init__(self, take: Callable[[Arrived], None]) -> None:
        self._take = take
        self._waiting: dict[int, Arrived] = {}
        self._overtaking: set[int] = set()
        self._next = 0

    def add(self, number: int, arrived: Arrived) -> None:
        """Hands on what comes next, or keeps it until then."""
        self._waiting[number] = arrived
        while self._next in self._waiting or self._next in self._overtaking:
            if self._next in self._waiting:
                self._take(self._waiting.pop(self._next))
            self._overtaking.discard(self._next)
            self._next += 1

    def waits_since(self) -> float | None:
        """Returns when the oldest came that waits for another; None where nothing waits."""
        return min((arrived.at for arrived in self._waiting.values()), default=None)

    def take_all(self) -> None:
        """Hands on everything that waits, in order; what they waited for comes later."""
        for number in sorted(self._waiting):
            self._take(self._waiting.pop(number))
            self._overtaking.add(number)


class ShardWriter:
    """Collects rows and writes them as shards."""

    def __init__(
        self,
        folder: OutFolder,
        shard_format: ShardFormat,
        by: By,
        max_bytes: int = MAX_BYTES,
        max_seconds: float = MAX_SECONDS,
    ) -> None:
        self._folder, self._format = folder, shard_format
        self._by: By = by
        self._max_bytes, self._max_seconds = max_bytes, max_seconds
        self._order = InOrder(self._take)
        self._rows: list[Row] = []
        self._converted: list[Converted] = []
        self._bytes = 0
        self._oldest: float | None = None
        self._ticked = monotonic()
        used = [int(name[len(PREFIX) : -len(shard_format.suffix) - 1]) for name in shard_names(folder, shard_format)]
        self._number = max(used, default=-1) + 1

    def add(self, number: int, converted: Converted) -> None:
        """Takes the result with this number."""
        self._order.add(number, Arrived(monotonic(), converted))
        self.tick()

    def tick(self) -> None:
        """Closes the shard if its time has come; rows that wait too long for one before them go without it."""
        now = monotonic()
        if now - self._ticked < TICK_S:
            return
        self._ticked = now
        waits_since = self._order.waits_since()
        if waits_since is not None and now - waits_since >= self._max_seconds:
            self._order.take_all()
        if self._oldest is not None and now - self._oldest >= self._max_seconds:
            self._close_shard()

    def close(self) -> None:
        """Writes all that is there."""
        self._order.take_all()
        self._close_shard()

    def _take(self, arrived: Arrived) -> None:
        converted = arrived.converted
        self._oldest = arrived.at if self._oldest is None else min(self._oldest, arrived.at)
        self._converted.append(converted)
        if not converted.unchanged:
            rows = list(rows_of(converted, self._by))
            self._rows += rows
            self._bytes += sum(len(row["text"]) + ROW_BYTES for row in rows)
        if self._bytes >= self._max_bytes:
            self._close_shard()

    def _close_shard(self) -> None:
        rows, converted = self._rows, self._converted
        self._rows, self._converted, self._bytes, self._oldest = [], [], 0, None
        if rows:
            # Old rows go first: a run that is killed between may have to convert again, but never doubles a row.
            drop_rows(self._folder, self._format, {row["source"] for row in rows})
            name = f"{PREFIX}{self._number:05d}.{self._format.suffix}"
            self._folder.write(name, self._format.encode(rows))
            self._number += 1
        else:
            name = ""
        if converted:
            states = [(source_name(each.source), self._entry(each, name)) for each in converted]
            last, state = states.pop()
            self._folder.record([*states, (last, state._replace(closes=name))])

    def _entry(self, converted: Converted, shard: str) -> SourceState:
        if not converted.unchanged:
            return entry_of(converted, shard)
        known = self._folder.entries[source_name(converted.source)]
        return known._replace(stamp=converted.stamp)


def shard_names(folder: OutFolder, shard_format: ShardFormat) -> list[str]:
    """Returns the names of the shards in a folder, in order."""
    return [
        name
        for name in folder.names()
        if name.startswith(PREFIX)
        and name.endswith(f".{shard_format.suffix}")
        and name[len(PREFIX) : -len(shard_format.suffix) - 1].isdecimal()
    ]


def drop_rows(folder: OutFolder, shard_format: ShardFormat, sources: Iterable[str]) -> None:
    """Removes the rows of some sources from the shards that have them; they are then not done."""
    entries = folder.entries
    stale = {source: entries[source].shard for source in sources if source in entries and entries[source].shard}
    if stale:
        folder.record((source, SourceState("", "", "", version="", drop=shard)) for source, shard in stale.items())
        finish_drops(folder, shard_format)


def finish_drops(folder: OutFolder, shard_format: ShardFormat) -> None:
    """Removes the rows that the manifest says must go, also those that an earlier run did not come to."""
    by_shard: defaultdict[str, set[str]] = defaultdict(set)
    for source, entry in folder.entries.items():
        if entry.drop:
            by_shard[entry.drop].add(source)
    names = set(shard_names(folder, shard_format))
    for shard, sources in by_shard.items():
        if shard in names:
            content = shard_format.without(folder.read(shard), sources)
            if content:
                folder.write(shard, content)
            else:
                folder.remove(shard)
        for source in sources:
            del folder.entries[source]


def adopt_shards(folder: OutFolder, shard_format: ShardFormat) -> int:
    """Believes the shards: enters rows that the manifest does not have, forgets those whose shard is gone.

    Returns how many rows the manifest did not have. Of two rows of one source the later stays.
    """
    names = shard_names(folder, shard_format)
    for source in [source for source, entry in folder.entries.items() if entry.shard and entry.shard not in names]:
        del folder.entries[source]
    adopted = 0
    for name in names:
        if name not in folder.closed:
            adopted += _adopt(folder, shard_format, name)
    return adopted


def _adopt(folder: OutFolder, shard_format: ShardFormat, name: str) -> int:
    try:
        keys = {key.source: key for key in shard_format.keys(folder.read(name))}
    except ValueError as error:
        message = f"{folder.path}/{name} is no shard of readwell ({error}): remove it, and continue with --resume"
        raise DatasetError(message) from error
    missing = [key for key in keys.values() if (known := folder.entries.get(key.source)) is None or known.shard != name]
    drop_rows(folder, shard_format, [key.source for key in missing])
    states = [
        (key.source, SourceState(key.sha256, "", name, version=key.version, code=key.code, again=key.again))
        for key in missing
    ]
    if states:
        last, state = states.pop()
        folder.record([*states, (last, state._replace(closes=name))])
    return len(missing)
