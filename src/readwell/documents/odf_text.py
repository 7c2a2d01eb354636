"""The text of a paragraph of an OpenDocument file without its marks: for cells, titles and comments."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from .xml_tree import whole_number

MAX_SPACES = 40
SIGNS = {"text:tab": "\t", "text:line-break": "\n"}
RUBY_TEXT = "text:ruby-text"
"""How the characters before it are pronounced."""


def plain_text(paragraph: Element) -> str:
    """Returns the text of a paragraph with its spaces, tabs and line breaks, which are elements of their own."""
    if not len(paragraph):
        return paragraph.text or ""
    pieces: list[str] = []
    waiting: list[Element | str] = [paragraph]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            pieces.append(each)
            continue
        before, after = ("(", ")") if is_ruby_text(each) else (white_space_of(each), "")
        pieces += before, each.text or ""
        waiting.append(after)
        for child in reversed(each):
            waiting += child.tail or "", child
    return "".join(pieces)


def white_space_of(element: Element) -> str:
    """Returns the white space that an element stands for; empty for others."""
    if element.tag == "text:s":
        return " " * min(whole_number(element.get("text:c"), 1), MAX_SPACES)
    return SIGNS.get(element.tag, "")


def is_ruby_text(element: Element) -> bool:
    """Whether this is ruby text: how other characters are pronounced, written in parentheses behind them."""
    return element.tag == RUBY_TEXT and any(text.strip() for text in element.itertext())
