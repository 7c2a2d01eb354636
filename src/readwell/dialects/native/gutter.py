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
    hundred, first = divmod(start, 100)
    end = first + len(lines)
    hundreds: list[str] = []
    digits: list[str] = []
    while len(digits) < end:
        hundreds += [f"\n{hundred or ''}"] * 100
        digits += LAST_DIGITS if hundred else BELOW_HUNDRED
        hundred += 1
    woven = [""] * (3 * len(lines))
    woven[0::3], woven[1::3], woven[2::3] = hundreds[first:end], digits[first:end], lines
    return "".join(woven)[1:]
