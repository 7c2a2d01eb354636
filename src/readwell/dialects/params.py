"""Validation of a caller's params: whole numbers, paths, nulls."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InvalidRequest
from ..light_typing import cast

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255
MAX_DIGITS = 4299
LARGEST = 10**MAX_DIGITS
"""Larger numbers are taken as this one: Python prints none of more than 4300 digits."""
SMALLEST = -LARGEST


def as_mapping(params: object) -> Mapping[str, object]:
    """Returns the params if they are a mapping, else an empty one."""
    # Checking for dict first is fast; the abstract class runs Python code.
    return params if isinstance(params, (dict, Mapping)) else {}  # pyright: ignore - keys are looked at one by one


def whole_number(name: str, value: object) -> int:
    """Returns `12`, `12.0` or `" +12 "` as a number; refuses booleans, fractions and other words."""
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return value
    import re

    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]+\s*", value):
        value = _number_in(value.strip())
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidRequest(name, value, "a whole number")
    return max(SMALLEST, min(value, LARGEST))


def _number_in(written: str) -> int:
    """Returns a written number, within what any file can have."""
    digits = written.lstrip("+-").lstrip("0") or "0"
    size = int(digits) if len(digits) <= MAX_DIGITS else LARGEST
    return -size if written.startswith("-") else size


def number_or_default(params: Mapping[str, object], name: str, default: int) -> int:
    """Returns a whole number, or the default if it is missing, null or empty, as strict schemas send it."""
    value = params.get(name)
    return default if value is None or value == "" else whole_number(name, value)


def check_path(value: object) -> str:
    """Returns a path that a file system accepts: text without NUL, not too long; raises InvalidRequest."""
    if not isinstance(value, str) or "\0" in value or not _is_short(value):
        raise InvalidRequest("path", value, "text without NUL, of at most 4096 bytes, 255 in each part")
    return value


def _is_short(path: str) -> bool:
    """Says whether a path is within the limits of the system."""
    if len(path) <= MAX_NAME_BYTES and path.isascii():
        return True
    try:
        raw = path.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    return len(raw) <= MAX_PATH_BYTES and all(len(part) <= MAX_NAME_BYTES for part in raw.split(b"/"))


def path_as_written(params: object, *names: str) -> str:
    """Returns the path as the caller wrote it, for messages to quote; empty if there is none."""
    given = as_mapping(params)
    path = next((given[name] for name in names if given.get(name) is not None), "")
    return path if isinstance(path, str) else ""


def first_path_written(params: object, *names: str) -> object:
    """Returns the path as the caller wrote it, or the first of a list, also of one written as JSON; None without."""
    given = as_mapping(params)
    path = next((given[name] for name in names if given.get(name)), None)
    if isinstance(path, str) and path.lstrip().startswith("["):
        import json

        try:
            path = json.loads(path)
        except (ValueError, RecursionError):
            return path
    return next(iter(cast("list[object]", path)), None) if isinstance(path, (list, tuple)) else path
