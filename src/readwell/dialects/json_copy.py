"""A JSON-safe copy of any value that a caller sent."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import cast

from .params import LARGEST

MAX_DEPTH = 64
MAX_VALUES = 10_000
"""Values that are copied one by one; containers beyond are copied as text."""


def copy_for_json(value: object) -> object:
    """Returns a deep copy in which what JSON or UTF-8 cannot represent is replaced by its `ascii()` text."""
    return _copy(value, MAX_DEPTH, iter(range(MAX_VALUES)))


def _copy(value: object, depth: int, nodes: Iterator[int]) -> object:
    """Returns a copy that JSON can hold; what is too deep or too large is shown as text."""
    within = depth > 0 and next(nodes, None) is not None
    match value:
        case None | bool():
            return value
        case str():
            return str(value) if _is_encodable(value) else ascii(value)
        case int():
            return int(value) if abs(value) <= LARGEST else hex(value)
        case float():
            return float(value) if isfinite(value) else ascii(value)
        case dict() if within:
            pairs = cast("dict[object, object]", value).items()
            return {_key_text(key): _copy(item, depth - 1, nodes) for key, item in pairs}
        case list() | tuple() if within:
            return [_copy(item, depth - 1, nodes) for item in cast("list[object]", value)]
        case _:
            return _as_ascii(value)


def _key_text(key: object) -> str:
    """Returns the key of a copied mapping, always as text."""
    return key if isinstance(key, str) and _is_encodable(key) else _as_ascii(key)


def _is_encodable(value: str) -> bool:
    """Says whether a string can be encoded: it has no lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_ascii(value: object) -> str:
    """Returns the `ascii` of a value, or its default form where its own raises."""
    try:
        return ascii(value)
    except Exception:  # noqa: BLE001 - a foreign object's own repr may raise anything
        return object.__repr__(value)
