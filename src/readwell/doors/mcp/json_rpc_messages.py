"""Parsing of JSON-RPC messages, with the error responses for invalid ones."""

from __future__ import annotations

import json
from typing import Any, cast

import mcp_types as types
from pydantic import ValidationError

MAX_LINE_BYTES = 1 << 20
NO_JSON = "This is not one valid JSON value."
NO_MESSAGE = (
    'This is no JSON-RPC message: "jsonrpc" must be "2.0", "method" a string, '
    '"id" a string or a whole number, and "params", if any, an object.'
)
NO_BATCHES = "Batches are not served: send one message at a time."
TOO_LONG = f"A message may have {MAX_LINE_BYTES} bytes."


class InvalidMessage(Exception):
    """Raised for input that is not a valid message; `response` is the error to send back.

    `sent` is the input as far as it could be parsed; the response quotes its id.
    """

    def __init__(self, code: int, message: str, sent: object = None) -> None:
        super().__init__(message)
        error = types.ErrorData(code=code, message=message)
        self.response = types.JSONRPCError(jsonrpc="2.0", id=_id_of(sent), error=error)


def parse_message(line: bytes) -> types.JSONRPCMessage:
    """Parses one message; raises InvalidMessage."""
    if len(line) > MAX_LINE_BYTES:
        raise InvalidMessage(types.INVALID_REQUEST, TOO_LONG)
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        raise _invalid_message(line, error) from error
    if isinstance(message, types.JSONRPCNotification) and b'"id"' in line and "id" in cast("Any", _parse_loosely(line)):
        # A request with an invalid id would pass for a notification, and its sender would wait forever.
        raise InvalidMessage(types.INVALID_REQUEST, NO_MESSAGE)
    return message


def _invalid_message(line: bytes, error: ValidationError) -> InvalidMessage:
    sent = _parse_loosely(line)
    if error.errors(include_url=False)[0]["type"] == "json_invalid":
        return InvalidMessage(types.PARSE_ERROR, NO_JSON, sent)
    message = NO_BATCHES if line.lstrip().startswith(b"[") else NO_MESSAGE
    return InvalidMessage(types.INVALID_REQUEST, message, sent)


def _parse_loosely(line: bytes) -> object:
    """Parses a line leniently, such as one with half a surrogate pair, to find its id; returns None if that fails."""
    try:
        return json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def _id_of(sent: object) -> str | int | None:
    """Returns the id of the request that an error responds to; None for a response, which must not be answered."""
    fields = cast("dict[str, object]", sent) if isinstance(sent, dict) else {}
    number = fields.get("id")
    if "result" in fields or "error" in fields or isinstance(number, bool) or not isinstance(number, (str, int)):
        return None
    return number if isinstance(number, int) or _is_encodable(number) else None


def _is_encodable(text: str) -> bool:
    """Returns whether a text can be encoded as UTF-8: half a surrogate pair cannot."""
    return text == text.encode(errors="replace").decode()
