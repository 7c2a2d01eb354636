"""Terminal output: control characters escaped, colours, a progress bar."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from time import monotonic

CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
DIM, CYAN, RESET = "\x1b[2m", "\x1b[36m", "\x1b[0m"
SHOWN_AFTER_S = 0.5
BAR_WIDTH = 30


class OutputError(Exception):
    """Raised when the output cannot be written; `status` is the exit status."""

    def __init__(self, status: int) -> None:
        self.status = status


def write(text: str) -> None:
    """Writes a reply to stdout: unchanged to a pipe, escaped and coloured to a terminal."""
    try:
        if sys.stdout.isatty():
            text = _for_terminal(text, colour="NO_COLOR" not in os.environ)
        sys.stdout.buffer.write(text.encode(errors="backslashreplace") + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; without this Python would report an error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputError(1) from None
    except (AttributeError, OSError) as error:
        write_error(f"readwell: cannot write the reply: {error}")
        sys.stdout = None
        raise OutputError(1) from None


def write_error(text: str) -> None:
    """Writes a line to stderr, if there is one."""
    if sys.stderr:
        with suppress(OSError):
            encoding = sys.stderr.encoding or "ascii"
            sys.stderr.write(escape_controls(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")


def escape_controls(text: str) -> str:
    """Returns the text with control characters escaped, except tabs and line feeds."""
    import re

    return re.sub(CONTROLS, lambda match: ascii(match[0])[1:-1], text)


def _for_terminal(text: str, colour: bool) -> str:
    """Returns a reply as a terminal shows it: escaped, with dimmed numbers and coloured remarks."""
    import re

    text = escape_controls(text)
    if not colour:
        return text
    text = re.sub(r"(?m)^(-?\d+(?:@\d+)?>?\t)", rf"{DIM}\1{RESET}", text)
    return re.sub(r"(?m)^(\[.*)$", rf"{CYAN}\1{RESET}", text)


class ProgressBar:
    """A progress bar on stderr, shown after half a second; `clear` removes it."""

    def __init__(self) -> None:
        self._started = monotonic()
        self._shown_percent = -1

    def __call__(self, done: int, total: int, what: str) -> None:
        """Redraws the bar if the percentage has changed."""
        if not total or monotonic() - self._started < SHOWN_AFTER_S:
            return
        percent = 100 * done // total
        if percent != self._shown_percent:
            self._shown_percent = percent
            bar = "=" * (BAR_WIDTH * percent // 100)
            print(f"\r{what} {bar:<{BAR_WIDTH}} {percent:3d} %", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the bar, if it is shown."""
        if self._shown_percent >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
