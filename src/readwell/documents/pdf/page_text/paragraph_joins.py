"""Finds printed lines that go on the line above: those of one paragraph, list item or caption.

In doubt a line stays as printed: verse, lists of names, formulas and contents are lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..heading_search.consecutive_lines import Flow
from ..heading_search.heading_patterns import CAPTION
from ..page_content.text_lines import Line
from .hyphens import WIDE, is_broken
from .text_columns import Typesetting, find_line_runs, find_wraps, start_and_end, typesetting_of

SPACE = 0.25
FULL = 0.6
"""How close to the edge, in ems, a full line of justified text ends."""
INDENT = 0.8
DEEPEST_INDENT = 5.0
LEADING, RELAXED_LEADING = 1.15, 1.5
"""The largest distance to the line above, as a multiple of the usual one."""
SHORTER = 0.7
"""How long, as a share of the width, a line must be at least to be gone on in lower case."""
ROOM_SHARE, CAPITAL_SHARE, ALL_CAPITALS, MIN_LIST = 0.6, 0.8, 0.95, 4
MIN_LETTERS = 0.5
WIDE_GAP = 1.5
"""The gap within a line, in ems, that is one between columns."""
CLOSED, QUOTES = (".", "!", "?", ":", ";", "…", "。", "！", "？"), "\"'”’»)]"
"""How a sentence ends, and what may stand behind its end."""
LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
MARK = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s|\[\d{1,3}\]\s|\d{1,2}(?:\.\d{1,2})+\.?\s|§\s?\d")
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")


def find_continuing_lines(flow: Flow, apart: frozenset[int], items: frozenset[int]) -> set[int]:
    """Returns the numbers of lines that go on the line above them.

    `apart` are lines that belong to no paragraph, such as headings and code, and lines after vertical space; `items`
    are those that begin with a bullet.
    """
    joined: set[int] = set()
    wraps = find_wraps(flow)
    for run in find_line_runs(flow):
        lines = [line for line in flow[run.start : run.stop] if isinstance(line, Line)]
        here = [{number - run.start for number in numbers} for numbers in (apart, items)]
        joined |= {run.start + number for number in _continuing_in_column(lines, typesetting_of(lines, wraps), *here)}
    return joined | _continuing_across_columns(flow, apart | items)


def _continuing_in_column(
    lines: Sequence[Line], typesetting: Typesetting, apart: set[int], items: set[int]
) -> set[int]:
    """Returns the lines of one column that go on the one above."""
    joined: set[int] = set()
    odd = {number for number, line in enumerate(lines) if _is_not_running_text(line)} if len(lines) > 1 else set[int]()
    starts = [number for number in range(len(lines)) if not number or number in apart]
    for first, end in pairwise([*starts, len(lines)]):
        block = range(first, end)
        if _are_verse_or_list(lines[first:end], typesetting, any(number in items for number in block)):
            continue
        hanging: float | None = None
        for number in block[1:]:
            above, line = lines[number - 1], lines[number]
            is_item = number - 1 in items or MARK.match(above.text) is not None
            is_first = number - 1 not in joined
            if is_first:
                hanging = None
            if (
                number in items
                or number in odd
                or number - 1 in odd
                or not _goes_on(above, line, typesetting, is_item and is_first, is_first, hanging)
            ):
                continue
            if hanging is None:
                hanging = start_and_end(line)[0]
            joined.add(number)
    return joined


def _goes_on(
    above: Line, line: Line, typesetting: Typesetting, is_item: bool, is_first: bool, hanging: float | None
) -> bool:
    """Whether a line goes on the one above it; `hanging` is where the lines of this paragraph begin, once known."""
    if _begins_anew(above, line):
        return False
    flows = _sentence_goes_on(above, line)
    if not flows and (abs(above.size - line.size) > 0.3 or above.bold != line.bold):
        return False
    if line.baseline - above.baseline > (RELAXED_LEADING if flows else LEADING) * typesetting.pitch:
        return False
    if not _begins_where_expected(above, line, typesetting, is_item, is_first, hanging):
        return False
    return _is_full(above, line, typesetting, flows)


def _sentence_goes_on(above: Line, line: Line) -> bool:
    """Whether a sentence goes on, by its letters: in lower case, with a broken word, or in a script without spaces."""
    if _ends_sentence(above.text):
        return False
    if line.text[0].islower() or is_broken(above.words[-1].text, line.words[0].text):
        return True
    return WIDE.match(above.text[-1]) is not None and WIDE.match(line.text[0]) is not None


def _is_full(above: Line, line: Line, typesetting: Typesetting, flows: bool) -> bool:
    """Whether the line above ended because the next word had no room."""
    start, end = start_and_end(above)
    if flows and _covers_most_of_width(start, end, typesetting):
        return True
    if typesetting.justified:
        return end >= typesetting.right - FULL * above.size
    return not _had_room(above, line, typesetting) and (typesetting.proven or flows)


def _covers_most_of_width(start: float, end: float, typesetting: Typesetting) -> bool:
    """Whether a line is long enough, by the width of its column, for the next to continue it."""
    return end - start > SHORTER * (typesetting.right - typesetting.left)


def _had_room(above: Line, line: Line, typesetting: Typesetting) -> bool:
    """Whether the first word of a line had fitted at the end of the line above."""
    first = line.words[0]
    return start_and_end(above)[1] + SPACE * above.size + first.x1 - first.x0 <= typesetting.right


def _begins_where_expected(
    above: Line, line: Line, typesetting: Typesetting, is_item: bool, is_first: bool, hanging: float | None
) -> bool:
    """Whether a line begins where the next line of a paragraph begins: below it, further left, or hanging."""
    start, upper = start_and_end(line)[0], start_and_end(above)[0]
    em = line.size
    if hanging is not None:
        return abs(start - hanging) < INDENT * em
    if abs(start - upper) < INDENT * em:
        return True
    if start < upper:
        # The first line of a paragraph is indented; the others begin at the edge of the column.
        return is_first and upper - start < DEEPEST_INDENT * em and start - typesetting.left < INDENT * em
    return is_item and start - upper < DEEPEST_INDENT * em


def _begins_anew(above: Line, line: Line) -> bool:
    """Whether a line begins a caption, a numbered item, or an item with the same sign as the one above."""
    if CAPTION.match(line.text) or _has_leaders(above.text) or _has_leaders(line.text):
        return True
    if MARK.match(line.text) and (_ends_sentence(above.text) or MARK.match(above.text)):
        return True
    sign = line.text[0]
    return not sign.isalnum() and sign == above.text[0] and sign not in "(\"'“‘«"


def _ends_sentence(text: str) -> bool:
    """Whether a line ends a sentence."""
    return text.rstrip(QUOTES).endswith(CLOSED)


def _has_leaders(text: str) -> bool:
    """Whether a line has leader dots or blanks to fill in; most lines have too few dots to be searched for them."""
    return (text.count(".") > 3 or "…" in text or "_" in text) and LEADERS.search(text) is not None


def _is_not_running_text(line: Line) -> bool:
    """Whether a line is a formula, has columns, or is in a script whose words may break anywhere."""
    letters = sum(map(str.isalpha, line.text))
    if line.mono or letters < MIN_LETTERS * line.length or (not line.text.isascii() and HANGUL.search(line.text)):
        return True
    widest = WIDE_GAP * line.size
    return bool([left for left, right in pairwise(line.words) if right.x0 - left.x1 > widest])


def _are_verse_or_list(lines: Sequence[Line], typesetting: Typesetting, has_items: bool) -> bool:
    """Whether lines are verse, or a list of names: most ended early, or nearly all begin anew."""
    if len(lines) < 2 or has_items:
        return False
    room = sum(_had_room(above, line, typesetting) for above, line in pairwise(lines))
    if room > ROOM_SHARE * (len(lines) - 1):
        return True
    begun = sum(line.text[0].isupper() or line.text[0].isdigit() for line in lines[1:])
    share = ALL_CAPITALS if typesetting.justified else CAPITAL_SHARE
    return len(lines) >= MIN_LIST and begun >= share * (len(lines) - 1)


def _continuing_across_columns(flow: Flow, apart: frozenset[int]) -> set[int]:
    """Returns lines at the top of a column that go on the last line of the one before, surely so."""
    joined: set[int] = set()
    for number, (above, line) in enumerate(pairwise(flow), 1):
        if not isinstance(above, Line) or not isinstance(line, Line) or number in apart or number - 1 in apart:
            continue
        if line.bottom > above.top or line.x0 < above.x1 or abs(above.size - line.size) > 0.3:
            continue
        if (
            not line.text[0].islower()
            or _ends_sentence(above.text)
            or _is_not_running_text(above)
            or _is_not_running_text(line)
        ):
            continue
        if abs((above.x1 - above.x0) - (line.x1 - line.x0)) < INDENT * line.size:
            joined.add(number)
    return joined
