"""The latest calls of an audit log as columns of values, for the timeline of the page; a bounded number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from .logged_call import LoggedCall

MAX_CALLS = 100_000
"""Calls that a page shows one by one."""
MAX_TEXT = 1 << 23
"""Characters of different names that a page has; the names of further calls are left out."""
COLUMNS = ("at", "caller", "tool", "outcome", "file", "path", "first", "last", "tokens", "us")


class NumberedNames:
    """Names by number; the same name has the same number."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers: dict[str, int] = {}
        self._size = 0

    def number_of(self, name: str) -> int:
        """Returns the number of a name; -1 for one that there is no room for."""
        number = self._numbers.get(name)
        if number is None:
            if self._size + len(name) > MAX_TEXT:
                return -1
            self._size += len(name)
            number = self._numbers[name] = len(self.all)
            self.all.append(name)
        return number


class RecentCalls:
    """The latest calls, oldest first."""

    def __init__(self) -> None:
        self._calls: deque[tuple[Any, ...]] = deque(maxlen=MAX_CALLS)

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: LoggedCall, caller: str, file: int) -> None:
        """Adds a call; the oldest one goes where there are too many."""
        first, last = call.lines or call.pages or (0, 0)
        path = call.path if file < 0 else None
        self._calls.append((call.at, caller, call.tool, call.outcome, file, path, first, last, call.tokens, call.ms))

    def columns(
        self, callers: NumberedNames, tools: NumberedNames, outcomes: NumberedNames, paths: NumberedNames
    ) -> Iterator[tuple[str, list[int]]]:
        """Yields columns of numbers, oldest call first; names are numbers of what is given."""
        read: tuple[Callable[[Any], int], ...] = (
            lambda at: -1 if at is None else at,
            callers.number_of,
            tools.number_of,
            outcomes.number_of,
            int,
            lambda path: -1 if path is None else paths.number_of(path),
            int,
            int,
            int,
            lambda ms: round(ms * 1000),
        )
        for place, (name, as_number) in enumerate(zip(COLUMNS, read, strict=True)):
            yield name, [as_number(call[place]) for call in self._calls]
