"""What a client sent becomes a message of the protocol, or the error that answers what is none."""

from __future__ import annotations

import json
from typing import Any, cast

import mcp_types as types
from pydantic import ValidationError

LONGEST_LINE = 1 << 20
NO_JSON = "This is not one valid JSON value."
NO_MESSAGE = (
    'This is no JSON-RPC message: "jsonrpc" must be "2.0", "method" a string, '
    '"id" a string or a whole number, and "params", if any, an object.'
)
NO_BATCHES = "Batches are not served: send one message at a time."
TOO_LONG = f"A message may have {LONGEST_LINE} bytes."


class InvalidMessage(Exception):
    """What is no message; `answer` is what its sender is to be told."""

    def __init__(self, code: int, said: str, sent: object = None) -> None:
        super().__init__(said)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=_id_of(sent), error=types.ErrorData(code=code, message=said))


def parse_message(line: bytes) -> types.JSONRPCMessage:
    """Returns the message that a line holds; raises InvalidMessage where it holds none."""
    if len(line) > LONGEST_LINE:
        raise InvalidMessage(types.INVALID_REQUEST, TOO_LONG)
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        raise _refusal(line, error) from error
    if isinstance(message, types.JSONRPCNotification) and b'"id"' in line and "id" in cast("Any", _loosely_read(line)):
        # A request whose id is none would pass for a notification, and its sender wait without end.
        raise InvalidMessage(types.INVALID_REQUEST, NO_MESSAGE)
    return message


def _refusal(line: bytes, error: ValidationError) -> InvalidMessage:
    sent = _loosely_read(line)
    if error.errors(include_url=False)[0]["type"] == "json_invalid":
        return InvalidMessage(types.PARSE_ERROR, NO_JSON, sent)
    said = NO_BATCHES if line.lstrip().startswith(b"[") else NO_MESSAGE
    return InvalidMessage(types.INVALID_REQUEST, said, sent)


def _loosely_read(line: bytes) -> object:
    """Returns what a more lenient parser makes of a line, such as one with half a surrogate pair, to find its id."""
    try:
        return json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def _id_of(sent: object) -> str | int | None:
    """Returns whom an error answers, as far as that can be told; an answer is never answered by its number."""
    fields = cast("dict[str, object]", sent) if isinstance(sent, dict) else {}
    number = fields.get("id")
    if "result" in fields or "error" in fields or isinstance(number, bool) or not isinstance(number, (str, int)):
        return None
    return number if isinstance(number, int) or _can_be_sent(number) else None


def _can_be_sent(text: str) -> bool:
    """Says whether a text is whole: half a surrogate pair cannot be written as UTF-8."""
    return text == text.encode(errors="replace").decode()
