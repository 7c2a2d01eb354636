"""Scores the Markdown of a generated document against its truth: tables, headings, paragraphs, order."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any, NamedTuple

Pair = tuple[str, str, str]
ENDS = 14
"""How many characters of two neighbours must stand together for them to count as joined."""


class TradeScore(NamedTuple):
    """Of one document: table pairs (found, wanted, given), headings (the same), joins (wrong, made, wanted), order."""

    tables: tuple[int, int, int]
    headings: tuple[int, int, int]
    wrong_joins: int
    joins: int
    found_joins: int
    wanted_joins: int
    order: float

    @property
    def table_f1(self) -> float:
        found, wanted, given = self.tables
        return 2 * found / (wanted + given) if wanted + given else 1.0


class Means(NamedTuple):
    """Of many documents: F1 of tables (each document counts once), of headings; joins; order."""

    tables: float
    headings: float
    wrong_joins: float
    join_recall: float
    order: float


def means(scores: Sequence[TradeScore]) -> Means:
    found, wanted, given = (sum(each.headings[k] for each in scores) for k in range(3))
    return Means(
        tables=mean(each.table_f1 for each in scores),
        headings=2 * found / max(1, wanted + given),
        wrong_joins=sum(each.wrong_joins for each in scores) / max(1, sum(each.joins for each in scores)),
        join_recall=sum(each.found_joins for each in scores) / max(1, sum(each.wanted_joins for each in scores)),
        order=mean(each.order for each in scores),
    )


def score(document: dict[str, Any], markdown: str, printed: str) -> TradeScore:
    """Scores a document; `printed` is its Markdown with a line for each printed one, if the converter has such."""
    blocks = document["blocks"]
    wrong, joins, found, wanted = joins_of(units(blocks), markdown, printed)
    return TradeScore(
        tables=table_pairs(blocks, markdown),
        headings=heading_counts(blocks, markdown),
        wrong_joins=wrong,
        joins=joins,
        found_joins=found,
        wanted_joins=wanted,
        order=order_of(blocks, markdown),
    )


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.replace("<br>", " ")).lower()


def pairs_of(grid: Iterable[Sequence[str]]) -> Counter[Pair]:
    """Counts neighbours that are not empty, in rows and in columns."""
    rows = [[plain(cell) for cell in row] for row in grid]
    width = max(map(len, rows), default=0)
    columns = [[row[k] for row in rows if k < len(row)] for k in range(width)]
    pairs: Counter[Pair] = Counter()
    for way, lines in (("row", rows), ("column", columns)):
        for line in lines:
            pairs.update((one, other, way) for one, other in pairwise(filter(None, line)))
    return pairs


def table_pairs(blocks: list[dict[str, Any]], markdown: str) -> tuple[int, int, int]:
    wanted = sum((pairs_of(block["rows"]) for block in blocks if block["kind"] == "table"), Counter[Pair]())
    given = sum((pairs_of(grid) for grid in grids(markdown)), Counter[Pair]())
    return (wanted & given).total(), wanted.total(), given.total()


GOES_ON = re.compile(r"<!-- table goes on ")


def grids(markdown: str) -> list[list[list[str]]]:
    """Returns the pipe tables; one that says that it goes on is one table with its continuation."""
    found: list[list[list[str]]] = []
    heads = 0
    inside = joined = False
    for line in markdown.split("\n"):
        if not line.startswith("|"):
            inside = False
            joined = joined or GOES_ON.match(line) is not None
            continue
        cells = cells_of(line)
        if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            continue
        if not inside:
            heads = 0 if joined and found else -1
            found += [] if joined and found else [[]]
        repeats = 0 <= heads < len(found[-1]) and cells == found[-1][heads]
        heads = heads + 1 if repeats else -1
        found[-1] += [] if repeats else [cells]
        inside, joined = True, False
    return found


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


class Continuations(NamedTuple):
    """Of one document: pages onto which a table goes on and that say so, all such pages, all that say so.

    `headed` are those whose rows stand below the table's head, `ends` those whose earlier page says it, too.
    """

    found: int
    wanted: int
    given: int
    headed: int
    ends: int


def continuations_of(blocks: list[dict[str, Any]], pages: Sequence[str], printed: Sequence[str]) -> Continuations:
    """Compares what pages say of tables that go on with where the rows of tables are printed.

    `printed` are the pages as plain text, by another way than the Markdown.
    """
    heads = _pages_of_tables(blocks, printed)
    from_above = {number for number, page in enumerate(pages) if f"goes on from page {number} -->" in page}
    ends = {number for number in from_above if f"goes on on page {number + 1} -->" in pages[number - 1]}
    found = from_above & heads.keys()
    headed = [number for number in found if plain("".join(_head_after(pages[number]))) == heads[number]]
    return Continuations(len(found), len(heads), len(from_above), len(headed), len(ends & found))


def _pages_of_tables(blocks: list[dict[str, Any]], printed: Sequence[str]) -> dict[int, str]:
    """Returns the head of the table that goes on onto a page, by the page counted from 0."""
    texts = [plain(page) for page in printed]
    heads: dict[int, str] = {}
    for block in blocks:
        rows = [plain("".join(row)) for row in block.get("rows", [])]
        places = [[number for number, text in enumerate(texts) if row in text] for row in rows if len(row) > ENDS]
        on = sorted({place[0] for place in places if len(place) == 1})
        heads |= {below: rows[0] for above, below in pairwise(on) if below == above + 1}
    return heads


def _head_after(page: str) -> list[str]:
    behind = page.partition("goes on from page")[2].split("\n")
    return next((cells_of(line) for line in behind if line.startswith("|")), [])


def heading_counts(blocks: list[dict[str, Any]], markdown: str) -> tuple[int, int, int]:
    wanted = Counter(plain(block["text"]) for block in blocks if block["kind"] == "heading")
    given = Counter(map(plain, re.findall(r"^#{1,6} (.*)$", markdown, re.M)))
    return (wanted & given).total(), wanted.total(), given.total()


def units(blocks: list[dict[str, Any]]) -> list[str]:
    """Returns what should be a line of its own each: paragraphs, list items, headings, fields."""
    found: list[str] = []
    for block in blocks:
        kind = block["kind"]
        found += [block["text"]] if kind in ("text", "heading") else block.get("items", [])
        found += [f"{label} {value}" for label, value in block.get("pairs", [])]
    return [plain(text) for text in found]


def joins_of(truth: list[str], markdown: str, printed: str) -> tuple[int, int, int, int]:
    """Returns the wrong joins, all joins, the joins found of those wanted, and those wanted."""
    lines = prose_lines(markdown)
    shown = "\n".join(lines)
    before = prose_lines(printed)
    wanted = [
        one[-ENDS:] + other[:ENDS]
        for one, other in pairwise(before)
        if one and other and any(one[-ENDS:] + other[:ENDS] in unit for unit in truth)
    ]
    wrong = sum(one[-ENDS:] + other[:ENDS] in shown for one, other in pairwise(truth))
    made = max(0, sum(map(bool, before)) - sum(map(bool, lines)))
    return wrong, made, sum(ends in shown for ends in wanted), len(wanted)


def prose_lines(markdown: str) -> list[str]:
    """Returns the lines outside tables and comments."""
    return [plain(line) for line in markdown.split("\n") if not line.startswith(("|", "<!--")) and line.strip()]


def order_of(blocks: list[dict[str, Any]], markdown: str) -> float:
    """Returns the share of neighbouring blocks that follow each other in the Markdown."""
    text = plain(re.sub(r"<!--.*?-->", "", markdown))
    places = [text.find(start_of(block)) for block in blocks if block["kind"] != "page"]
    steps = [one < other and one >= 0 for one, other in pairwise(places)]
    return mean(steps) if steps else 1.0


def start_of(block: dict[str, Any]) -> str:
    """Returns the beginning of a block, long enough to be found only there."""
    kind = block["kind"]
    if kind == "table":
        first = next(row for row in block["rows"][block["heads"] :] if sum(map(bool, row)) > 1)
        return plain("".join(first))[:40]
    words = block["text"] if kind in ("text", "heading") else ""
    words = words or "".join(block.get("items", [""])[:1]) or "".join(block.get("pairs", [("", "")])[0])
    return plain(words)[:40]
