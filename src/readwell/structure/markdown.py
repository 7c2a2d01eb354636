"""Markdown's sections, lists, tables and code blocks, found line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .text_part import Part

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
ITEM = re.compile(r"( {0,3})(?:([-+*])|\d{1,9}([.)]))(?:[ \t]|$)")
RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
"""A line across the page, which may look like an item."""
ROW = re.compile(r"\s*\|")
DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
"""The line below the head of a table."""
PIPE = re.compile(r"(?<!\\)\|")
NO_TEXT = re.compile(r"\s*$|\s*(?:[-+*]|\d{1,9}[.)])\s|\s*[>|#<]|\s*```|\s*~~~")
"""Lines that a line of dashes below does not turn into a heading."""
NO_ROW = re.compile(r"\s*$| {0,3}(?:#{1,6}(?:\s|$)|`{3,}[^`]*$|~{3}|>|(?:[-+*]|\d{1,9}[.)])(?:\s|$))|" + RULE.pattern)
"""Lines that are neither a row of a table nor text that goes on: blank ones, headings, fences, quotes, items, rules."""
MARKS = re.compile(r"!?\[([^\]\n]{0,500})\]\([^()\n]{0,2000}\)|(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)")
LONGEST_LINE = 4000


def markdown_parts(lines: Iterable[str]) -> Iterator[Part]:
    """Yields sections, and as blocks only: lists, tables, fenced code."""
    held = [line[:LONGEST_LINE] for line in lines]
    headings = list(_headings(held))
    yield from sections([(number, level, without_markup(text)) for number, level, text in headings], len(held))
    yield from _find_blocks(held)


def sections(headings: Sequence[tuple[int, int, str]], total: int) -> Iterator[Part]:
    """Yields sections: from a heading to the line before the next one of the same or a higher level."""
    open_ones: list[tuple[int, Part]] = []
    for order, (line, level, text) in enumerate([*headings, (total + 1, 0, "")]):
        while open_ones and open_ones[-1][0] >= level:
            section = open_ones.pop()[1]
            yield section._replace(end=max(section.start, line - 1))
        title = f"section {text}".rstrip()
        part = Part(line, line, "heading", label=text, title=title, depth=len(open_ones), order=order)
        open_ones.append((level, part))


def without_markup(text: str) -> str:
    """Returns a heading's words without the marks of emphasis, code and links."""
    return MARKS.sub(lambda match: match[1] or "", text).replace("\\", "").strip()


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yields line, level and text of each heading outside of code and front matter."""
    inside = False
    skip = _end_of_front_matter(lines)
    for number, (code, is_comment) in enumerate(zip(_opening_fences(lines), _are_in_comment(lines), strict=True), 1):
        line = lines[number - 1]
        if code is not None or is_comment or number <= skip:
            inside = False
            continue
        if match := HEADING.match(line):
            yield number, len(match[1]), match[2] or ""
            inside = False
        elif inside and (match := UNDERLINE.match(line)):
            yield number - 1, 1 if match[1][0] == "=" else 2, lines[number - 2]
            inside = False
        else:
            inside = not NO_TEXT.match(line) and not line.startswith("    ")


def _end_of_front_matter(lines: Sequence[str]) -> int:
    """Returns the line that ends the front matter; 0: there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:200], 2) if line.rstrip() in ("---", "...")), 0)


def _opening_fences(lines: Sequence[str]) -> Iterator[int | None]:
    """Yields for each line the index of the fence that begins its code block; None: it is no code.

    Only a fence of the same sign, as long or longer and without words ends a block.
    """
    fence, start = "", None
    for number, line in enumerate(lines):
        fence_match = FENCE.match(line)
        if start is None and fence_match:
            fence, start = fence_match[1], number
            yield start
        else:
            yield start
            if start is not None and fence_match and fence_match[1].startswith(fence) and not fence_match[2].strip():
                start = None


def _are_in_comment(lines: Sequence[str]) -> Iterator[bool]:
    """Says of each line whether it is inside of a comment that takes several lines."""
    inside = False
    for line in lines:
        ends = "-->" in line
        inside = not ends if inside or line.lstrip().startswith("<!--") else False
        yield inside


def _find_blocks(lines: Sequence[str]) -> Iterator[Part]:
    """Yields runs of lines that belong together: code, tables, lists with what is indented below their items."""
    code = list(_opening_fences(lines))
    number = 0
    while number < len(lines):
        kind = _kind_at(lines, code, number)
        end = number + 1
        if kind:
            end = _end_of_run(lines, code, number, kind)
            yield Part(number + 1, end, kind, label=kind, title=kind, shown=False)
        number = end


def _kind_at(lines: Sequence[str], code: Sequence[int | None], number: int) -> str:
    """Returns what a line belongs to: code, a table, a list, or nothing of that kind."""
    if code[number] is not None:
        return "code"
    if ROW.match(lines[number]) or _is_table_head(lines, number):
        return "table"
    return "list" if _list_item(lines[number]) else ""


def _end_of_run(lines: Sequence[str], code: Sequence[int | None], number: int, kind: str) -> int:
    """Returns the last line of a run, counted from 1."""
    if kind == "code":
        same = (code[other] == code[number] for other in range(number, len(lines)))
        return number + next((ahead for ahead, is_same in enumerate(same) if not is_same), len(lines) - number)
    if kind == "table":
        return _end_of_table(lines, number)
    end = last = number + 1
    while end < len(lines) and (_is_inside_code(code, end) or _continues_list(lines, end, number)):
        end += 1
        last = end if lines[end - 1].strip() else last
    return last


def _is_inside_code(code: Sequence[int | None], number: int) -> bool:
    """Whether a line is code below its fence: it belongs where the fence does."""
    return code[number] is not None and code[number] != number


def _is_table_head(lines: Sequence[str], number: int) -> bool:
    """Whether a line is the head of a table: cells, and as many columns of dashes below them."""
    if number + 1 >= len(lines) or "|" not in lines[number + 1] or not DELIMITERS.match(lines[number + 1]):
        return False
    head = lines[number]
    is_text = "|" in head and head[:4].strip() != "" and not NO_ROW.match(head)
    return is_text and _count_cells(head) == _count_cells(lines[number + 1])


def _count_cells(line: str) -> int:
    """Returns the number of cells in a row, with or without pipes around it."""
    text = line.strip()
    pipes = len(PIPE.findall(text))
    return pipes + 1 - text.startswith("|") - bool(PIPE.search(text, len(text) - 1))


def _end_of_table(lines: Sequence[str], number: int) -> int:
    """Returns the last line of a table, counted from 1: below a head, every line up to a blank one or another block."""
    end, has_head = number + 1, _is_table_head(lines, number)
    while end < len(lines) and (ROW.match(lines[end]) or (has_head and not NO_ROW.match(lines[end]))):
        end += 1
    return end


def _list_item(line: str) -> tuple[int, str] | None:
    """Returns the indent of an item of a list and the sign behind or in place of its number; None: it is no item."""
    match = ITEM.match(line)
    return (len(match[1]), match[2] or match[3]) if match and not RULE.match(line) else None


def _continues_list(lines: Sequence[str], number: int, first: int) -> bool:
    """Whether a line continues a list: an item, text right below one, or blank and indented lines.

    An item with another sign begins another list, unless it is indented.
    """
    line, begin, item = lines[number], _list_item(lines[first]), _list_item(lines[number])
    if item and begin:
        return item[0] > begin[0] or item[1] == begin[1]
    if not line.strip() or line[0] in " \t":
        return True
    return bool(lines[number - 1].strip()) and not NO_ROW.match(line) and not ROW.match(line)
