"""What a person sees: no raw escape from a file, dimmed numbers, a progress bar on long work."""

from __future__ import annotations

import os
import re
import sys
from time import monotonic

CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
DIM, CYAN, RESET = "\x1b[2m", "\x1b[36m", "\x1b[0m"
PATIENCE_S = 0.5
BAR = 30


def write(text: str) -> None:
    """Writes a reply to stdout: as it is to a pipe, made safe and readable to a terminal."""
    if sys.stdout.isatty():
        text = _for_terminal(text, colour="NO_COLOR" not in os.environ)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="backslashreplace") + b"\n")
    sys.stdout.flush()


def write_error(text: str) -> None:
    """Writes one line to stderr."""
    print(_safe(" ".join(text.split("\n"))), file=sys.stderr)


def _for_terminal(text: str, colour: bool) -> str:
    text = _safe(text)
    if not colour:
        return text
    text = re.sub(r"(?m)^(-?\d+(?:@\d+)?\t)", rf"{DIM}\1{RESET}", text)
    return re.sub(r"(?m)^(\[.*)$", rf"{CYAN}\1{RESET}", text)


def _safe(text: str) -> str:
    return re.sub(CONTROLS, lambda found: ascii(found[0])[1:-1], text)


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
            bar = "█" * (BAR * percent // 100)
            print(f"\r{what} {bar:<{BAR}} {percent:3d} %", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clears the bar."""
        if self._shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
