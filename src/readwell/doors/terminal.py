"""What a person sees: no raw escape from a file, dimmed numbers, a progress bar on long work."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from time import monotonic

CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
DIM, CYAN, RESET = "\x1b[2m", "\x1b[36m", "\x1b[0m"
PATIENCE_S = 0.5
BAR = 30


class OutputError(Exception):
    """Nothing can be written where the output should go; `status` is what to exit with."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def write(text: str) -> None:
    """Writes a reply to stdout: as it is to a pipe, made safe and readable to a terminal."""
    try:
        if sys.stdout.isatty():
            text = _for_terminal(text, colour="NO_COLOR" not in os.environ)
        sys.stdout.buffer.write(text.encode(errors="backslashreplace") + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has seen enough; Python must not complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputError(1) from None
    except (AttributeError, OSError) as error:
        write_error(f"readwell: cannot write the reply: {error}")
        sys.stdout = None
        raise OutputError(1) from None


def write_error(text: str) -> None:
    """Writes to stderr, where there is one."""
    if sys.stderr:
        with suppress(OSError):
            encoding = sys.stderr.encoding or "ascii"
            sys.stderr.write(safe(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")


def safe(text: str) -> str:
    """Returns text without raw control characters but tabs and line ends."""
    return re.sub(CONTROLS, lambda found: ascii(found[0])[1:-1], text)


def _for_terminal(text: str, colour: bool) -> str:
    text = safe(text)
    if not colour:
        return text
    text = re.sub(r"(?m)^(-?\d+(?:@\d+)?>?\t)", rf"{DIM}\1{RESET}", text)
    return re.sub(r"(?m)^(\[.*)$", rf"{CYAN}\1{RESET}", text)


class ProgressBar:
    """Shows how far long work is, on a terminal and after half a second; `done` clears it."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._shown = -1

    def __call__(self, done: int, total: int, what: str) -> None:
        """Draws the bar anew where it moved."""
        if not total or monotonic() - self._began < PATIENCE_S:
            return
        percent = 100 * done // total
        if percent != self._shown:
            self._shown = percent
            bar = "=" * (BAR * percent // 100)
            print(f"\r{what} {bar:<{BAR}} {percent:3d} %", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clears the bar."""
        if self._shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
