"""Writes a page as Markdown: its lines in PDFium's order, each table in place of its first word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...named_tuple import NamedTuple
from .code import LEAST_LINES, code_block
from .headings import Flow, Heading, find_headings
from .lines import Line, joined_if_continued, lines_of
from .lists import Bullet, bullet_with_text, find_bullets
from .markdown import escaped, printable, table_rows, with_links
from .model import Table, Word
from .outline import Title
from .paragraphs import paragraph_breaks
from .profile import Profile


class PageHints(NamedTuple):
    """What the document says about a page beyond its words.

    `titles` are the outline entries that point to the page. `tags` maps the `char_index` of a word to its heading
    level, `links` to its address.
    """

    titles: Sequence[Title]
    tags: dict[int, int]
    links: dict[int, str]


def page_markdown(lines: list[Line], tables: list[Table], profile: Profile, hints: PageHints) -> str:
    """Returns a page as Markdown; `lines` are those of the page without running lines."""
    flow = with_broken_lines_joined(flow_of(lines, tables))
    headings = find_headings(flow, profile, hints.titles, hints.tags)
    return _tidy(_markdown_lines(flow, headings, profile, hints.links))


def flow_of(lines: list[Line], tables: list[Table]) -> list[Line | Table]:
    """Returns the lines without the words of tables, and each table in place of its first word."""
    in_text = _tables_in_text(lines, tables)
    owner = {index: k for k, table in enumerate(tables) if k not in in_text for index in table.char_indexes}
    if not owner:
        return list(lines)
    flow: list[Line | Table] = []
    placed: set[int] = set()
    for line in lines:
        numbers = dict.fromkeys(owner[word.char_index] for word in line.words if word.char_index in owner)
        if not numbers:
            flow.append(line)
            continue
        flow += [tables[number] for number in numbers if number not in placed]
        placed |= numbers.keys()
        flow += lines_of(word for word in line.words if word.char_index not in owner)
    return flow


def with_broken_lines_joined(flow: Flow) -> list[Line | Table]:
    """Joins lines that PDFium split and that are one line in print."""
    joined: list[Line | Table] = []
    for item in flow:
        above = joined[-1] if joined else None
        if isinstance(item, Line) and isinstance(above, Line):
            one = bullet_with_text(above, item) or joined_if_continued(above, item)
            if one:
                joined[-1] = one
                continue
        joined.append(item)
    return joined


def _tables_in_text(lines: list[Line], tables: list[Table]) -> set[int]:
    """Returns the numbers of false tables: most of their lines continue as text, as with shaded words."""
    owner = {index: number for number, table in enumerate(tables) for index in table.char_indexes}
    whole: Counter[int] = Counter()
    torn: Counter[int] = Counter()
    for line in lines if owner else ():
        inside = [owner[word.char_index] for word in line.words if word.char_index in owner]
        outside = len(line.words) - len(inside)
        for number in set(inside):
            (torn if outside >= inside.count(number) else whole)[number] += 1
    return {number for number in torn if torn[number] > whole[number]}


def _markdown_lines(flow: Flow, headings: dict[int, Heading], profile: Profile, links: dict[int, str]) -> Iterable[str]:
    """Yields the Markdown lines of the page, with empty lines around blocks and before paragraphs."""
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
            yield from ("", "#" * level + " " + with_links(words, links), "")
        elif item.mono and (code := _code_at(flow, number, headings, profile)):
            count = len(code)
            yield from ("", *code_block(code), "")
        else:
            yield from [""] * (number in breaks)
            yield _markdown_line(item, bullets.get(number), links)
        number += count


def _code_at(flow: Flow, number: int, headings: dict[int, Heading], profile: Profile) -> list[Line]:
    """Returns the code listing that starts here; none where the whole document is monospaced."""
    code: list[Line] = []
    while not profile.mono_body and number + len(code) < len(flow):
        line = flow[number + len(code)]
        if not isinstance(line, Line) or not line.mono or number + len(code) in headings:
            break
        code.append(line)
    return code if len(code) >= LEAST_LINES else []


def _markdown_line(line: Line, bullet: Bullet | None, links: dict[int, str]) -> str:
    if bullet is None:
        return escaped(with_links(line.words, links))
    return "  " * bullet.depth + "- " + with_links(_without_bullet(line, bullet.length), links)


def _without_bullet(line: Line, length: int) -> list[Word]:
    """Returns the words of a line without its bullet, whether that is a separate word or part of the first."""
    first = line.words[0]
    rest = first.text[length:].lstrip()
    return [replace(first, text=rest), *line.words[1:]] if rest else line.words[1:]


def _tidy(lines: Iterable[str]) -> str:
    """Joins lines without trailing spaces, repeated empty lines, or empty lines at either end."""
    kept: list[str] = []
    for line in lines:
        stripped = printable(line).rstrip()
        if stripped or (kept and kept[-1]):
            kept.append(stripped)
    return "\n".join(kept).strip("\n")
