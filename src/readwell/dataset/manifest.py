"""The manifest: which sources are done, a line each; valid JSON once a run has ended, readable line by line before.

It is only ever appended to, so that a run which is killed leaves at most its last line incomplete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..named_tuple import NamedTuple

NAME = "manifest.json"
END = b"]}\n"


class SourceState(NamedTuple):
    """What the manifest tells of a source. Without a shard it is not done: its row must be dropped from `drop`."""

    sha256: str
    stamp: str
    shard: str
    version: str
    code: str = ""
    """Of the failure; empty where the document was converted."""
    again: bool = False
    """It failed for a reason that may have passed."""
    drop: str = ""
    """The shard that may still have its old row."""
    closes: str = ""
    """The shard whose last row this is: only then all of its rows are told."""
    size: int = 0
    """Bytes of that shard; 0: not known."""


class Manifest(NamedTuple):
    """The content of a manifest, as far as it can be read."""

    header: dict[str, Any] | None
    entries: dict[str, SourceState]
    closed: dict[str, int]
    """The shards of which all rows are told, and their sizes."""
    length: int
    """Bytes up to the end of the last whole line of a source: where the next one is appended."""


def head_line(header: Mapping[str, object]) -> bytes:
    """Returns the first line."""
    return json.dumps({**header, "sources": []}, ensure_ascii=False)[:-2].encode() + b"\n"


def entry_lines(entries: Iterable[tuple[str, SourceState]], is_first: bool) -> bytes:
    """Returns the lines of some sources."""
    lines: list[str] = []
    for source, entry in entries:
        facts = {"source": source} | {name: value for name, value in entry._asdict().items() if value}
        comma = "" if is_first and not lines else ","
        lines.append(f"{comma}{json.dumps(facts, ensure_ascii=False)}\n")
    return "".join(lines).encode()


def parse_manifest(content: bytes) -> Manifest:
    """Reads a manifest up to the first line that is not whole."""
    head, newline, rest = content.partition(b"\n")
    try:
        header = json.loads(head + END) if newline else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        return Manifest(None, {}, {}, 0)
    header.pop("sources", None)  # pyright: ignore[reportUnknownMemberType]
    entries: dict[str, SourceState] = {}
    closed: dict[str, int] = {}
    length = len(head) + 1
    for line in rest.splitlines(keepends=True):
        if not line.endswith(b"\n") or line == END:
            break
        try:
            facts: dict[str, Any] = json.loads(line.removeprefix(b","))
            source = facts.pop("source")
            state = SourceState(**{**EMPTY, **facts})
            texts, size = (source, *state[:-1]), state.size
            if not isinstance(size, int) or not all(isinstance(value, str | bool) for value in texts):  # pyright: ignore
                break
            entries[source] = state
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            break
        if state.closes:
            closed[state.closes] = size
        length += len(line)
    return Manifest(header, entries, closed, length)


EMPTY: dict[str, Any] = {"sha256": "", "stamp": "", "shard": "", "version": ""}
