"""Tries a root for `readwell doctor`: reaches it, lists it, reads a byte of a file."""

from __future__ import annotations

import re
from contextlib import suppress
from time import monotonic

from ..errors import BinaryFile, DeadlineExceeded, InvalidRequest, NotFound, ReadError, Unreadable
from ..policy import Denials
from ..reader import Reader

DEADLINE_S = 15.0
SIZE = re.compile(r"\t\d+$", re.ASCII)
"""Ends the line of a file that can be read; links that lead nowhere, pipes and others have a word there."""
NO_SUCH_NAME = "readwell-doctor-looks-for-a-name-that-is-not-there"


def check_root(root: str, denials: Denials) -> str:
    """Returns what was found and how long an answer took; raises a ReadError or ValueError that says what is wrong."""
    with Reader(root, cache_dir=None, deadline_s=DEADLINE_S, **denials._asdict()) as reader:
        began = monotonic()
        try:
            listing = reader.read(".")
        except InvalidRequest:  # an HTTP server
            began = monotonic()
            _ask_for_missing_name(reader)
            return f"answers in {_milliseconds_since(began)}; an HTTP root cannot be listed"
        entries = "1 entry" if listing.window.total == 1 else f"{listing.window.total} entries"
        told = f"lists {entries} in {_milliseconds_since(began)}"
        name = next((line.rpartition("\t")[0] for line in listing.lines if SIZE.search(line)), None)
        if name is None:
            return told
        began = monotonic()
        with suppress(BinaryFile):
            reader.read(name, limit=1, total="lazy", view="source")
        return f"{told}, reads {name} in {_milliseconds_since(began)}"


def failure_and_next_step(error: ReadError | ValueError) -> str:
    """Returns what a failed try tells, and the next step."""
    match error:
        case Unreadable(no_permission=True):
            return f"{error.reason}; check the credentials and what they may list and read"
        case Unreadable():
            return f"{error.reason}; check the address of the root and of its endpoint"
        case DeadlineExceeded():
            return f"no answer in {error.seconds:g} s; check the address of the root and the network"
        case _:
            return str(error)


def _ask_for_missing_name(reader: Reader) -> None:
    """Asks for a name that does not exist, which is a good answer; raises what else is wrong."""
    with suppress(NotFound):
        reader.read(NO_SUCH_NAME)


def _milliseconds_since(began: float) -> str:
    """Returns the time since a moment as text."""
    return f"{(monotonic() - began) * 1000:.0f} ms"
