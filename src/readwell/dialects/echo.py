"""A copy of what a caller sent that JSON and UTF-8 can carry, whatever it was."""

from __future__ import annotations

from math import isfinite
from typing import cast

from .params import LARGEST

DEEPEST = 64


def echo(value: object, depth: int = 0) -> object:
    """Returns a deep copy; what JSON cannot carry stands as its `ascii()` text."""
    match value:
        case None | bool():
            return value
        case str():
            return str(value) if _is_text(value) else ascii(value)
        case int():
            return int(value) if abs(value) <= LARGEST else hex(value)
        case float():
            return float(value) if isfinite(value) else ascii(value)
        case dict() if depth < DEEPEST:
            pairs = cast("dict[object, object]", value).items()
            return {_key(key): echo(item, depth + 1) for key, item in pairs}
        case list() | tuple() if depth < DEEPEST:
            return [echo(item, depth + 1) for item in cast("list[object]", value)]
        case _:
            return _as_ascii(value)


def _key(key: object) -> str:
    return key if isinstance(key, str) and _is_text(key) else _as_ascii(key)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_ascii(value: object) -> str:
    try:
        return ascii(value)
    except Exception:  # noqa: BLE001 - a foreign object's own repr may raise anything
        return object.__repr__(value)
