"""CSV becomes a Markdown table: the delimiter is the one that splits the first lines alike."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from ..errors import ConversionFailed
from ..text.decode import text_encoding
from .contract import Converter
from .sheet import Cells, sheet_rows
from .whole import Whole

VERSION = "1"
DELIMITERS = ",;\t|"
SAMPLE = 20
HEAD = 1 << 16
"""Bytes by which the encoding is judged."""
MOST_FIELD = 1 << 20


def open_csv(content: bytes, password: str | None, prepared: bytes) -> Whole:  # noqa: ARG001
    """Opens a table."""
    return Whole("\n\n".join(sheet_rows(_rows(_text(content)))))


def _text(content: bytes) -> str:
    """Returns the characters, found by the same ladder as those of any other text."""
    found = text_encoding(content[:HEAD], len(content) <= HEAD)
    if found is None:
        raise ConversionFailed("csv", "it is no text")
    return content[found.bom :].decode(found.codec, "replace")


def _rows(text: str) -> Iterator[tuple[int, Cells]]:
    csv.field_size_limit(MOST_FIELD)
    delimiter = _delimiter(text)
    try:
        for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter), 1):
            yield number, {place: value.strip() for place, value in enumerate(row) if value.strip()}
    except csv.Error as error:
        raise ConversionFailed("csv", f"it cannot be split into fields: {error}") from error


def _delimiter(text: str) -> str:
    """Returns the delimiter that stands equally often in the first lines, the more often the better."""
    lines = [line for line in text[: 1 << 16].splitlines()[:SAMPLE] if line.strip()]
    counts = {sign: [line.count(sign) for line in lines] for sign in DELIMITERS}
    return max(DELIMITERS, key=lambda sign: (min(counts[sign], default=0), -len(set(counts[sign])), sum(counts[sign])))


def _sample() -> bytes:
    """Returns a table whose encoding must be guessed, so that all that guessing needs is loaded."""
    return "имя;размер\nпервый;1\nвторой;2\n".encode("cp1251") * 20


CSV = Converter("csv", VERSION, open_csv, _sample)
