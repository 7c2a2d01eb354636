"""Markdown's sections, lists, tables and code blocks, found line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .text_part import Part

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
ITEM = re.compile(r"( {0,3})(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
ROW = re.compile(r"\s*\|")
NO_TEXT = re.compile(r"\s*$|\s*(?:[-+*]|\d{1,9}[.)])\s|\s*[>|#<]|\s*```|\s*~~~")
"""Lines that a line of dashes below does not turn into a heading."""
MARKS = re.compile(r"!?\[([^\]\n]{0,500})\]\([^()\n]{0,2000}\)|(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)")
LONGEST_LINE = 4000


def markdown_parts(lines: Iterable[str]) -> Iterator[Part]:
    """Yields sections, and as blocks only: lists, tables, fenced code."""
    held = [line[:LONGEST_LINE] for line in lines]
    headings = list(_headings(held))
    yield from sections([(number, level, plain(text)) for number, level, text in headings], len(held))
    yield from _blocks(held)


def sections(headings: Sequence[tuple[int, int, str]], total: int) -> Iterator[Part]:
    """Yields sections: from a heading to the line before the next one of the same or a higher level."""
    open_ones: list[tuple[int, int, str, int]] = []
    for number, level, text in [*headings, (total + 1, 0, "")]:
        while open_ones and open_ones[-1][1] >= level:
            start, _, label, depth = open_ones.pop()
            yield Part(start, number - 1, "heading", label=label, title=f"section {label}".rstrip(), depth=depth)
        open_ones.append((number, level, text, len(open_ones)))


def plain(text: str) -> str:
    """Returns a heading's words without the marks of emphasis, code and links."""
    return MARKS.sub(lambda match: match[1] or "", text).replace("\\", "").strip()


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yields line, level and text of each heading outside of code and front matter."""
    inside = False
    skip = _front_matter(lines)
    for number, (is_code, is_comment) in enumerate(zip(_code_lines(lines), _comment_lines(lines), strict=True), 1):
        line = lines[number - 1]
        if is_code or is_comment or number <= skip:
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


def _front_matter(lines: Sequence[str]) -> int:
    """Returns the line that ends the front matter; 0: there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:200], 2) if line.rstrip() in ("---", "...")), 0)


def _code_lines(lines: Sequence[str]) -> Iterator[bool]:
    """Says of each line whether it belongs to a fenced code block."""
    fence = ""
    for line in lines:
        fence_match = FENCE.match(line)
        if not fence:
            fence = fence_match[1] if fence_match else ""
            yield bool(fence)
        else:
            yield True
            if fence_match and fence_match[1].startswith(fence) and not fence_match[2].strip():
                fence = ""


def _comment_lines(lines: Sequence[str]) -> Iterator[bool]:
    """Says of each line whether it is inside of a comment that takes several lines."""
    inside = False
    for line in lines:
        ends = "-->" in line
        inside = not ends if inside or line.lstrip().startswith("<!--") else False
        yield inside


def _blocks(lines: Sequence[str]) -> Iterator[Part]:
    """Yields runs of lines that belong together: code, tables, lists with what is indented below their items."""
    code = list(_code_lines(lines))
    number = 0
    while number < len(lines):
        kind = _kind_at(lines, code, number)
        end = number + 1
        if kind:
            end = _end_of(lines, code, number, kind)
            yield Part(number + 1, end, kind, label=kind, title=kind, shown=False)
        number = end


def _kind_at(lines: Sequence[str], code: Sequence[bool], number: int) -> str:
    """Returns what a line belongs to: code, a table, a list, or nothing of that kind."""
    if code[number]:
        return "code"
    if ROW.match(lines[number]):
        return "table"
    return "list" if ITEM.match(lines[number]) else ""


def _end_of(lines: Sequence[str], code: Sequence[bool], number: int, kind: str) -> int:
    """Returns the last line of a run, counted from 1."""
    end = number + 1
    if kind == "code":
        while end < len(lines) and code[end] and not FENCE.match(lines[end]):
            end += 1
        return end + (end < len(lines) and code[end])
    if kind == "table":
        while end < len(lines) and ROW.match(lines[end]):
            end += 1
        return end
    last = end
    while end < len(lines) and _in_list(lines, end):
        end += 1
        last = end if lines[end - 1].strip() else last
    return last


def _in_list(lines: Sequence[str], number: int) -> bool:
    """Whether a line continues a list: an item, text right below one, or blank and indented lines."""
    line = lines[number]
    if not line.strip() or ITEM.match(line) or line[0] in " \t":
        return True
    return bool(lines[number - 1].strip()) and not HEADING.match(line) and not FENCE.match(line) and not ROW.match(line)
