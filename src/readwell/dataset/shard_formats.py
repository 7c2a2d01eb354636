"""The formats of shards: JSON lines, and Parquet by arro3."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from ..named_tuple import NamedTuple
from .document_rows import RETRIED, ShardRow

MAGIC = b"PAR1"


class RowState(NamedTuple):
    """What a shard tells of the document of a row: enough to know whether it is done, as `SourceState` does."""

    source: str
    sha256: str
    version: str
    code: str
    """Of the error; empty where the document was converted."""
    again: bool
    """It failed for a reason that may have passed."""
    units: int
    """How many units the document has."""


class ShardFormat(NamedTuple):
    """How rows become a file, and what is read of it again."""

    suffix: str
    encode: Callable[[Sequence[ShardRow]], bytes]
    row_states: Callable[[bytes], Iterator[RowState]]
    """The states of all rows; raises ValueError for what is no shard."""
    without: Callable[[bytes, set[str]], bytes]
    """A shard without the rows of some sources; empty where no row is left. Raises ValueError for what is no shard."""


def json_line(row: ShardRow) -> bytes:
    """Returns a row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _encode_json_lines(rows: Sequence[ShardRow]) -> bytes:
    return b"".join(map(json_line, rows))


def _state_of_row(row: ShardRow) -> RowState:
    error = row["error"]
    again = bool(error and error["retryable"] and (row["sha256"] or error["code"] == RETRIED))
    code = str(error["code"]) if error else ""
    return RowState(row["source"], row["sha256"], row["version"], code=code, again=again, units=row["units"])


def _json_line_states(content: bytes) -> Iterator[RowState]:
    for line in content.splitlines():
        with _misfit_as_value_error():
            state = _state_of_row(json.loads(line))
        yield state


@contextmanager
def _misfit_as_value_error() -> Generator[None]:
    """Raises ValueError for JSON that is no row."""
    try:
        yield
    except (KeyError, TypeError) as error:
        raise ValueError("not a row") from error


def _json_lines_without(content: bytes, sources: set[str]) -> bytes:
    with _misfit_as_value_error():
        return b"".join(line for line in content.splitlines(keepends=True) if json.loads(line)["source"] not in sources)


def _import_parquet() -> tuple[Any, Any]:
    import arro3.core
    import arro3.io

    return arro3.core, arro3.io


def _encode_parquet(rows: Sequence[ShardRow]) -> bytes:
    core, io = _import_parquet()
    text, number, truth = core.DataType.string(), core.DataType.int64(), core.DataType.bool()

    def column(name: str, kind: Any) -> Any:
        return core.Array([row[name] for row in rows], type=kind)

    def struct(name: str, kinds: dict[str, Any]) -> Any:
        values: list[Any] = [row[name] for row in rows]
        fields = [core.Field(field, kind, nullable=True) for field, kind in kinds.items()]
        inside = [core.Array([each and each[field] for each in values], type=kind) for field, kind in kinds.items()]
        missing = core.Array([each is None for each in values], type=truth)
        return core.struct_array(inside, fields=fields, mask=missing)

    metadata = {"name": text, "size": number, "number": number, "first_line": number}
    columns = {
        **{name: column(name, text) for name in ("id", "text", "source", "sha256", "format", "unit")},
        **{name: column(name, number) for name in ("units", "lines")},
        "metadata": struct("metadata", metadata),
        "error": struct("error", {"code": text, "message": text, "retryable": truth}),
        "version": column("version", text),
    }
    file = BytesIO()
    io.write_parquet(core.Table.from_pydict(columns), file, compression="zstd(3)")
    return file.getvalue()


def _parse_parquet(content: bytes) -> Any:
    length = int.from_bytes(content[-8:-4], "little")
    if not content.startswith(MAGIC) or not content.endswith(MAGIC) or length + 12 > len(content):
        raise ValueError("not a Parquet file")
    try:
        return _import_parquet()[1].read_parquet(BytesIO(content)).read_all()
    except BaseException as error:
        # The reader panics at what is damaged, which is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError("a damaged Parquet file") from None


def _parquet_states(content: bytes) -> Iterator[RowState]:
    with _misfit_as_value_error():
        states = list(map(_state_of_row, _parquet_rows(content, ("source", "sha256", "version", "error", "units"))))
    yield from states


def _parquet_without(content: bytes, sources: set[str]) -> bytes:
    kept = [row for row in _parquet_rows(content, tuple(ShardRow.__annotations__)) if row["source"] not in sources]
    return _encode_parquet(kept) if kept else b""


def _parquet_rows(content: bytes, names: Sequence[str]) -> Iterator[Any]:
    """Yields the rows of a Parquet file with these columns; raises ValueError where it lacks one."""
    table = _parse_parquet(content)
    if missing := [name for name in names if name not in table.column_names]:
        raise ValueError(f"no column {missing[0]}")
    columns = [table.column(name).to_pylist() for name in names]
    for values in zip(*columns, strict=True):
        yield dict(zip(names, values, strict=True))


FORMATS = {
    "jsonl": ShardFormat("jsonl", _encode_json_lines, _json_line_states, _json_lines_without),
    "parquet": ShardFormat("parquet", _encode_parquet, _parquet_states, _parquet_without),
}
