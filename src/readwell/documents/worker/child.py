"""The child: one document, one cage, one answer, and an end without return."""

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
from ...cage.kernel import die_with_parent
from ...errors import ChangedWhileReading, ConversionFailed, DocumentEmpty, ReadError, TooLarge, Unreadable
from ...names import quoted
from ..contract import Converter, Document
from ..tidy import tidy
from .crossing import pack_error, words_of
from .frames import (
    ERROR,
    HEAD,
    HEADER,
    MOST_CONTENT,
    MOST_OUTPUT,
    OUT_OF_MEMORY,
    PREPARED,
    UNIT,
    Order,
    frame,
    pack_head,
    read_exactly,
    read_order,
    write_all,
)

MOST_DESCRIPTORS = 1 << 20

T = TypeVar("T")


def live(converter: Converter | ReadError, document: int, answer: int, seconds: float, parent: int) -> NoReturn:
    """Does one job and ends this process."""
    status = 0
    try:
        _become_nobody(document, answer, parent)
        _answer(converter, document, answer, ceil(seconds) + 1)
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - the caller has gone, or the child is broken: there is nobody to tell
        status = 1
    finally:
        os._exit(status)


def _become_nobody(document: int, answer: int, parent: int) -> None:
    """Leaves what belongs to the parent: its session, its signals, its descriptors."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(OSError):
        die_with_parent()
    if os.getppid() != parent:
        os._exit(0)
    close_all_but(document, answer)


def close_all_but(*descriptors: int) -> None:
    """Closes what is open, except the three standard ones and these."""
    below = 3
    for kept in sorted(descriptors):
        os.closerange(below, kept)
        below = kept + 1
    os.closerange(below, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], MOST_DESCRIPTORS))


def _answer(converter: Converter | ReadError, document: int, answer: int, seconds: int) -> None:
    order = read_order(_receive(answer))
    prepared = _receive(answer)
    try:
        if isinstance(converter, ReadError):
            raise converter
        content = _content(document, order)
        os.close(document)
        enter(Cage(order.memory, order.landlock, order.seccomp), seconds)
        _convert(converter, order, content, prepared, lambda kind, body: write_all(answer, frame(kind, body)))
    except ReadError as error:
        write_all(answer, frame(ERROR, pack_error(error)))


def _receive(answer: int) -> bytes:
    _, length = HEADER.unpack(read_exactly(answer, HEADER.size))
    return read_exactly(answer, length)


def _content(document: int, order: Order) -> bytes:
    found = _read(document, order.size)
    if order.digest is not None and Sha256().update(found).hexdigest() != order.digest:
        raise ChangedWhileReading
    return found


def _read(document: int, size: int | None) -> bytes:
    """Returns the content, mostly from a single read: it may be large, and is held once."""
    try:
        size = os.fstat(document).st_size if size is None else size
        if size > MOST_CONTENT:
            raise TooLarge(MOST_CONTENT)
        found = os.pread(document, size, 0)
        while len(found) < size and (more := os.pread(document, size - len(found), len(found))):
            found += more
    except OSError as error:
        raise Unreadable(error.errno or 0, os.strerror(error.errno or 0)) from error
    return found


def _convert(
    converter: Converter, order: Order, content: bytes, prepared: bytes, send: Callable[[bytes, bytes], None]
) -> None:
    form, memory = order.format, order.memory
    document = _guarded(form, memory, lambda: converter.open(content, order.password, prepared))
    unit, count, found = _guarded(form, memory, lambda: _head_of(document))
    if count == 0:
        raise DocumentEmpty(form, 0)
    send(HEAD, pack_head(unit, count))
    send(PREPARED, found)
    sent = 0
    for number in range(order.first, min(order.end, count + 1)):
        markdown = _guarded(form, memory, lambda number=number: tidy(_text(document.markdown(number)), unit).encode())
        if not markdown and not unit:
            raise DocumentEmpty(form, 0)
        sent += len(markdown)
        if sent > MOST_OUTPUT:
            raise TooLarge(MOST_OUTPUT)
        send(UNIT, markdown)


def _guarded(form: str, memory: int, foreign: Callable[[], T]) -> T:
    """Runs foreign code; whatever it raises becomes a ReadError."""
    try:
        return foreign()
    except ReadError:
        raise
    except MemoryError as error:
        raise ConversionFailed(form, f"more than {memory >> 20} MiB of memory would be needed") from error
    except BaseException as error:  # a foreign parser may raise anything, an exit among it
        raise ConversionFailed(form, f"its parser says {quoted(words_of(error))}") from error


def _head_of(document: Document) -> tuple[str, int, bytes]:
    unit, count, prepared = cast(tuple[object, object, object], (document.unit, document.count, document.prepared()))
    if not isinstance(unit, str) or not isinstance(count, int) or not isinstance(prepared, bytes):
        raise TypeError("the converter tells no unit, count and prepared bytes")
    return unit, count, prepared


def _text(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError(f"the converter returned {type(found).__name__}, not str")
    if len(found) > MOST_OUTPUT:
        raise TooLarge(MOST_OUTPUT)
    return found
