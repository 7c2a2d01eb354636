"""Rows into shards, in the order of the sources, and rows of earlier runs out of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic

from ..corpus import Converted
from ..named_tuple import NamedTuple
from .document_rows import By, ShardRow, escape_source_path, is_worth_another_try, rows_of
from .manifest import SourceState
from .output_folder import DatasetError, OutputFolder
from .shard_formats import RowState, ShardFormat

MAX_BYTES, MAX_SECONDS = 64 << 20, 10.0
"""A shard is closed at this size, or when its oldest row has waited so long."""
ROW_BYTES = 512
"""Roughly what a row takes beside its text."""
TICK_S = 0.5
PREFIX = "part-"


def manifest_entry(converted: Converted, shard: str) -> SourceState:
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


class ArrivedResult(NamedTuple):
    """A result and when it came."""

    at: float
    converted: Converted


class ReorderBuffer:
    """Puts results that come in any order back into the order of their numbers, and releases them one by one."""

    def __init__(self, on_release: Callable[[ArrivedResult], None]) -> None:
        self._on_release = on_release
        self._waiting: dict[int, ArrivedResult] = {}
        self._overtaking: set[int] = set()
        self._next = 0

    def add(self, number: int, arrived: ArrivedResult) -> None:
        """Releases a result, and those that waited for it, or keeps it until it is the next."""
        self._waiting[number] = arrived
        while self._next in self._waiting or self._next in self._overtaking:
            if self._next in self._waiting:
                self._on_release(self._waiting.pop(self._next))
            self._overtaking.discard(self._next)
            self._next += 1

    def oldest_arrival(self) -> float | None:
        """Returns when the oldest came that waits for another; None where nothing waits."""
        return min((arrived.at for arrived in self._waiting.values()), default=None)

    def release_all(self) -> None:
        """Releases everything that waits, in order; what they waited for is released when it comes."""
        for number in sorted(self._waiting):
            self._on_release(self._waiting.pop(number))
            self._overtaking.add(number)


class ShardWriter:
    """Collects rows and writes them as shards."""

    def __init__(
        self,
        folder: OutputFolder,
        shard_format: ShardFormat,
        by: By,
        max_bytes: int = MAX_BYTES,
        max_seconds: float = MAX_SECONDS,
    ) -> None:
        self._folder, self._format = folder, shard_format
        self._by: By = by
        self._max_bytes, self._max_seconds = max_bytes, max_seconds
        self._order = ReorderBuffer(self._collect_rows)
        self._rows: list[ShardRow] = []
        self._converted: list[Converted] = []
        self._bytes = 0
        self._oldest: float | None = None
        self._ticked = monotonic()
        used = [int(name[len(PREFIX) : -len(shard_format.suffix) - 1]) for name in shard_names(folder, shard_format)]
        self._number = max(used, default=-1) + 1

    def add(self, number: int, converted: Converted) -> None:
        """Takes the result with this number."""
        self._order.add(number, ArrivedResult(monotonic(), converted))
        self.flush_if_overdue()

    def flush_if_overdue(self) -> None:
        """Closes the shard if its oldest row has waited too long; rows that wait for one before them go without it."""
        now = monotonic()
        if now - self._ticked < TICK_S:
            return
        self._ticked = now
        oldest_arrival = self._order.oldest_arrival()
        if oldest_arrival is not None and now - oldest_arrival >= self._max_seconds:
            self._order.release_all()
        if self._oldest is not None and now - self._oldest >= self._max_seconds:
            self._close_shard()

    def close(self) -> None:
        """Writes all that is there."""
        self._order.release_all()
        self._close_shard()

    def _collect_rows(self, arrived: ArrivedResult) -> None:
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
        size = 0
        if rows:
            # Old rows go first: a run that is killed between may have to convert again, but never doubles a row.
            drop_rows(self._folder, self._format, {row["source"] for row in rows})
            name = f"{PREFIX}{self._number:05d}.{self._format.suffix}"
            content = self._format.encode(rows)
            self._folder.write(name, content)
            size = len(content)
            self._number += 1
        else:
            name = ""
        if converted:
            states = [(escape_source_path(each.source), self._entry(each, name)) for each in converted]
            last, state = states.pop()
            self._folder.record([*states, (last, state._replace(closes=name, size=size))])

    def _entry(self, converted: Converted, shard: str) -> SourceState:
        if not converted.unchanged:
            return manifest_entry(converted, shard)
        known = self._folder.entries[escape_source_path(converted.source)]
        return known._replace(stamp=converted.stamp, closes="", size=0)


def shard_names(folder: OutputFolder, shard_format: ShardFormat) -> list[str]:
    """Returns the names of the shards in a folder, in order."""
    return [
        name
        for name in folder.entry_names()
        if name.startswith(PREFIX)
        and name.endswith(f".{shard_format.suffix}")
        and name[len(PREFIX) : -len(shard_format.suffix) - 1].isdecimal()
    ]


def drop_rows(folder: OutputFolder, shard_format: ShardFormat, sources: Iterable[str]) -> None:
    """Removes the rows of some sources from the shards that have them; they are then not done."""
    entries = folder.entries
    stale = {source: entries[source].shard for source in sources if source in entries and entries[source].shard}
    if stale:
        folder.record((source, SourceState("", "", "", version="", drop=shard)) for source, shard in stale.items())
        finish_drops(folder, shard_format)


def finish_drops(folder: OutputFolder, shard_format: ShardFormat) -> None:
    """Removes the rows that the manifest says must go, also those that an earlier run did not come to."""
    by_shard: defaultdict[str, set[str]] = defaultdict(set)
    kept: dict[str, str] = {}
    for source, entry in folder.entries.items():
        if entry.drop:
            by_shard[entry.drop].add(source)
        else:
            kept[entry.shard] = source
    names = set(shard_names(folder, shard_format))
    sizes: dict[str, int] = {}
    for shard, sources in by_shard.items():
        if shard in names:
            sizes[shard] = _rewrite_without(folder, shard_format, shard, sources)
        for source in sources:
            del folder.entries[source]
    _record_sizes(folder, {shard: (kept[shard], size) for shard, size in sizes.items() if shard in kept})


def _rewrite_without(folder: OutputFolder, shard_format: ShardFormat, shard: str, sources: set[str]) -> int:
    """Writes a shard again without the rows of some sources, and returns its size; without any row it is removed."""
    with _damage_as_dataset_error(folder, shard):
        content = shard_format.without(folder.read(shard), sources)
    if content:
        folder.write(shard, content)
    else:
        folder.remove(shard)
    return len(content)


def _record_sizes(folder: OutputFolder, shards: Mapping[str, tuple[str, int]]) -> None:
    """Tells the manifest the sizes of some shards, each in the line of one of its sources."""
    folder.record(
        (source, folder.entries[source]._replace(closes=shard, size=size))
        for shard, (source, size) in shards.items()
        if folder.closed.get(shard) != size
    )


@contextmanager
def _damage_as_dataset_error(folder: OutputFolder, shard: str) -> Generator[None]:
    """Turns what is wrong with the content of a shard into what a user can do about it."""
    try:
        yield
    except ValueError as error:
        what = f"{folder.path}/{shard} is damaged, or no shard of readwell ({error})"
        raise DatasetError(f"{what}: remove it, and its documents are converted again with --resume") from error


def adopt_shards(folder: OutputFolder, shard_format: ShardFormat) -> int:
    """Believes the shards: enters rows that the manifest does not have, forgets those that are gone.

    A shard of which the manifest tells all rows is looked into only where its size is another one.

    Returns how many rows the manifest did not have. Of two rows of one source the later stays.
    """
    names = shard_names(folder, shard_format)
    for source in [source for source, entry in folder.entries.items() if entry.shard and entry.shard not in names]:
        del folder.entries[source]
    adopted = 0
    for name in names:
        if name not in folder.closed or folder.closed[name] not in (0, folder.size(name)):
            adopted += _adopt_shard(folder, shard_format, name)
    return adopted


def _adopt_shard(folder: OutputFolder, shard_format: ShardFormat, name: str) -> int:
    with _damage_as_dataset_error(folder, name):
        rows = list(shard_format.row_states(folder.read(name)))
    states = {row.source: row for row in rows}
    missing = [
        row for row in states.values() if (known := folder.entries.get(row.source)) is None or known.shard != name
    ]
    drop_rows(folder, shard_format, [row.source for row in missing])
    folder.record(
        (row.source, SourceState(row.sha256, "", name, version=row.version, code=row.code, again=row.again))
        for row in missing
    )
    lost = _lost_sources(folder, name, rows)
    drop_rows(folder, shard_format, lost)
    if kept := states.keys() - lost:
        _record_sizes(folder, {name: (max(kept), folder.size(name))})
    elif not states:
        folder.remove(name)
    return len(missing)


def _lost_sources(folder: OutputFolder, shard: str, rows: Sequence[RowState]) -> set[str]:
    """Returns the sources that the manifest has in a shard where their rows, or some of them, are not."""
    counted = Counter(row.source for row in rows)
    by_unit = folder.header is not None and folder.header.get("by") == "unit"
    cut = {row.source for row in rows if by_unit and counted[row.source] < row.units}
    return cut | {source for source, entry in folder.entries.items() if entry.shard == shard and source not in counted}
