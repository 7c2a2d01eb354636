"""A page is put together: its lines in PDFium's order, its tables where their first words stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from .code import LEAST_LINES, code_block
from .headings import Flow, Heading, find_headings
from .lines import Line, lines_of, resumed
from .lists import Bullet, find_bullets, itemised
from .markdown import escaped, linked, printable, table_rows
from .model import Table, Word
from .outline import Title
from .paragraphs import paragraph_breaks
from .profile import Profile


class Told(NamedTuple):
    """What the document says about a page beyond its words.

    `titles` are those of the outline that lead here; `tags` (heading levels) and `links` (addresses) go by places.
    """

    titles: Sequence[Title]
    tags: dict[int, int]
    links: dict[int, str]


def page_markdown(lines: list[Line], tables: list[Table], profile: Profile, told: Told) -> str:
    """Returns a page as Markdown, from the lines that are its own."""
    flow = joined(flow_of(lines, tables))
    headings = find_headings(flow, profile, told.titles, told.tags)
    return _tidy(_written(flow, headings, profile, told.links))


def flow_of(lines: list[Line], tables: list[Table]) -> list[Line | Table]:
    """Takes the words of tables out of their lines and puts each table where its first word stood."""
    in_text = _tables_in_text(lines, tables)
    owner = {place: k for k, table in enumerate(tables) if k not in in_text for place in table.words}
    if not owner:
        return list(lines)
    flow: list[Line | Table] = []
    placed: set[int] = set()
    for line in lines:
        numbers = dict.fromkeys(owner[word.place] for word in line.words if word.place in owner)
        if not numbers:
            flow.append(line)
            continue
        flow += [tables[number] for number in numbers if number not in placed]
        placed |= numbers.keys()
        flow += lines_of(word for word in line.words if word.place not in owner)
    return flow


def joined(flow: Flow) -> list[Line | Table]:
    """Puts together what PDFium read as several lines and is one in print."""
    whole: list[Line | Table] = []
    for item in flow:
        above = whole[-1] if whole else None
        if isinstance(item, Line) and isinstance(above, Line):
            one = itemised(above, item) or resumed(above, item)
            if one:
                whole[-1] = one
                continue
        whole.append(item)
    return whole


def _tables_in_text(lines: list[Line], tables: list[Table]) -> set[int]:
    """Returns the numbers of tables most of whose lines go on as text: shaded words, not a table beside a text."""
    owner = {place: number for number, table in enumerate(tables) for place in table.words}
    whole: Counter[int] = Counter()
    torn: Counter[int] = Counter()
    for line in lines if owner else ():
        inside = [owner[word.place] for word in line.words if word.place in owner]
        outside = len(line.words) - len(inside)
        for number in set(inside):
            (torn if outside >= inside.count(number) else whole)[number] += 1
    return {number for number in torn if torn[number] > whole[number]}


def _written(flow: Flow, headings: dict[int, Heading], profile: Profile, links: dict[int, str]) -> Iterable[str]:
    """Yields the lines of the page; blocks that need it have an empty line around them, paragraphs one before them."""
    breaks, bullets = paragraph_breaks(flow), find_bullets(flow)
    number = 0
    while number < len(flow):
        item = flow[number]
        count = 1
        if isinstance(item, Table):
            yield from ("", *table_rows(item), "")
        elif number in headings:
            level, count = headings[number]
            words = [word for line in flow[number : number + count] if isinstance(line, Line) for word in line.words]
            yield from ("", "#" * level + " " + linked(words, links), "")
        elif item.mono and (code := _code_at(flow, number, headings, profile)):
            count = len(code)
            yield from ("", *code_block(code), "")
        else:
            yield from [""] * (number in breaks)
            yield _written_line(item, bullets.get(number), links)
        number += count


def _code_at(flow: Flow, number: int, headings: dict[int, Heading], profile: Profile) -> list[Line]:
    """Returns the listing that starts here; none where all of the document is set like code."""
    code: list[Line] = []
    while not profile.mono_body and number + len(code) < len(flow):
        line = flow[number + len(code)]
        if not isinstance(line, Line) or not line.mono or number + len(code) in headings:
            break
        code.append(line)
    return code if len(code) >= LEAST_LINES else []


def _written_line(line: Line, bullet: Bullet | None, links: dict[int, str]) -> str:
    if bullet is None:
        return escaped(linked(line.words, links))
    return "  " * bullet.depth + "- " + linked(_behind(line, bullet.length), links)


def _behind(line: Line, length: int) -> list[Word]:
    """Returns the words of a line without its bullet, be that a word of its own or glued to the first."""
    first = line.words[0]
    rest = first.text[length:].lstrip()
    return [replace(first, text=rest), *line.words[1:]] if rest else line.words[1:]


def _tidy(lines: Iterable[str]) -> str:
    """Joins lines: no spaces at their ends, no two empty ones in a row, none at the edges."""
    kept: list[str] = []
    for line in lines:
        stripped = printable(line).rstrip()
        if stripped or (kept and kept[-1]):
            kept.append(stripped)
    return "\n".join(kept).strip("\n")
