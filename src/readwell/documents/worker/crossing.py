"""Errors on their way from a child to its caller: a name of the tree and plain facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

from ...errors import (
    ChangedWhileReading,
    ConversionFailed,
    DocumentEmpty,
    DocumentLocked,
    ReadError,
    TooLarge,
    Unreadable,
)
from .frames import Nonsense, read_json

LONGEST = 300
LONGEST_QUOTE = 250
"""Characters of a foreign message: quoted in a sentence it still fits, with the closing quote."""
CROSSING: dict[type[ReadError], tuple[str, ...]] = {
    ConversionFailed: ("reason",),
    DocumentLocked: (),
    DocumentEmpty: ("pages",),
    TooLarge: ("limit",),
    ChangedWhileReading: (),
    Unreadable: ("errno", "reason"),
}
"""What a converter may report, and the facts that go with it. Which converter it was is known without asking."""
FACTS = {"reason": str, "pages": int, "limit": int, "errno": int}


def pack_error(error: ReadError) -> bytes:
    """Returns the body of an error: as the nearest kind that may cross."""
    kind = next((kind for kind in type(error).__mro__ if kind in CROSSING), None)
    facts = [getattr(error, name, None) for name in CROSSING.get(kind, ())] if kind else []
    if kind is None or not all(type(fact) in (str, int) for fact in facts):
        kind, facts = ConversionFailed, [words_of(error)]
    return json.dumps([kind.__name__, *(plain(fact) if isinstance(fact, str) else fact for fact in facts)]).encode()


def read_error(body: bytes, converter: str) -> ReadError:
    """Returns the error that a child reported, if it may report such a thing."""
    found = read_json(body)
    if not isinstance(found, list) or not found:
        raise Nonsense
    name, *facts = cast(list[object], found)
    kind = next((kind for kind in CROSSING if kind.__name__ == name), None)
    if kind is None or [type(fact) for fact in facts] != [FACTS[fact] for fact in CROSSING[kind]]:
        raise Nonsense
    told: list[object] = [plain(fact) if isinstance(fact, str) else fact for fact in facts]
    arguments = [converter, *told] if issubclass(kind, ConversionFailed) else told
    return cast(Callable[..., ReadError], kind)(*arguments)


def words_of(error: BaseException) -> str:
    """Returns what an exception says of itself in short; its type where it says nothing, or worse."""
    try:
        said = plain(str(error), LONGEST_QUOTE).rstrip(". ")
    except BaseException:  # noqa: BLE001 - a foreign exception may fail at anything
        said = ""
    return said or type(error).__name__


def plain(words: str, longest: int = LONGEST) -> str:
    """Returns one short line without anything that cannot be printed."""
    shown = "".join(mark if mark.isprintable() else " " for mark in words[: 4 * longest])
    return " ".join(shown.split())[:longest]
