"""How documents are written down: runs of marked text become a line, blocks become Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from ..named_tuple import NamedTuple
from .clean_markdown import remove_controls

SIGNS = {"b": ("**", "**"), "i": ("*", "*"), "s": ("~~", "~~"), "^": ("<sup>", "</sup>"), "_": ("<sub>", "</sub>")}
CODE = "c"
TOLD_HIDDEN = "<!-- hidden content is left out -->"
MAX_COLUMNS = 256
LOOKS_LIKE_A_BLOCK = re.compile(r"^(?=#{1,6}(?: |$)|<!--|```|~~~)", re.M)
"""Line starts that would turn a paragraph into a heading, an anchor or a fence."""


class Run(NamedTuple):
    """Text set in one way: the `marks` b, i, s, ^, _ and c for bold, italic, struck, super, sub and code."""

    text: str
    marks: str = ""
    link: str = ""


def inline(runs: list[Run]) -> str:
    """Returns runs as one text with Markdown's signs around what is marked."""
    if not any(run.marks or run.link for run in runs):
        return "".join([run.text for run in runs])
    written: list[str] = []
    for link, linked in groupby(runs, key=lambda run: run.link):
        text = _with_emphasis(list(_marked_pieces(linked)))
        written.append(_linked(text, link) if link else text)
    return "".join(written)


def _marked_pieces(runs: Iterable[Run]) -> Iterator[tuple[str, str]]:
    """Yields text and marks; space at the edges of a run by itself, since a sign must touch a word."""
    for marks, same in groupby(runs, key=lambda run: run.marks):
        text = "".join([run.text for run in same])
        core = text.strip()
        if not core or not marks:
            yield text, marks if core else " "
            continue
        before, _, after = text.partition(core)
        yield before, " "
        yield (_code(core), "") if CODE in marks else (core, marks)
        yield after, " "


def _with_emphasis(pieces: list[tuple[str, str]]) -> str:
    """Returns pieces of text with the signs of their marks, properly nested."""
    written: list[str] = []
    standing = ""
    for text, marks in zip([text for text, _ in pieces], _marks_of_pieces(pieces), strict=True):
        if not text:
            continue
        while not set(standing) <= set(marks):
            written.append(SIGNS[standing[-1]][1])
            standing = standing[:-1]
        for mark in SIGNS:
            if mark in marks and mark not in standing and not text.isspace():
                written.append(SIGNS[mark][0])
                standing += mark
        written.append(text)
    written.extend(SIGNS[mark][1] for mark in reversed(standing))
    return "".join(written)


def _marks_of_pieces(pieces: list[tuple[str, str]]) -> list[str]:
    """Returns the marks of all pieces; a space has those that the words on both sides of it share."""
    after = ""
    settled: list[str] = []
    for text, marks in reversed(pieces):
        settled.append(after if marks == " " else marks)
        after = settled[-1] if text else after
    before = ""
    for number, (text, marks) in enumerate(pieces):
        index = len(pieces) - 1 - number
        if marks == " ":
            settled[index] = "".join(mark for mark in before if mark in settled[index])
        before = settled[index] if text else before
    return settled[::-1]


def _code(text: str) -> str:
    """Returns inline code between fences longer than any inside."""
    text = remove_controls(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{edge}{text}{edge}{fence}"


def _linked(text: str, link: str) -> str:
    """Returns a link, unless its text says where it leads."""
    if not text.strip() or link in (text, f"mailto:{text}"):
        return text
    link = re.sub(r"[\s<>]+", "%20", link)
    core = text.strip()
    target = f"<{link}>" if re.search(r"[()]", link) else link
    return text.replace(core, f"[{core}]({target})")


def in_one_line(text: str) -> str:
    """Returns words with one space between them: a name, which has no lines."""
    return " ".join(remove_controls(text).split())


def image(alt: str) -> str:
    """Returns what stands for a picture: its name, and no address that anything could fetch."""
    return f"![{in_one_line(alt)}]()"


def table(rows: list[list[str]]) -> str:
    """Returns a table whose first row is its head; rows and columns without any text are left out."""
    rows = [row for row in rows if any(row)]
    width = max(map(len, rows), default=0)
    if width <= MAX_COLUMNS:  # a wider one is not made rectangular: filling it up could take any space
        rows = [row + [""] * (width - len(row)) for row in rows]
        filled = [column for column in range(width) if any(row[column] for row in rows)]
        rows = [[row[column] for column in filled] for row in rows]
    lines = ["| " + " | ".join([escape_cell(text) for text in row]) + " |" for row in rows]
    if lines:
        lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


def escape_cell(text: str) -> str:
    """Returns text that stays within one cell."""
    if text.isalnum():  # most cells of large tables
        return text
    return remove_controls(text).strip().replace("|", "\\|").replace("\n", "<br>")


class HiddenContentFlag:
    """A flag: something was left out because the document hides it. Told once, so that nothing seems whole."""

    def __init__(self) -> None:
        self.is_set = False

    def add_comment(self, blocks: Blocks) -> None:
        """Adds a comment if the flag is set."""
        if self.is_set:
            blocks.raw(TOLD_HIDDEN)


class Blocks:
    """Markdown in the making: block after block, lists tight, everything else a blank line apart."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str, str]] = []
        self._widths: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def heading(self, level: int, text: str) -> None:
        """Adds a heading."""
        text = " ".join(text.split())
        if text:
            self._add("heading", f"{'#' * min(level, 6)} {text}")

    def paragraph(self, text: str) -> None:
        """Adds a paragraph; a line break in it stays one."""
        text = "\n".join([line.strip() for line in remove_controls(text).strip().split("\n")])
        if text:
            self._add("text", escape_block_starts(text))

    def item(self, level: int, label: str, text: str) -> None:
        """Adds an item of a list: `-`, or a number with its point, below the item of the level before."""
        text = remove_controls(text).strip()
        if not text:
            return
        if not self._blocks or self._blocks[-1][0] != "item":
            self._widths = []
        del self._widths[level:]
        indent = " " * sum(self._widths)
        self._widths += [0] * (level - len(self._widths)) + [len(label) + 1]
        lines = text.split("\n")
        hanging = indent + " " * (len(label) + 1)
        self._add(
            "item",
            "\n".join(
                [f"{indent}{label} {lines[0]}", *(hanging + escape_block_starts(line.strip()) for line in lines[1:])]
            ),
        )

    def code(self, text: str) -> None:
        """Adds lines of code, to those just before if there are any."""
        self._add("code", text)

    def quote(self, text: str) -> None:
        """Adds a quoted paragraph."""
        text = remove_controls(text).strip()
        if text:
            self._add("quote", "\n".join([f"> {line}" for line in text.split("\n")]))

    def table(self, rows: list[list[str]]) -> None:
        """Adds a table."""
        text = table(rows)
        if text:
            self._add("table", text)

    def end_list(self) -> None:
        """Ends a list, so that what follows begins another."""
        self._add("gap", "")

    def raw(self, text: str) -> None:
        """Adds Markdown as it is."""
        if text.strip():
            self._add("text", text)

    def _add(self, kind: str, text: str) -> None:
        """Adds a block of a kind."""
        self._blocks.append((kind, text))

    def cell_text(self) -> str:
        """Returns the blocks as lines of one cell: without signs of headings and fences."""
        return "\n".join([_WITHIN_A_CELL.get(kind, str)(text) for kind, text in self._blocks if text])

    def markdown(self) -> str:
        """Returns all blocks."""
        written: list[str] = []
        for kind, group in groupby(self._blocks, key=lambda block: block[0]):
            texts = [text for _, text in group]
            if kind == "gap":
                continue
            if kind == "item":
                written.append("\n".join(texts))
            elif kind == "code":
                written.append(fenced("\n".join(texts)))
            elif kind == "quote":
                written.append("\n>\n".join(texts))
            else:
                written.extend(texts)
        return remove_controls("\n\n".join(written))


def escape_block_starts(text: str) -> str:
    """Returns text of which no line begins like a block."""
    return LOOKS_LIKE_A_BLOCK.sub(r"\\", remove_controls(text))


def fenced(text: str, language: str = "") -> str:
    """Returns lines as a block of code."""
    text = remove_controls(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}"


def _without_heading_marks(text: str) -> str:
    """Returns a heading without its signs."""
    return text.lstrip("# ")


def _without_table_marks(text: str) -> str:
    """Returns the rows of a table without their signs."""
    lines = text.split("\n")
    return "\n".join(
        [line.removeprefix("| ").removesuffix(" |").replace("\\|", "|") for line in [lines[0], *lines[2:]]]
    )


_WITHIN_A_CELL = {"heading": _without_heading_marks, "table": _without_table_marks}
