"""An HTTP request to a store and its answer: tried again where that may help, within the deadline; failures typed."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from errno import EACCES, ECONNREFUSED, ECONNRESET, EIO, EPROTO
from http.client import HTTPException
from socket import gaierror
from time import sleep

from ..deadline import Deadline
from ..errors import DeadlineExceeded, NotFound, ReadError, Unreadable
from ..named_tuple import NamedTuple
from .connection_pool import ConnectionPool, StreamedResponse
from .deadline_threads import SLICE_S

TRIES = 5
FIRST_PAUSE_S = 0.1
TRANSIENT = (408, 425, 429, 500, 502, 503, 504)
MAX_OF_AN_ERROR = 1 << 14
"""Bytes of an error's body that are read for its code."""
CHUNK = 1 << 16
LINE = r"[\x20-\x7e\x80-\xff]+"
"""What a line of a request may have."""
CODE = rb"<Code>([A-Za-z]{1,40})</Code>"
HINTS = {
    "InvalidAccessKeyId": "the access key is not known there",
    "SignatureDoesNotMatch": "the secret key is wrong",
    "ExpiredToken": "the credentials have expired",
    "RequestTimeTooSkewed": "the clock of this machine is wrong",
    "AuthorizationHeaderMalformed": "the region is wrong",
    "NoSuchBucket": "there is no such bucket",
    "ContainerNotFound": "there is no such container",
}
"""What codes of object stores mean."""


class Request(NamedTuple):
    """A request: its target and headers are complete but for `Host`."""

    method: str
    target: str
    headers: Mapping[str, str]
    most: int
    """Bytes that a good answer may have at most."""


class FullResponse(NamedTuple):
    """An answer that was read to its end; the body of a failure is left out, but for its code."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    code: str = ""


class ShortBodyError(Exception):
    """The server sent fewer bytes than it announced."""


def send_request(pool: ConnectionPool, request: Request, deadline: Deadline) -> FullResponse:
    """Sends a request, again where that may help, and returns the answer; raises a ReadError where there is none."""
    for number in range(1, TRIES + 1):
        try:
            answer = _send_once(pool, request, deadline)
            if answer.status not in TRANSIENT or number == TRIES:
                return answer
            pause = max(_retry_after_seconds(answer), FIRST_PAUSE_S * 2 ** (number - 1))
            if pause > deadline.expires - deadline.clock():
                return answer
        except (OSError, HTTPException, ShortBodyError) as error:
            deadline.check()
            if number == TRIES or not _is_temporary(error):
                raise _connection_failure(error) from None
            pause = FIRST_PAUSE_S * 2 ** (number - 1)
        _pause(pause, deadline)
    raise Unreadable(EIO, "the server did not answer")


def _send_once(pool: ConnectionPool, request: Request, deadline: Deadline) -> FullResponse:
    """Sends a request once and returns its answer; of a refusal only the code."""
    head = _request_bytes(request, pool.endpoint.host_header)
    with pool.lease(deadline) as exchange:
        response = exchange(request.method, head)
        if response.status >= 300:
            return FullResponse(response.status, response.headers, b"", _error_code_in(response))
        return FullResponse(response.status, response.headers, _read_body(response, request))


def _request_bytes(request: Request, host: str) -> bytes:
    """Returns a request as it is sent; raises Unreadable where credentials would break out of their line."""
    lines = [f"{request.method} {request.target} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in request.headers.items()]
    if not all(re.fullmatch(LINE, line) for line in lines):
        raise Unreadable(EACCES, "the credentials contain characters that no request may have")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _read_body(response: StreamedResponse, request: Request) -> bytes:
    """Returns the whole body; nothing, or more than was asked for, of one that is longer."""
    announced = response.headers.get("content-length", "")
    if request.method == "HEAD":
        response.body(memoryview(bytearray(1)))
        return b""
    if not announced.isdecimal() or not announced.isascii():
        return _read_chunked_body(response, request.most)
    length = int(announced[:18])
    if length > request.most:
        return b""
    content = bytearray(length)
    if _read_into(response, memoryview(content)) < length:
        raise ShortBodyError
    if not length:
        response.body(memoryview(bytearray(1)))
    return bytes(content)


def _read_chunked_body(response: StreamedResponse, most: int) -> bytes:
    """Returns a body that comes in chunks; one that is longer than asked for is read until that shows."""
    content, piece = bytearray(), memoryview(bytearray(CHUNK))
    while len(content) <= most and (count := response.body(piece)):
        content += piece[:count]
    return bytes(content)


def _read_into(response: StreamedResponse, view: memoryview) -> int:
    """Reads a body into a buffer; returns how much there was."""
    filled = 0
    while filled < len(view) and (more := response.body(view[filled:])):
        filled += more
    return filled


def _error_code_in(response: StreamedResponse) -> str:
    """Returns the code that an object store gives in the body of a failure; empty: none."""
    content = bytearray(MAX_OF_AN_ERROR)
    try:
        filled = _read_into(response, memoryview(content))
    except (OSError, HTTPException):
        return ""
    match = re.search(CODE, content[:filled])
    return match[1].decode() if match else ""


def _retry_after_seconds(answer: FullResponse) -> float:
    """Returns how many seconds the server wants to be left alone."""
    wanted = answer.headers.get("retry-after", "")
    return float(wanted[:9]) if wanted.isascii() and wanted.isdecimal() else 0.0


def _pause(seconds: float, deadline: Deadline) -> None:
    """Waits, but not beyond the deadline."""
    until = deadline.clock() + seconds
    while (left := until - deadline.clock()) > 0:
        deadline.check()
        sleep(min(left, SLICE_S))


def _is_temporary(error: Exception) -> bool:
    """Says whether an error may pass by trying again."""
    return not isinstance(error, (ssl.SSLCertVerificationError, gaierror, UnicodeError))


def _connection_failure(error: Exception) -> ReadError:
    """Returns the ReadError for a connection that failed; it does not tell where the connection led."""
    match error:
        case ssl.SSLCertVerificationError():
            return Unreadable(EPROTO, "the certificate of the server is not valid")
        case ssl.SSLError():
            return Unreadable(EPROTO, "no secure connection to the server")
        case gaierror():
            return Unreadable(EIO, "the name of the server is not known")
        case ShortBodyError():
            return Unreadable(EIO, "the server sent fewer bytes than it announced")
        case ConnectionRefusedError():
            return Unreadable(ECONNREFUSED, "the server refuses connections")
        case TimeoutError():
            return Unreadable(EIO, "the server does not answer")
        case ConnectionError() | HTTPException():
            return Unreadable(ECONNRESET, "the server closed the connection, or does not speak HTTP")
        case _:
            return Unreadable(EIO, "the server cannot be reached")


def failure_of(answer: FullResponse, deadline: Deadline) -> ReadError:
    """Returns the ReadError for the status of an answer."""
    status = answer.status
    hint = f": {HINTS[answer.code]}" if answer.code in HINTS else ""
    if status in (404, 410):
        return Unreadable(EIO, HINTS[answer.code]) if hint else NotFound()
    if status in (401, 403):
        return Unreadable(EACCES, f"the server answered {status}{hint}")
    if 300 <= status < 400:
        return Unreadable(EIO, f"the server answered with a redirect ({status}), which is not followed")
    if status in (408, 504) and deadline.clock() > deadline.expires:
        return DeadlineExceeded(deadline.seconds)
    if status == 429 or status == 503:
        failed = Unreadable(EIO, f"the server is busy ({status})")
        failed.retryable = True
        return failed
    return Unreadable(EIO, f"the server answered {status}{hint}")
