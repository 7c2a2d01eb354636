"""What the styles of an ODT say: marks of text, kinds of paragraphs, labels of lists."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..docx.numbering import formatted
from ..xml_tree import at, whole_number

MAX_ANCESTORS = 20
KINDS = {"Preformatted_20_Text": "code", "Source_20_Text": "code", "Quotations": "quote", "Title": "title"}
MONOSPACED = ("mono", "courier", "consolas", "menlo")
FORMATS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


class Styles:
    """The styles of a document, asked by name."""

    def __init__(self, roots: list[Element]) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, Element] = {}
        self._marks: dict[str, str] = {}
        for root in roots:
            self._styles |= {style.get("style:name", ""): style for style in root.iter("style:style")}
            self._lists |= {style.get("style:name", ""): style for style in root.iter("text:list-style")}

    def kind(self, name: str) -> str:
        """Returns what a paragraph of this style is: code, quote, title or text."""
        names = [name, *(style.get("style:parent-style-name", "") for style in self._style_and_ancestors(name))]
        return next((KINDS[name] for name in names if name in KINDS), "text")

    def marks(self, name: str) -> str:
        """Returns the marks of a run of this style; `h` for text that is hidden."""
        if name not in self._marks:
            marks = "c" if name == "Source_20_Text" else ""
            for style in reversed(self._style_and_ancestors(name)):
                marks = _marks_of(at(style, "style:text-properties"), marks)
            self._marks[name] = marks
        return self._marks[name]

    def list_of(self, name: str) -> str:
        """Returns the list style that a paragraph's style brings with it."""
        return next(
            (
                list_name
                for style in self._style_and_ancestors(name)
                if (list_name := style.get("style:list-style-name"))
            ),
            "",
        )

    def level(self, name: str, level: int) -> ListLevel:
        """Returns how one level of a list is labelled."""
        list_style = self._lists.get(name)
        for element in list_style if list_style is not None else ():
            if element.get("text:level") == str(level + 1) and element.tag == "text:list-level-style-number":
                return list_level(element)
        return ListLevel("", "", "", 1)

    def _style_and_ancestors(self, name: str) -> list[Element]:
        """Returns a style and its parents, nearest first."""
        chain: list[Element] = []
        while name in self._styles and len(chain) < MAX_ANCESTORS:
            chain.append(self._styles[name])
            name = chain[-1].get("style:parent-style-name", "")
        return chain


class ListLevel(NamedTuple):
    """A numbered level of a list; one without a format has bullets."""

    format: str
    prefix: str
    suffix: str
    start: int

    def label(self, number: int) -> str:
        """Returns the label of the item with this number; nothing for a bullet."""
        if not self.format:
            return ""
        return self.prefix + formatted(number, FORMATS.get(self.format, "decimal")) + self.suffix


def list_level(element: Element) -> ListLevel:
    """Returns how an element of a list style or of the outline numbers its level."""
    return ListLevel(
        element.get("style:num-format", ""),
        element.get("style:num-prefix", ""),
        element.get("style:num-suffix", ""),
        whole_number(element.get("text:start-value"), 1),
    )


def _marks_of(properties: Element | None, inherited: str) -> str:
    """Returns the marks of a text with these properties, by those around it."""
    if properties is None:
        return inherited
    marks = set(inherited)
    for mark, name, plain in (
        ("b", "fo:font-weight", ("normal", "100", "200", "300", "400", "500")),
        ("i", "fo:font-style", ("normal",)),
        ("s", "style:text-line-through-style", ("none",)),
        ("h", "text:display", ("true",)),
    ):
        value = properties.get(name)
        if value is not None:
            (marks.discard if value in plain else marks.add)(mark)
    position = properties.get("style:text-position", "").partition(" ")[0]
    if position and position not in ("0%", "0"):
        marks.add("_" if position.startswith(("sub", "-")) else "^")
    font = (properties.get("style:font-name") or properties.get("fo:font-family") or "").lower()
    if font:
        (marks.add if any(name in font for name in MONOSPACED) else marks.discard)("c")
    return "".join(sorted(marks))
