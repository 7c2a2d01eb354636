"""Errors sent from a child to its caller, as JSON: the name of the class and its fields, never a pickle."""

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
from .wire_frames import InvalidFrame, decode_json

MAX_CHARACTERS = 300
MAX_QUOTED = 250
"""Characters of a foreign message; in quotes and with the words around it, it stays below `MAX_CHARACTERS`."""
REPORTABLE: dict[type[ReadError], tuple[str, ...]] = {
    ConversionFailed: ("reason",),
    DocumentLocked: (),
    DocumentEmpty: ("pages", "blank", "with_ocr"),
    TooLarge: ("limit",),
    ChangedWhileReading: (),
    Unreadable: ("errno", "reason"),
}
"""Errors that a child may report, and the fields sent with each. The caller knows the format itself."""
FIELD_TYPES = {"reason": str, "pages": int, "blank": int, "with_ocr": int, "limit": int, "errno": int}


def encode_error(error: ReadError) -> bytes:
    """Returns an error as the body of a frame: as its nearest class that is reportable, else as ConversionFailed."""
    kind = next((kind for kind in type(error).__mro__ if kind in REPORTABLE), None)
    facts = [getattr(error, name, None) for name in REPORTABLE.get(kind, ())] if kind else []
    if kind is None or not all(type(fact) in (str, int) for fact in facts):
        kind, facts = ConversionFailed, [message_of(error)]
    return json.dumps([kind.__name__, *(one_line(fact) if isinstance(fact, str) else fact for fact in facts)]).encode()


def decode_error(body: bytes, converter: str) -> ReadError:
    """Returns the error that a child reported; raises InvalidFrame where it is not a reportable one."""
    decoded = decode_json(body)
    if not isinstance(decoded, list) or not decoded:
        raise InvalidFrame
    name, *facts = cast(list[object], decoded)
    kind = next((kind for kind in REPORTABLE if kind.__name__ == name), None)
    if kind is None or [type(fact) for fact in facts] != [FIELD_TYPES[fact] for fact in REPORTABLE[kind]]:
        raise InvalidFrame
    checked: list[object] = [one_line(fact) if isinstance(fact, str) else fact for fact in facts]
    arguments = [converter, *checked] if issubclass(kind, ConversionFailed) else checked
    return cast(Callable[..., ReadError], kind)(*arguments)


def message_of(error: BaseException) -> str:
    """Returns the message of an exception, shortened; the name of its class where it has none or `str` fails."""
    try:
        message = one_line(str(error), MAX_QUOTED).rstrip(". ")
    except BaseException:  # noqa: BLE001 - a foreign exception may fail at anything
        message = ""
    return message or type(error).__name__


def one_line(words: str, longest: int = MAX_CHARACTERS) -> str:
    """Returns one short line without anything that cannot be printed."""
    shown = "".join(mark if mark.isprintable() else " " for mark in words[: 4 * longest])
    return " ".join(shown.split())[:longest]
