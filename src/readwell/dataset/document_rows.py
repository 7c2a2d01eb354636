"""Rows: a document, or each of its units, as the columns of a shard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypedDict

from ..corpus import Converted

By = Literal["document", "unit"]
CODE = "(x5c|ud[89a-f][0-9a-f]{2})"
"""What a backslash and this stand for in the name of a source: a backslash, or a byte that is no UTF-8."""
RETRIED = "WORKER_LOST"
"""The failure that says nothing of the document."""


class ShardRow(TypedDict):
    """A row of a shard; the columns in this order."""

    id: str
    text: str
    source: str
    sha256: str
    format: str
    unit: str
    units: int
    lines: int
    metadata: dict[str, str | int]
    error: dict[str, str | bool] | None
    version: str


def rows_of(converted: Converted, by: By) -> Iterator[ShardRow]:
    """Yields the row of a document, or with `unit` a row for each page, slide, sheet or chapter."""
    units = converted.units
    row = _document_row(converted, max(1, len(units)))
    if by == "document" or len(units) < 2:
        yield row
        return
    for unit in units:
        lines = unit.markdown.count("\n") + 1
        metadata = row["metadata"] | {"number": unit.number, "first_line": unit.first_line}
        whole = f"{converted.id}-{unit.number}"
        yield {**row, "id": whole, "text": unit.markdown, "lines": lines, "metadata": metadata}


def is_worth_another_try(converted: Converted) -> bool:
    """Says whether a document failed for a reason that may have passed, such as a deadline, though it was there."""
    error = converted.error
    return error is not None and error.retryable and (bool(converted.sha256) or error.code == RETRIED)


def _document_row(converted: Converted, units: int) -> ShardRow:
    source = escape_source_path(converted.source)
    error = converted.error
    return {
        "id": converted.id,
        "text": converted.text,
        "source": source,
        "sha256": converted.sha256,
        "format": converted.format,
        "unit": converted.unit,
        "units": 0 if error else units,
        "lines": converted.lines,
        "metadata": {"name": source.rpartition("/")[2], "size": converted.size, "number": 1, "first_line": 1},
        "error": error and {**error._asdict(), "message": escape_surrogates(error.message)},
        "version": converted.version,
    }


def escape_surrogates(text: str) -> str:
    r"""Returns a text that can be written as UTF-8: a byte of a name that is none is shown as `\udcff`."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def escape_source_path(path: str) -> str:
    r"""Returns a path as rows and the manifest write it, in UTF-8 and no two alike: `\udcff` as `\x5cudcff`."""
    return escape_surrogates(re.sub(rf"\\(?={CODE})", r"\\x5c", path) if "\\" in path else path)


def unescape_source_path(name: str) -> str:
    """Returns the path that `escape_source_path` has escaped."""
    return re.sub(rf"\\{CODE}", lambda match: chr(int(match[1][1:], 16)), name) if "\\" in name else name
