"""Parses the file of `--tokens-file`, TOML with a table a name, into callers; a running server reads it again."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from math import inf
from typing import cast

from ...path_names import is_remote_root
from .bearer_token import MIN_LENGTH, is_token
from .http_callers import Caller, digest_of
from .landlock_reopening import fork_opener

FIELDS = {"token", "sha256", "roots", "expires"}
MAX_BYTES = 1 << 20
NAME = r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}"


class TokenFile:
    """A file of tokens; `read_callers` returns the callers that it names now.

    Made before the process restricts itself: a helper opens the file anew each time, so that it may be replaced by
    another one of the same name. `roots` are those of the server.
    """

    def __init__(self, path: str, roots: Sequence[str]) -> None:
        self._path, self._roots = path, roots
        self._open = fork_opener(os.path.abspath(path), _open_to_read)

    def read_callers(self) -> list[Caller]:
        """Returns the callers; raises ValueError if the file cannot be read or is invalid, also by being cut off."""
        try:
            descriptor = self._open("")
            with open(descriptor, "rb") as file:
                content = file.read(MAX_BYTES)
        except OSError as error:
            raise ValueError(f"the tokens cannot be read from {self._path!r}: {error}") from error
        try:
            return parse_callers(content.decode(), self._roots)
        except ValueError as error:
            raise ValueError(f"{self._path!r}: {error}") from error


def parse_callers(text: str, roots: Sequence[str]) -> list[Caller]:
    """Returns the callers that a file names, each in a table of its own; raises ValueError."""
    tables = tomllib.loads(text)
    callers = [_caller(name, table, roots) for name, table in tables.items()]
    if not callers:
        raise ValueError("there is no token in it")
    if len({caller.digest for caller in callers}) < len(callers):
        raise ValueError("two names have the same token")
    return callers


def _caller(name: str, table: object, roots: Sequence[str]) -> Caller:
    if not re.fullmatch(NAME, name):
        raise ValueError(f"{name!r} is no name: letters, digits, and . _ @ - behind the first, 64 at most")
    fields = cast("Mapping[str, object]", table if isinstance(table, dict) else {})
    if unknown := sorted(set(fields) - FIELDS):
        raise ValueError(f"{name}: unknown: {', '.join(unknown)}")
    return Caller(
        _digest(name, fields), name, _caller_roots(name, fields.get("roots"), roots), _expiry_time(name, fields)
    )


def _digest(name: str, fields: Mapping[str, object]) -> bytes:
    """Returns the hash of the token: of the one that is written, or as it is written itself."""
    token, digits = fields.get("token"), fields.get("sha256")
    if isinstance(token, str) and digits is None:
        if not is_token(token):
            raise ValueError(f"{name}: a token has at least {MIN_LENGTH} visible ASCII characters")
        return digest_of(token)
    if isinstance(digits, str) and token is None and re.fullmatch("[0-9a-fA-F]{64}", digits):
        return bytes.fromhex(digits)
    raise ValueError(f"{name} needs either a token, or its sha256 as 64 hexadecimal digits")


def _caller_roots(name: str, given: object, served: Sequence[str]) -> tuple[str, ...] | None:
    if given is None:
        return None
    listed = cast("list[object]", given if isinstance(given, list) else [given])
    return tuple(_served_root(name, root, served) for root in listed)


def _served_root(name: str, root: object, served: Sequence[str]) -> str:
    """Returns the root of the server that is meant: rules of a root would not hold for a directory below it."""
    wanted = root if not isinstance(root, str) or is_remote_root(root) else os.path.normpath(root)
    for each in served:
        if wanted == (each if is_remote_root(each) else os.path.normpath(each)):
            return each
    raise ValueError(f"{name}: {root!r} is none of the server's roots; add it with --root")


def _expiry_time(name: str, fields: Mapping[str, object]) -> float:
    """Returns the time from which on a token is refused; a date is the beginning of that day in UTC."""
    end = fields.get("expires")
    if end is None:
        return inf
    if isinstance(end, datetime) and end.tzinfo:
        return end.timestamp()
    if isinstance(end, date) and not isinstance(end, datetime):
        return datetime(end.year, end.month, end.day, tzinfo=UTC).timestamp()
    raise ValueError(f"{name}: expires must be a date, or a time with its zone, such as 2027-01-01T00:00:00Z")


def _open_to_read(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def _names(callers: Sequence[Caller]) -> Iterator[str]:
    return (caller.name or "" for caller in callers)


def describe_change(before: Sequence[Caller], after: Sequence[Caller]) -> str:
    """Returns a line about what a new file changed: how many tokens there are, and whose were withdrawn."""
    gone = sorted(set(_names(before)) - set(_names(after)))
    return f"{len(after)} tokens" + (f"; withdrawn: {', '.join(gone)}" if gone else "")
