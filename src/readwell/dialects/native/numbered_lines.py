"""Lines with their numbers, and with marks that say how a cut line continues."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...light_typing import TYPE_CHECKING
from ...model import Clip

if TYPE_CHECKING:
    from re import Match

NUL, LONG_RUN = "␀", 4
"""How a NUL is shown; from LONG_RUN in a row on, their number is shown instead."""
FIRST_NUMBERS = 2000
LAST_DIGITS = tuple(f"{number:02d}\t" for number in range(100))
BELOW_HUNDRED = tuple(f"{number}\t" for number in range(100))


def lines_as_shown(lines: Sequence[str], start: int, column: int, clips: Sequence[Clip], numbers: bool) -> str:
    """Returns the lines as they are shown: number, text, and how a cut line continues."""
    if clips:
        lines = _with_continuation_marks(lines, start, clips)
    shown = number_lines(lines, start) if numbers else "\n".join(lines)
    if "\0" in shown:
        import re

        shown = re.sub("\0+", _show_nuls, shown)
    if not numbers:
        return shown
    # The first tab ends the first gutter.
    return shown.replace("\t", f"@{column}\t", 1) if column > 1 else shown


def _show_nuls(match: Match[str]) -> str:
    """Returns a run of NULs as it is shown; a long one by its length."""
    count = len(match[0])
    return NUL * count if count < LONG_RUN else f"{NUL}×{count}"


def _with_continuation_marks(lines: Sequence[str], start: int, clips: Sequence[Clip]) -> list[str]:
    """Returns the lines; those that are cut end in the params that continue them."""
    marked = list(lines)
    for clip in clips:
        if clip.line - start < len(marked):
            rest = "more" if clip.rest is None else f"+{clip.rest} characters"
            marked[clip.line - start] += f" …[{rest}: offset={clip.line} column={clip.column}]"
    return marked


@cache
def _first_gutters() -> list[str]:
    """Returns the first numbers with a tab, each after a newline: most reads are of the first lines of a file."""
    return [f"\n{number}\t" for number in range(1, FIRST_NUMBERS + 1)]


def number_lines(lines: Sequence[str], start: int) -> str:
    """Returns the lines joined by newlines, each after its number and a tab."""
    last = start + len(lines) - 1
    if start > 0 and last <= FIRST_NUMBERS:
        pairs = [""] * (2 * len(lines))
        pairs[::2], pairs[1::2] = _first_gutters()[start - 1 : last], lines
        return "".join(pairs)[1:]
    if start < 1:
        return "\n".join([f"{number}\t{line}" for number, line in enumerate(lines, start)])
    # Formatting every number would be the slowest part of a reply: the hundreds are formatted once per 100 lines.
    hundred, low = divmod(start, 100)
    woven: list[str] = []
    done = 0
    while done < len(lines):
        some = lines[done : done + 100 - low]
        part = [f"\n{hundred or ''}"] * (3 * len(some))
        part[1::3] = (LAST_DIGITS if hundred else BELOW_HUNDRED)[low : low + len(some)]
        part[2::3] = some
        woven += part
        done, hundred, low = done + len(some), hundred + 1, 0
    return "".join(woven)[1:]
