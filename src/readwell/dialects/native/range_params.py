"""Line ranges in the form of other tools: `view_range`, `lines` and `end_line` become an offset and a limit."""

from __future__ import annotations

from ...errors import InvalidRequest
from ...light_typing import cast
from ..params import whole_number

ALIASES = {"start": "offset", "end": "end_line", "view_range": "range", "lines": "range"}
NAMES = {**ALIASES, "end_line": "end_line"}
"""Names that callers use, and the names by which they are resolved here."""
TO_THE_END = -1
WRITTEN = r"(?i)\s*[\[(]?\s*L?([0-9]{1,18})\s*(?:-|,|:|\.\.)\s*L?(-1|[0-9]{1,18})\s*[\])]?\s*"


def resolve_range(given: dict[str, object]) -> None:
    """Replaces a range in the params by `offset` and `limit`; raises InvalidRequest if it is invalid."""
    if "range" in given:
        first, last = _first_and_last_line(given.pop("range"))
        given.setdefault("offset", first)
        given.setdefault("end_line", last)
    if "end_line" not in given:
        return
    end, start = whole_number("end_line", given.pop("end_line")), whole_number("offset", given.get("offset", 1)) or 1
    if end == TO_THE_END:
        return
    if start < 1 or end < start:
        raise InvalidRequest("end_line", end, "a line that is not before the first, which counts from 1")
    count = end - start + 1
    given["limit"] = min(count, whole_number("limit", given["limit"])) if "limit" in given else count


def _first_and_last_line(asked: object) -> tuple[int, int]:
    """Returns the first and the last line of `[10, 20]` or `"10-20"`."""
    import re

    written = re.fullmatch(WRITTEN, asked) if isinstance(asked, str) else None
    ends = list(written.groups()) if written else cast("list[object]", asked)
    if not isinstance(ends, (list, tuple)) or len(ends) != 2:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidRequest("lines", asked, '"10-20" or [10, 20]')
    return whole_number("lines", ends[0]), whole_number("lines", ends[1])
