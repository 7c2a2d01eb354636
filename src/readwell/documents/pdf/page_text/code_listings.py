"""Code listings: monospaced lines, fenced, with indentation and columns restored from word positions."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, pairwise
from statistics import median

from ..page_content.text_lines import Line
from ..page_model import RulingLine, Rulings

ANCHOR = re.compile(r"^<!-- ")
"""The start of our own page anchors: a line of a listing must not look like one."""
MIN_LINES = 2
HEADS_APART, RULE_NEAR, RULE_FAR, SAME_END = 1.0, 1.5, 4.0, 6.0
"""In ems: the least gap between heads, how near and far the ruling lines around a table are; ends in points."""
LATTICE_WALLS, LINES_OF_CELL = 3, 4
"""The fewest vertical ruling lines beside a line in a lattice, and the most lines of a cell that is no listing."""
MAX_INDENT = 40
WIDE_SPACE = 2.5
"""The largest gap that is one space, in characters."""
BEARING = 0.25
"""The side bearings before the first and after the last letter of a word, in characters."""
BLANK = 1.6
"""Lines further apart than this multiple of the usual distance get an empty line between them."""


def without_code(lines: list[Line], rulings: Rulings) -> list[Line]:
    """Returns the lines outside listings: indented code looks much like a table."""
    if not any(line.mono for line in lines):
        return lines
    kept: list[Line] = []
    for mono, run in groupby(lines, key=lambda line: line.mono):
        same = list(run)
        listed = mono and len(same) >= MIN_LINES and not (kept and _are_below_head(same, kept[-1], rulings))
        kept += [] if listed and not _are_cells_of_lattice(same, lines, rulings) else same
    return kept


def _are_cells_of_lattice(lines: list[Line], others: list[Line], rulings: Rulings) -> bool:
    """Whether lines are cells of a drawn table that has words in another font, too, few of them in one cell.

    A listing may have a frame and numbered lines, and one cell of a table may hold a listing.
    """
    cells: Counter[tuple[float, float]] = Counter()
    beside: list[RulingLine] = []
    for line in lines:
        walls = [wall for wall in rulings.vertical if wall.start < line.baseline < wall.end]
        if len(walls) < LATTICE_WALLS or not (walls[0].at < line.x1 and line.x0 < walls[-1].at):
            return False
        above = [
            rule.at for rule in rulings.horizontal if rule.at < line.baseline and rule.start <= line.x0 <= rule.end
        ]
        cells[max(above, default=0.0), max((wall.at for wall in walls if wall.at < line.x1), default=0.0)] += 1
        beside += walls
    left, right = min(wall.at for wall in beside), max(wall.at for wall in beside)
    top, bottom = min(wall.start for wall in beside), max(wall.end for wall in beside)
    mixed = any(line.x0 < right and line.x1 > left and top < line.baseline < bottom for line in others if not line.mono)
    return mixed and max(cells.values()) <= LINES_OF_CELL


def _are_below_head(lines: list[Line], above: Line, rulings: Rulings) -> bool:
    """Whether lines stand between two open ruling lines, below the heads of columns under a third: in a table."""
    first, last = lines[0], lines[-1]
    gaps = [after.x0 - before.x1 for before, after in pairwise(above.words)]
    if not gaps or max(gaps) < HEADS_APART * above.size:
        return False
    below = min((rule for rule in rulings.horizontal if rule.at > last.baseline), default=None)
    if not below or below.at - last.bottom > RULE_NEAR * last.size:
        return False
    near = [rule for rule in rulings.horizontal if above.top - RULE_FAR * above.size < rule.at < first.baseline]
    over = any(rule.at < above.baseline and _have_same_ends(rule, below) for rule in near)
    under = any(rule.at > above.baseline and below.start - SAME_END < rule.start < below.end for rule in near)
    framed = any(wall.start < below.at - 1 and wall.end > first.baseline for wall in rulings.vertical)
    return over and under and not framed


def _have_same_ends(one: RulingLine, other: RulingLine) -> bool:
    """Says whether two ruling lines have the same ends."""
    return abs(one.start - other.start) < SAME_END and abs(one.end - other.end) < SAME_END


def code_block(lines: list[Line]) -> list[str]:
    """Returns lines of code in a fence that is longer than any inside the code."""
    left = min(line.x0 for line in lines)
    advance = _character_width(lines)
    code: list[str] = []
    distance = _line_distance(lines)
    for above, line in zip([None, *lines], lines, strict=False):
        if above and line.baseline - above.baseline > BLANK * distance:
            code.append("")
        code.append(ANCHOR.sub(r"\\\g<0>", _with_spaces(line, left, advance)))
    longest = max((len(run) for text in code for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *code, fence]


def _character_width(lines: list[Line]) -> float:
    """Returns the width of a character, measured on words of three or more letters."""
    words = [word for line in lines for word in line.words if len(word.text) >= 3]
    widths = [(word.x1 - word.x0) / (len(word.text) - BEARING) for word in words]
    return max(1.0, median(widths)) if widths else 0.6 * lines[0].size


def _line_distance(lines: list[Line]) -> float:
    """Returns the usual distance between lines."""
    steps = [b.baseline - a.baseline for a, b in pairwise(lines) if b.baseline > a.baseline]
    return median(steps) if steps else 0.0


def _with_spaces(line: Line, left: float, advance: float) -> str:
    """Returns a line with its indentation, and with wide gaps as several spaces."""
    text = " " * min(MAX_INDENT, round((line.x0 - left) / advance))
    for before, word in pairwise([None, *line.words]):
        if before is not None and word is not None:
            gap = (word.x0 - before.x1) / advance
            text += " " * (min(MAX_INDENT, round(gap)) if gap > WIDE_SPACE else 1)
        text += word.text if word else ""
    return text
