"""What the styles of a DOCX say about a paragraph or a run: heading, code, quotation, numbering, marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..office_relations import switched_on, val_attribute
from ..xml_tree import at, whole_number

MAX_ANCESTORS = 20
BODY_TEXT = 9
"""The outline level of what is no heading."""
HEADING = re.compile(r"heading ?([1-9])")
CODE = re.compile(
    r"(source ?)?code( ?(block|snippet|listing|sample|example))?|(html )?preformatted( text)?|verbatim|macro text"
)
CODE_RUN = re.compile(r"(source |inline |html )?code( char)?|verbatim char|html (keyboard|sample|typewriter)( char)?")
QUOTE = re.compile(r"(intense |block )?quot(e|ation)s?|block text")
MONOSPACED = re.compile(
    r"consolas|courier|menlo|monaco|lucida console|inconsolata|andale mono|.*\bmono\b.*|(source|fira|cascadia) code.*"
)
SWITCHES = (("b", "w:b"), ("i", "w:i"), ("s", "w:strike"), ("s", "w:dstrike"), ("h", "w:vanish"))


class ParagraphLook(NamedTuple):
    """What a paragraph is: `kind` code, quote or text; its level as a heading, 0 for none; its style's list."""

    kind: str
    level: int
    list_id: str | None
    list_level: str | None


class Styles:
    """The styles of a document, asked by id."""

    def __init__(self, root: Element | None) -> None:
        styles = [] if root is None else root.findall("w:style")
        self._styles = {style.get("w:styleId", ""): style for style in styles}
        self._looks: dict[str | None, ParagraphLook] = {}
        self._marks: dict[str, str] = {}
        self._usual = next((i for i, style in self._styles.items() if _is_default_paragraph_style(style)), None)

    def look(self, style_id: str | None) -> ParagraphLook:
        """Returns what a paragraph of this style is."""
        if style_id not in self._looks:
            self._looks[style_id] = self._find_look(style_id or self._usual)
        return self._looks[style_id]

    def marks(self, style_id: str | None) -> str:
        """Returns the marks of a style."""
        if not style_id:
            return ""
        if style_id not in self._marks:
            self._marks[style_id] = self._find_marks(style_id)
        return self._marks[style_id]

    def list_of(self, style_id: str) -> str | None:
        """Returns the list that a numbering style stands for."""
        return val_attribute(self._styles.get(style_id), "w:pPr", "w:numPr", "w:numId")

    def _find_look(self, style_id: str | None) -> ParagraphLook:
        """Returns what a style and those it is based on make of a paragraph."""
        chain = self._style_and_ancestors(style_id)
        names = [val_attribute(style, "w:name") or "" for style in chain] or [style_id or ""]
        names = [name.lower() for name in names]
        list_id = _first(val_attribute(style, "w:pPr", "w:numPr", "w:numId") for style in chain)
        list_level = _first(val_attribute(style, "w:pPr", "w:numPr", "w:ilvl") for style in chain)
        outline = _first(val_attribute(style, "w:pPr", "w:outlineLvl") for style in chain)
        kind = next((kind for name in names[:2] for kind in [_kind(name)] if kind), "text")
        return ParagraphLook(kind, _heading_level(names, outline), list_id, list_level)

    def _find_marks(self, style_id: str) -> str:
        """Returns the marks of a character style and those it is based on."""
        chain = self._style_and_ancestors(style_id)
        names = [(val_attribute(style, "w:name") or "").lower() for style in chain] or [style_id.lower()]
        if any(CODE_RUN.fullmatch(name) for name in names):
            return "c"
        marks = ""
        for style in reversed(chain):
            marks = marks_of(style.find("w:rPr"), marks)
        return marks

    def _style_and_ancestors(self, style_id: str | None) -> list[Element]:
        """Returns a style and those it is based on, nearest first."""
        chain: list[Element] = []
        while style_id in self._styles and len(chain) < MAX_ANCESTORS:
            chain.append(self._styles[style_id])
            style_id = val_attribute(chain[-1], "w:basedOn")
        return chain


def marks_of(properties: Element | None, inherited: str) -> str:
    """Returns the marks of a run, `h` where it is hidden: those inherited, changed by its own properties."""
    if properties is None:
        return inherited
    marks = set(inherited)
    for mark, name in SWITCHES:
        on = switched_on(properties, name)
        if on is not None:
            (marks.add if on else marks.discard)(mark)
    position = val_attribute(properties, "w:vertAlign")
    if position in ("superscript", "subscript"):
        marks.add("^" if position == "superscript" else "_")
    fonts = at(properties, "w:rFonts")
    font = None if fonts is None else fonts.get("w:ascii") or fonts.get("w:hAnsi")
    if font:
        (marks.add if MONOSPACED.fullmatch(font.lower().removesuffix(" new")) else marks.discard)("c")
    return "".join(sorted(marks))


def _is_default_paragraph_style(style: Element) -> bool:
    """Says whether a style is that of paragraphs without one."""
    return style.get("w:type") == "paragraph" and style.get("w:default") in ("1", "true")


def _first(values: Iterable[str | None]) -> str | None:
    """Returns the first value that is there."""
    return next((item for item in values if item is not None), None)


def _heading_level(names: list[str], outline: str | None) -> int:
    """Returns the level of a heading by the names of its styles or its outline; 0 for none."""
    for name in names:
        match = HEADING.fullmatch(name)
        if match:
            return int(match[1])
    if names[0] == "title":
        return 1
    level = whole_number(outline, BODY_TEXT)
    return level + 1 if level < BODY_TEXT else 0


def _kind(name: str) -> str:
    """Returns whether a style of this name is for code or quotations."""
    if CODE.fullmatch(name):
        return "code"
    return "quote" if QUOTE.fullmatch(name) else ""
