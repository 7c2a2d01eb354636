"""What the Office formats share: relationships between parts, and content with alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from xml.etree.ElementTree import Element

from ..named_tuple import NamedTuple
from .xml_tree import at
from .zip_container import ZipContainer


class Relation(NamedTuple):
    """Where a part points to: the last word of the type, and a part's name or an address outside."""

    type: str
    target: str
    external: bool


def relations(container: ZipContainer, part: str) -> dict[str, Relation]:
    """Returns the relations of a part by id; targets inside are names of parts."""
    folder = dirname(part)
    root = container.xml_if_any(join(folder, "_rels", part[len(folder) :].lstrip("/") + ".rels"))
    related: dict[str, Relation] = {}
    for element in root if root is not None else ():
        external = element.get("TargetMode") == "External"
        target = element.get("Target", "")
        if not external:
            target = normpath(join("/", folder, target)).lstrip("/")
        related[element.get("Id", "")] = Relation(element.get("Type", "").rpartition("/")[2], target, external)
    return related


def target_of_type(related: dict[str, Relation], kind: str) -> str:
    """Returns the part that the first relation of a type points to; nothing where there is none."""
    return next(
        (relation.target for relation in related.values() if relation.type == kind and not relation.external), ""
    )


def main_part(container: ZipContainer, usual: str) -> str:
    """Returns the part in which the document itself stands."""
    part = target_of_type(relations(container, ""), "officeDocument")
    return part if part in container else usual


def resolved_children(element: Element) -> Iterator[Element]:
    """Yields child elements; of alternatives only the one that stands first."""
    for child in element:
        if child.tag == "mc:AlternateContent":
            chosen = next((alternative for alternative in child if len(alternative)), None)
            if chosen is not None:
                yield from resolved_children(chosen)
        else:
            yield child


def val_attribute(element: Element | None, *path: str) -> str | None:
    """Returns the `val` at a path of names, whatever its prefix."""
    target = at(element, *path)
    if target is None:
        return None
    return target.get("w:val") or target.get("val") or target.get("m:val") or target.get("w14:val")


def switched_on(element: Element | None, *path: str) -> bool | None:
    """Returns whether a switch is there and not turned off; None where it is not there."""
    target = at(element, *path)
    if target is None:
        return None
    return val_attribute(target) not in ("0", "false", "off", "none")
