"""`Conversion`, the caller's end of a running child: receives its head and unit after unit; closing kills the child."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Self

from ...deadline import Deadline
from ...errors import ConversionFailed, DeadlineExceeded, TooLarge
from ...path_names import printable
from .error_codec import decode_error
from .fork_server_client import ForkServerGone
from .job_channel import LAST_WAIT_MS, LATE_WAIT_MS, JobChannel
from .wire_frames import (
    ARGUMENT,
    ERROR,
    HEAD,
    LAST,
    MAX_OUTPUT,
    OUT_OF_MEMORY,
    OVERSLEPT,
    PIECE,
    PREPARED,
    REQUEST,
    UNIT,
    Head,
    InvalidFrame,
    JobRequest,
    decode_head,
    decode_unit,
    encode_request,
    frame,
)

ABORT_SIGNALS = (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP)
"""Signals by which native code ends itself, mostly because memory ran out."""
KILL_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals by which the kernel (out of memory) or an administrator ends a process."""


class Conversion:
    """An open document: its `head`, and an iterator over the Markdown of the wanted units.

    A context manager; leaving it early ends the child at once.
    """

    head: Head

    def __init__(
        self, channel: JobChannel, request: JobRequest, deadline: Deadline, on_end: Callable[[bool], None]
    ) -> None:
        self._channel, self._request, self._deadline, self._on_end = channel, request, deadline, on_end
        self._output_left = MAX_OUTPUT
        self._last_unit = self._units_left = 0
        self._closed = False

    def start(self, argument: bytes) -> None:
        """Sends the request and waits for the head; raises ForkServerGone where there is no fork server."""
        with self._closing_on_failure():
            with suppress(EOFError):  # `receive` finds out why
                self._channel.send(
                    frame(REQUEST, encode_request(self._request)) + frame(ARGUMENT, argument), self._deadline
                )
            self.head = decode_head(self._expect(HEAD), self._expect(PREPARED))
        self._last_unit = min(self._request.end - 1, self.head.total)
        self._units_left = max(0, self._last_unit - self._request.first + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        """Returns the next unit; the iteration ends after the last one that was wanted and never before."""
        if self._closed or not self._units_left:
            self.close()
            raise StopIteration
        with self._closing_on_failure():
            try:
                unit = self._receive_unit()
            except ForkServerGone:
                raise self._transient_failure("the process that runs the parsers has ended") from None
        self._units_left -= 1
        with self._closing_on_failure():
            self._deadline.tick(self._last_unit - self._units_left, self.head.total, "convert")
        return unit

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Kills the child if it still runs and waits for its end; past the deadline, a thread waits instead."""
        if self._closed:
            return
        self._closed = True
        if self._deadline.clock() <= self._deadline.expires or self._channel.terminate(LATE_WAIT_MS):
            self._end_child_and_release_slot()
            return
        try:
            Thread(target=self._end_child_and_release_slot, daemon=True).start()
        except RuntimeError:  # no thread can be started any more
            self._end_child_and_release_slot()

    def _end_child_and_release_slot(self) -> None:
        """Kills the child if it still runs, closes the channel and reports the end, so that the slot is free again."""
        confirmed = self._channel.terminate(LAST_WAIT_MS)
        self._channel.close()
        self._on_end(confirmed or hasattr(self, "head"))

    @contextmanager
    def _closing_on_failure(self) -> Generator[None]:
        """Leaves no process behind if what is inside fails."""
        try:
            yield
        except InvalidFrame:
            self.close()
            raise self._failure_for("the parser sent what no parser sends") from None
        except BaseException:
            self.close()
            raise

    def _receive_unit(self) -> str:
        """Returns the next unit, within the bound of a whole answer."""
        unit = self._expect(UNIT)
        self._output_left -= len(unit)
        if self._output_left < 0:
            raise TooLarge(MAX_OUTPUT)
        return decode_unit(unit)

    def _expect(self, wanted: bytes) -> bytes:
        """Returns the body of the next message, which must be of this kind."""
        return self._next_frame((wanted,))[1]

    def _next_frame(self, wanted: tuple[bytes, ...]) -> tuple[bytes, bytes]:
        """Returns the next message; a failure in the child is raised here."""
        try:
            kind, body = self._channel.receive(self._deadline)
        except EOFError:
            raise self._failure_of_ended_child() from None
        if kind == ERROR:
            raise decode_error(body, self._request.format)
        if kind not in wanted:
            raise InvalidFrame
        return kind, body

    def _failure_of_ended_child(self) -> Exception:
        """Kills the child, which does not answer, and returns why it has ended, as an exception."""
        status = self._channel.kill_and_read_status(self._deadline)
        if status is None:
            return ForkServerGone()
        memory = f"it may use {self._request.memory >> 20} MiB"
        if not os.WIFSIGNALED(status):
            short = os.waitstatus_to_exitcode(status) == OUT_OF_MEMORY
            return self._failure_for(
                f"the parser ran out of memory: {memory}" if short else "the parser ended without an answer"
            )
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return DeadlineExceeded(self._deadline.seconds)
        if number == signal.SIGPROF:
            return self._failure_for("it took too much processor time")
        if number == OVERSLEPT:
            return self._failure_for("it waited without working")
        if number in KILL_SIGNALS:
            return self._transient_failure("the parser was killed")
        name = signal.strsignal(number) or str(number)
        return self._failure_for(
            f"the parser crashed ({name}" + (f"; {memory} of memory)" if number in ABORT_SIGNALS else ")")
        )

    def _failure_for(self, reason: str) -> ConversionFailed:
        """Returns the failure for a reason."""
        return ConversionFailed(self._request.format, reason)

    def _transient_failure(self, reason: str) -> ConversionFailed:
        """Returns the failure for a reason outside of the document, such as a kill: another try may succeed."""
        return ConversionFailed.by_machine(self._request.format, reason)


class Unpacking(Conversion):
    """A file that is being unpacked: piece after piece, as far as they are asked for.

    The child waits in between, for another call as well: what it has unpacked so far need not be unpacked again. It
    also waits at the end, to be asked for something else of the same file.
    """

    damage: str | None = None
    """What is damaged, once the end was reached; empty where nothing is. None: there may be more."""

    def unpack_another(self, question: bytes, deadline: Deadline) -> None:
        """Has the child unpack something else of the same file, once the end of the first was reached."""
        self.damage, self._deadline = None, deadline
        with self._closing_on_failure(), suppress(EOFError):  # `next_piece` finds out why
            self._channel.send(frame(ARGUMENT, question), deadline)

    def next_piece(self, deadline: Deadline) -> bytes:
        """Returns the next piece; empty at the end. Where the deadline of a call ends it, the next may go on."""
        if self.damage is not None:
            return b""
        self._deadline = deadline
        try:
            kind, body = self._next_frame((PIECE, LAST))
        except DeadlineExceeded:
            raise
        except ForkServerGone:
            self.close()
            raise self._transient_failure("the process that unpacks has ended") from None
        except InvalidFrame:
            self.close()
            raise self._failure_for("the unpacker sent what none sends") from None
        except BaseException:
            self.close()
            raise
        if kind == LAST:
            self.damage = printable(body.decode(errors="replace"))
            return b""
        return body
