"""Writes a page as Markdown: its lines in PDFium's order, each table in place of its first word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ....named_tuple import NamedTuple
from ...clean_markdown import tidy
from ..document_facts.bookmark_titles import Title
from ..document_facts.profile import Profile
from ..heading_search.consecutive_lines import Flow
from ..heading_search.find_headings import Heading, find_headings
from ..page_content.embedded_images import EmbeddedImage, image_markdown_by_item
from ..page_content.text_lines import Line, joined_if_continued, lines_of
from ..page_model import Table, Word
from .code_listings import MIN_LINES, code_block
from .hyphens import compounds_in, joined_words
from .inline_markdown import escaped, printable, table_markdown_lines, with_links
from .list_items import Bullet, find_bullets, join_bullet_with_text, with_marks_joined
from .paragraph_breaks import paragraph_breaks, split_long_paragraph
from .paragraph_joins import find_continuing_lines
from .reading_order import in_reading_order

NO_IMAGES: Mapping[int, list[str]] = MappingProxyType({})


class PageHints(NamedTuple):
    """What the document says about a page beyond its words.

    `titles` are the outline entries that point to the page. `tags` maps the `char_index` of a word to its heading
    level, `links` to its address.
    """

    titles: Sequence[Title]
    tags: dict[int, int]
    links: dict[int, str]
    images: Sequence[EmbeddedImage] = ()


def page_markdown(
    lines: list[Line], tables: Sequence[Table], profile: Profile, hints: PageHints, printed: bool = False
) -> str:
    """Returns a page as Markdown; `lines` are those of the page without running lines, `printed` keeps each."""
    flow = in_reading_order(with_marks_joined(with_broken_lines_joined(flow_of(lines, tables))))
    headings = find_headings(flow, profile, hints.titles, hints.tags)
    images = image_markdown_by_item(flow, hints.images) if hints.images else NO_IMAGES
    return tidy(
        "\n".join(map(printable, _markdown_lines(_Blocks(flow, headings, profile, printed), hints.links, images)))
    )


def flow_of(lines: list[Line], tables: Sequence[Table]) -> list[Line | Table]:
    """Returns the lines without the words of tables, and each table in place of its first word."""
    owner = {index: k for k, table in enumerate(tables) for index in table.char_indexes}
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
            one = join_bullet_with_text(above, item) or joined_if_continued(above, item)
            if one:
                joined[-1] = one
                continue
        joined.append(item)
    return joined


class _Blocks:
    """What the lines of a page are: headings, code, items, and the lines of paragraphs."""

    def __init__(self, flow: Flow, headings: dict[int, Heading], profile: Profile, printed: bool) -> None:
        self.flow, self.headings = flow, headings
        self.breaks, self.bullets = paragraph_breaks(flow), find_bullets(flow)
        self.code = _code(flow, headings, profile)
        self.compounds = profile.compounds | compounds_in(line.text for line in flow if isinstance(line, Line))
        self._joined = set[int]() if printed else self._continuing_lines()

    def _continuing_lines(self) -> set[int]:
        """Returns the lines that continue a paragraph; none do across headings and code."""
        apart = self.breaks | {number + k for number, code in self.code.items() for k in range(len(code) + 1)}
        apart |= {number + k for number, heading in self.headings.items() for k in range(heading.lines + 1)}
        return find_continuing_lines(self.flow, frozenset(apart), frozenset(self.bullets))

    def paragraph(self, number: int) -> list[Line]:
        """Returns the lines of the paragraph that begins here."""
        lines = [line for line in self.flow[number : number + 1] if isinstance(line, Line)]
        while number + len(lines) in self._joined and isinstance(line := self.flow[number + len(lines)], Line):
            lines.append(line)
        return lines


def _markdown_lines(page: _Blocks, links: dict[int, str], images: Mapping[int, list[str]]) -> Iterable[str]:
    """Yields the Markdown lines of the page, with empty lines around blocks and before paragraphs.

    Images that stand before an item inside a block are written below the block.
    """
    number = 0
    while number < len(page.flow):
        item = page.flow[number]
        count = 1
        yield from _between_blank_lines(images.get(number))
        if isinstance(item, Table):
            yield from ("", *item.above, "", *table_markdown_lines(item), "", *item.below, "")
        elif number in page.headings:
            level, count = page.headings[number]
            lines = [line for line in page.flow[number : number + count] if isinstance(line, Line)]
            yield from ("", "#" * level + " " + with_links([word for line in lines for word in line.words], links), "")
        elif code := page.code.get(number):
            count = len(code)
            yield from ("", *code_block(code), "")
        else:
            paragraph = page.paragraph(number)
            count = len(paragraph)
            yield from [""] * (number in page.breaks)
            yield from _paragraph(paragraph, page.bullets.get(number), page.compounds, links)
        for inside in range(number + 1, number + count) if images else ():
            yield from _between_blank_lines(images.get(inside))
        number += count
    yield from _between_blank_lines(images.get(number))


def _between_blank_lines(marks: list[str] | None) -> Iterable[str]:
    """Returns lines with blank lines around them."""
    return ("", *marks, "") if marks else ()


def _code(flow: Flow, headings: dict[int, Heading], profile: Profile) -> dict[int, list[Line]]:
    """Returns the code listings by the number of their first line; none where the whole document is monospaced."""
    code_by_line: dict[int, list[Line]] = {}
    number = 0
    while number < len(flow) and not profile.mono_body:
        code: list[Line] = []
        while number + len(code) < len(flow) and number + len(code) not in headings:
            line = flow[number + len(code)]
            if not isinstance(line, Line) or not line.mono:
                break
            code.append(line)
        if len(code) >= MIN_LINES:
            code_by_line[number] = code
        number += max(1, len(code))
    return code_by_line


def _paragraph(
    lines: list[Line], bullet: Bullet | None, compounds: frozenset[str], links: dict[int, str]
) -> Iterable[str]:
    """Yields the lines of one paragraph or list item: one, or several where it is long."""
    words = lines[0].words if bullet is None else _without_bullet(lines[0], bullet.length)
    for line in lines[1:]:
        words = joined_words(words, line.words, compounds)
    text = with_links(words, links)
    if bullet is not None:
        text = "  " * bullet.depth + "- " + text
    yield from (
        escaped(part) if bullet is None else part for part in (split_long_paragraph(text) if len(lines) > 1 else [text])
    )


def _without_bullet(line: Line, length: int) -> list[Word]:
    """Returns the words of a line without its bullet, whether that is a separate word or part of the first."""
    first = line.words[0]
    rest = first.text[length:].lstrip()
    return [replace(first, text=rest), *line.words[1:]] if rest else line.words[1:]
