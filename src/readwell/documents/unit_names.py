"""Turns `pages` given by name into numbers: sheets, slides and chapters by their first heading; refuses others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import InvalidRequest
from ..model import Span
from ..path_names import printable
from ..structure.markdown import without_markup

if TYPE_CHECKING:
    from .paged_text import PagedText

NEAR_TOP = 3
"""Lines of a unit, anchor included, in which its name is looked for."""
HEADING = re.compile(r"#{1,6} (.+)")
OF_SHEETS = re.compile(r"(?:, rows [\d,]+-[\d,]+)?(?: \(part [\d,]+ of [\d,]+\))?$")
"""What may follow the name of a sheet."""
WITHOUT_NAMES = ("page", "part")
MAX_NAMED = 20
LONGEST_NAME = 60


def resolve_named_units(text: PagedText, pages: Span) -> Span:
    """Returns units by number that may be named; raises InvalidRequest with the existing names."""
    whole = text.whole_part()
    if not pages.name or not whole.unit or _in_range(pages, whole.units):
        return pages
    if whole.unit in WITHOUT_NAMES:
        raise InvalidRequest("pages", wants=valid_pages_hint(pages, whole.units))
    names = list(unit_names(text.units(), whole.unit))
    for same in (str, str.casefold):
        numbers = [number for number, name in enumerate(names, 1) if same(name) == same(pages.name)]
        if numbers:
            return Span(numbers[0], _last_consecutive(numbers))
    raise InvalidRequest("pages", wants=f"within 1-{whole.units}, or the name of a {whole.unit}: {_listed(names)}")


def valid_pages_hint(pages: Span, units: int) -> str:
    """Returns what a request for pages that do not exist should have asked for."""
    if 1 <= pages.last < pages.first <= units:
        return f"in rising order: {pages.last}-{pages.first}"
    return f"within 1-{units}"


def unit_names(units: Iterable[Sequence[str]], unit: str) -> Iterator[str]:
    """Yields the name of each unit; empty if it has none."""
    for lines in units:
        heading_match = next((heading for line in lines[:NEAR_TOP] if (heading := HEADING.match(line))), None)
        name = without_markup(heading_match[1]) if heading_match else ""
        yield OF_SHEETS.sub("", name) if unit == "sheet" else name


def _in_range(pages: Span, units: int) -> bool:
    """Says whether a document has these pages."""
    return 1 <= pages.first <= pages.last <= units or -units <= pages.first < 0


def _last_consecutive(numbers: Sequence[int]) -> int:
    """Returns the last of the units that follow the first one: a long sheet has several parts of one name."""
    return max(number for index, number in enumerate(numbers) if number == numbers[0] + index)


def _listed(names: Sequence[str]) -> str:
    """Returns the names of units; of many only the first ones."""
    told = list(dict.fromkeys(f'"{printable(name[:LONGEST_NAME])}"' for name in names if name))
    more = f" and {len(told) - MAX_NAMED} more" if len(told) > MAX_NAMED else ""
    return ", ".join(told[:MAX_NAMED]) + more if told else "none of them has one"
