"""The child process: locks itself into the cage, converts one document, sends the answer, exits."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from typing import NoReturn, TypeVar, cast

from stringzilla import Sha256

from ...cage import Cage, enter
from ...cage.system_calls import die_with_parent
from ...errors import ChangedWhileReading, ConversionFailed, DocumentEmpty, ReadError, TooLarge, Unreadable
from ...path_names import quoted
from ..clean_markdown import tidy
from ..contract import Converter, Damaged, Document, Unpacker
from .error_codec import encode_error, message_of
from .wire_frames import (
    ERROR,
    HEAD,
    HEADER,
    LAST,
    MAX_CONTENT,
    MAX_OUTPUT,
    OUT_OF_MEMORY,
    PIECE,
    PREPARED,
    UNIT,
    JobRequest,
    decode_request,
    encode_head,
    frame,
    read_exactly,
    write_all,
)

HIGHEST_DESCRIPTOR = 1 << 20

T = TypeVar("T")


def run_child(
    converter: Converter | Unpacker | ReadError, document: int, answer: int, seconds: float, parent: int
) -> NoReturn:
    """Converts one document and exits; `document` and `answer` are descriptors: a file and a socket to the caller.

    `converter` may be the error that loading it raised.
    """
    status = 0
    try:
        _detach_from_parent(document, answer, parent)
        _run_job(converter, document, answer, ceil(seconds) + 1)
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - the answer is closed or the child is broken: nothing can be reported
        status = 1
    finally:
        os._exit(status)


def _detach_from_parent(document: int, answer: int, parent: int) -> None:
    """Gives up the session, signal handlers and descriptors of the fork server."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(OSError):
        die_with_parent()
    if os.getppid() != parent:
        os._exit(0)
    close_all_but(document, answer)


def close_all_but(*descriptors: int) -> None:
    """Closes all descriptors except the three standard ones and these."""
    below = 3
    for kept in sorted(descriptors):
        os.closerange(below, kept)
        below = kept + 1
    os.closerange(below, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], HIGHEST_DESCRIPTOR))


def _run_job(converter: Converter | Unpacker | ReadError, document: int, answer: int, seconds: int) -> None:
    """Receives a job, locks itself in, converts, and sends what comes of it."""
    request = decode_request(_receive_body(answer))
    argument = _receive_body(answer)
    try:
        if isinstance(converter, ReadError):
            raise converter
        cage = Cage(request.memory, request.landlock, request.seccomp)

        def send(kind: bytes, body: bytes) -> None:
            write_all(answer, frame(kind, body))

        if isinstance(converter, Unpacker):
            enter(cage, seconds)
            send(HEAD, encode_head("", 0))
            send(PREPARED, b"")
            while True:  # until the caller lets go
                _unpack(converter, request, document, argument, send)
                argument = _receive_body(answer)
        content = _checked_content(document, request)
        os.close(document)
        enter(cage, seconds)
        _convert(converter, request, content, argument, send)
    except ReadError as error:
        write_all(answer, frame(ERROR, encode_error(error)))


def _receive_body(answer: int) -> bytes:
    """Returns the body of the next frame of the caller, of any kind."""
    _, length = HEADER.unpack(read_exactly(answer, HEADER.size))
    return read_exactly(answer, length)


def _checked_content(document: int, request: JobRequest) -> bytes:
    """Returns the document; raises ChangedWhileReading if it is not the one that was hashed."""
    content = _read(document, request.size)
    if request.digest is not None and Sha256().update(content).hexdigest() != request.digest:
        raise ChangedWhileReading
    return content


def _read(document: int, size: int | None) -> bytes:
    """Returns the content, usually by a single read: it may be large and should be in memory only once."""
    try:
        size = os.fstat(document).st_size if size is None else size
        if size > MAX_CONTENT:
            raise TooLarge(MAX_CONTENT)
        content = os.pread(document, size, 0)
        while len(content) < size and (more := os.pread(document, size - len(content), len(content))):
            content += more
    except OSError as error:
        raise Unreadable(error.errno or 0, os.strerror(error.errno or 0)) from error
    return content


def _unpack(
    unpacker: Unpacker, request: JobRequest, document: int, question: bytes, send: Callable[[bytes, bytes], None]
) -> None:
    """Sends what is packed in a file piece by piece; the file is read as far as that needs."""
    pieces = unpacker.run(lambda offset, count: os.pread(document, count, offset), request.size or 0, question)
    damage = b""
    try:
        while piece := _run_foreign_code(unpacker.name, request.memory, lambda: next(pieces, b"")):
            send(PIECE, piece)
    except Damaged as damaged:
        damage = message_of(damaged).encode()
    send(LAST, damage)


def _convert(
    converter: Converter, request: JobRequest, content: bytes, argument: bytes, send: Callable[[bytes, bytes], None]
) -> None:
    """Converts the wanted units and sends each as soon as it is ready."""
    format_name, memory = request.format, request.memory
    document = _run_foreign_code(format_name, memory, lambda: converter.open(content, request.password, argument))
    unit, count, for_next = _run_foreign_code(format_name, memory, lambda: _checked_head(document))
    if count == 0:
        raise DocumentEmpty(format_name, 0)
    send(HEAD, encode_head(unit, count))
    send(PREPARED, for_next)
    sent = 0
    for number in range(request.first, min(request.end, count + 1)):
        markdown = _run_foreign_code(
            format_name, memory, lambda number=number: tidy(_checked_markdown(document.markdown(number)), unit).encode()
        )
        if not markdown and not unit:
            raise DocumentEmpty(format_name, 0)
        sent += len(markdown)
        if sent > MAX_OUTPUT:
            raise TooLarge(MAX_OUTPUT)
        send(UNIT, markdown)


def _run_foreign_code(format_name: str, memory: int, foreign: Callable[[], T]) -> T:
    """Runs foreign code; whatever it raises becomes a ReadError."""
    try:
        return foreign()
    except (ReadError, Damaged):
        raise
    except MemoryError as error:
        raise ConversionFailed(format_name, f"more than {memory >> 20} MiB of memory would be needed") from error
    except BaseException as error:  # a foreign parser may raise anything, an exit among it
        raise ConversionFailed(format_name, f"its parser says {quoted(message_of(error))}") from error


def _checked_head(document: Document) -> tuple[str, int, bytes]:
    """Returns unit, count and prepared bytes of a document; raises TypeError for others."""
    unit, count, prepared = cast(tuple[object, object, object], (document.unit, document.count, document.prepared()))
    if not isinstance(unit, str) or not isinstance(count, int) or not isinstance(prepared, bytes):
        raise TypeError("the converter tells no unit, count and prepared bytes")
    return unit, count, prepared


def _checked_markdown(markdown: object) -> str:
    """Returns the Markdown of a unit; raises TypeError or TooLarge for what cannot be sent."""
    if not isinstance(markdown, str):
        raise TypeError(f"the converter returned {type(markdown).__name__}, not str")
    if len(markdown) > MAX_OUTPUT:
        raise TooLarge(MAX_OUTPUT)
    return markdown
