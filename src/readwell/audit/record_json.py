"""Audit records as JSON, written out by hand: an encoder takes three times as long, and each read is recorded."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted  # pyright: ignore - in C, where there is one
from typing import TYPE_CHECKING

from .record import FoundLines, Record

if TYPE_CHECKING:
    from ..model import ReadResult, Reply


def has_no_rare_fields(result: ReadResult, reply: Reply) -> bool:
    """Whether a read has none of the rare fields: it shows whole lines of a text, of which all are counted."""
    window = result.window
    return bool(
        result.part is None
        and result.outline is None
        and not result.block
        and not result.unchanged
        and reply.picture is None
        and window.lines
        and window.column <= 1
        and window.total is not None
    )


def json_fields_of_read(
    time: str,
    dialect: str,
    path: str | None,
    tool: str,
    caller: str | None,
    result: ReadResult,
    size: int,
    ms: float,
    tokens: int,
) -> str:
    """Returns what `json_fields_of` returns for the record of an ordinary read."""
    window = result.window
    named = "" if caller is None else f', "caller": {_quoted(caller)}'
    revision = "" if result.revision is None else f', "revision": "{result.revision}"'
    return (
        f'"time": "{time}", "dialect": "{dialect}", "path": {"null" if path is None else _quoted(path)}, '
        f'"opened": {_quoted(result.real)}, "range": [{window.start}, {window.end}], "bytes": {size}, '
        f'"verdict": "read", "rule": null, "ms": {ms}, "tokens": {tokens}, "tool": "{tool}"{named}, '
        f'"kind": "{result.kind}"{revision}, "total": {window.total}'
    )


def json_fields_of(record: Record) -> str:
    """Returns the fields of a record as JSON, without braces; those that came later only where they have a value."""
    time, dialect, path, opened, lines, size, verdict, rule, ms, *_ = record
    tool, caller, kind, view, total, pages, page_total, revision, tokens, column, found, region, pages_cut = record[9:]
    shown = f"[{lines[0]}, {lines[1]}]" if lines else "null"
    line = (
        f'"time": "{time}", "dialect": "{dialect}", "path": {"null" if path is None else _quoted(path)}, '
        f'"opened": {"null" if opened is None else _quoted(opened)}, "range": {shown}, "bytes": {size}, '
        f'"verdict": "{verdict}", "rule": {"null" if rule is None else _quoted(rule)}, "ms": {ms}, "tokens": {tokens}'
    )
    if tool is not None:
        line += f', "tool": "{tool}"'
    if caller is not None:
        line += f', "caller": {_quoted(caller)}'
    if kind is not None:
        line += f', "kind": "{kind}"'
    if revision is not None:
        line += f', "revision": {_quoted(revision)}'
    if total is not None:
        line += f', "total": {total}'
    if view is None and column is None and pages is None and found is None and region is None:
        return line
    return line + _rare_fields(view, column, pages, page_total, found, region, pages_cut)


def _rare_fields(
    view: str | None,
    column: int | None,
    pages: tuple[int, int] | None,
    page_total: int | None,
    found: tuple[FoundLines, ...] | None,
    region: tuple[int, int, int, int] | None,
    pages_cut: bool,
) -> str:
    parts: list[str] = []
    if view is not None:
        parts.append(f', "view": "{view}"')
    if column is not None:
        parts.append(f', "column": {column}')
    if pages is not None and page_total is not None:
        parts.append(f', "pages": [{pages[0]}, {pages[1]}], "page_total": {page_total}')
    if pages_cut:
        parts.append(', "pages_cut": true')
    if region is not None:
        parts.append(f', "region": {[*region]}')
    if found is not None:
        parts.append(_found_json_field(found))
    return "".join(parts)


def _found_json_field(files: tuple[FoundLines, ...]) -> str:
    from json import dumps

    return f', "found": {dumps([_fields_with_value(each) for each in files])}'


def _fields_with_value(found: FoundLines) -> dict[str, object]:
    """Returns the fields of a file that a search showed, those without a value left out."""
    return {name: value for name, value in found._asdict().items() if value is not None}
