"""Which converter reads a format: the application's own, those that come along, those of other packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ..errors import ConversionFailed, ConverterMissing
from .contract import Converter

GROUP = "readwell.converters"
INSTALL = 'pip install "readwell[documents]"'


class Place(NamedTuple):
    """Where a converter is found, and the modules that must be there before any document is looked at."""

    module: str
    name: str
    needs: tuple[str, ...] = ()


BUILT_IN = {
    "docx": Place("readwell.documents.docx", "DOCX"),
    "epub": Place("readwell.documents.epub", "EPUB", ("html_to_markdown",)),
    "html": Place("readwell.documents.html", "HTML", ("html_to_markdown",)),
    "ods": Place("readwell.documents.ods", "ODS"),
    "odt": Place("readwell.documents.odt", "ODT"),
    "pdf": Place("readwell.documents.pdf.document", "PDF", ("pypdfium2",)),
    "pptx": Place("readwell.documents.pptx", "PPTX"),
    "xls": Place("readwell.documents.xls", "XLS", ("python_calamine",)),
    "xlsx": Place("readwell.documents.xlsx", "XLSX"),
}


def place_of(kind: str, own: Mapping[str, str]) -> Place:
    """Says who reads a format, without importing it; `own` maps formats to `module:object`.

    Raises ConverterMissing where nobody does or what it needs is not installed.
    """
    if kind in own:
        module, _, name = own[kind].partition(":")
        return Place(module, name)
    place = BUILT_IN.get(kind) or _of_other_packages().get(kind)
    if place is None or not all(map(_is_installed, (place.module, *place.needs))):
        raise ConverterMissing(kind, INSTALL)
    return place


def load(kind: str, place: Place) -> Converter:
    """Imports a converter and what it needs; raises ConversionFailed where that does not work."""
    from importlib import import_module

    try:
        for needed in place.needs:
            import_module(needed)
        found = getattr(import_module(place.module), place.name)
    except Exception as error:
        raise ConversionFailed(kind, f"the converter cannot be loaded ({type(error).__name__}: {error})") from error
    if not isinstance(found, Converter):
        raise ConversionFailed(kind, f"{place.module}:{place.name} is not a converter")
    return found


def _is_installed(module: str) -> bool:
    """Looks for a module without importing it, but for the packages it lies in."""
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


@cache
def _of_other_packages() -> dict[str, Place]:
    from importlib.metadata import entry_points

    return {found.name: Place(found.module, found.attr) for found in entry_points(group=GROUP)}
