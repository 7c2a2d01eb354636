"""Shapes of slides: which placeholder one is, and whether it is shown."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ..xml_tree import at

FURNITURE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
"""Placeholders that every slide repeats."""


def placeholder_kind(shape: Element) -> str:
    """Returns what a placeholder is for; nothing for a shape that is none."""
    placeholder = at(shape, "p:nvSpPr", "p:nvPr", "p:ph")
    return "" if placeholder is None else placeholder.get("type", "obj")


def placeholder_index(shape: Element) -> str:
    """Returns which placeholder of the layout a shape fills."""
    placeholder = at(shape, "p:nvSpPr", "p:nvPr", "p:ph")
    return "" if placeholder is None else placeholder.get("idx", "")


def has_no_bullets(shape: Element) -> bool:
    """Whether the paragraphs of a shape have no bullets."""
    return at(shape, "p:txBody", "a:lstStyle", "a:lvl1pPr", "a:buNone") is not None


def is_hidden(shape: Element) -> bool:
    """Whether a shape is there and not shown."""
    properties = (each.find("p:cNvPr") for each in shape)
    return any(each is not None and each.get("hidden") in ("1", "true") for each in properties)
