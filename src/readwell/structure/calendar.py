"""Components of calendars (ICS) and cards (VCF): an event, a task, a person, each from BEGIN to END."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .text_part import Part

LINE = re.compile(r"(?:[A-Za-z0-9-]+\.)?([A-Za-z-]+)(?:;[^:]*)?:(.*)")
NAMES = ("SUMMARY", "FN", "TZID", "X-WR-CALNAME", "N")
WHEN = "DTSTART"
DEEPEST = 32
"""Components in each other; deeper ones belong to the one around them."""


class _OpenComponent:
    """A component whose end was not met yet."""

    def __init__(self, kind: str, start: int) -> None:
        self.kind, self.start = kind, start
        self.values: dict[str, str] = {}

    def part(self, end: int) -> Part:
        """Returns the component, called by what it is, its name and its time."""
        name = next((self.values[each] for each in NAMES if self.values.get(each)), "")
        when = self.values.get(WHEN, "")
        label = " ".join(filter(None, (self.kind, name and f'"{name}"', when)))
        return Part(self.start, end, kind=self.kind.lower(), label=label)


def calendar_parts(lines: Sequence[str]) -> list[Part]:
    """Returns the components in the order of their first lines; one without an end goes to the last line."""
    parts: list[Part] = []
    opened: list[_OpenComponent] = []
    too_deep = 0
    for number, line in enumerate(lines, 1):
        match = LINE.match(line)
        if not match:
            continue
        key, value = match[1].upper(), match[2].strip()
        if key == "BEGIN" and len(opened) < DEEPEST:
            opened.append(_OpenComponent(value.upper(), number))
        elif key == "BEGIN":
            too_deep += 1
        elif key == "END" and too_deep:
            too_deep -= 1
        elif key == "END" and opened:
            parts.append(opened.pop().part(number))
        elif opened and not too_deep:
            opened[-1].values.setdefault(key, value)
    parts += [each.part(len(lines)) for each in opened]
    return sorted(parts, key=lambda part: (part.start, -part.end))
