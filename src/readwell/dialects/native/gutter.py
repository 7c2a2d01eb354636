"""Lines with their numbers before them."""

from __future__ import annotations

from collections.abc import Sequence

LAST_DIGITS = tuple(f"{number:02d}\t" for number in range(100))
BELOW_HUNDRED = tuple(f"{number}\t" for number in range(100))


def numbered(lines: Sequence[str], start: int) -> str:
    """Returns the lines joined by newlines, each behind its number and a tab."""
    if start < 1:
        return "\n".join([f"{number}\t{line}" for number, line in enumerate(lines, start)])
    # Writing out every number takes longer than all else in a reply: hundreds are written once, and woven in.
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
    woven[:1] = [first[1:] for first in woven[:1]]
    return "".join(woven)
