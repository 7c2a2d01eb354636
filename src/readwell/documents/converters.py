"""Which converter reads a format: the application's own, those that come along, those of other packages."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from os.path import isabs
from typing import NamedTuple

from ..errors import ConversionFailed, ConverterMissing
from ..installed import Places, is_installed, only_from
from .contract import Converter

GROUP = "readwell.converters"
INSTALL = 'pip install "readwell[documents]"'


class Place(NamedTuple):
    """Where a converter is found, and the modules that must be there before any document is looked at."""

    module: str
    name: str
    needs: tuple[str, ...] = ()
    version: str = ""
    """The converter's own version, where it need not be imported to be asked."""


def _ours(module: str, version: str, *needs: str) -> Place:
    return Place(f"{__package__}.{module}", module.upper(), needs, version)


BUILT_IN = {
    "csv": _ours("csv", "4"),
    "docx": _ours("docx", "2"),
    "eml": _ours("mail", "2", "html_to_markdown"),
    "epub": _ours("epub", "3", "html_to_markdown"),
    "html": _ours("html", "2", "html_to_markdown"),
    "ipynb": _ours("notebook", "2"),
    "ods": _ours("ods", "2"),
    "odt": _ours("odt", "2"),
    "pdf": _ours("pdf", "4", "pypdfium2"),
    "pptx": _ours("pptx", "2"),
    "xls": _ours("xls", "2", "python_calamine"),
    "xlsx": _ours("xlsx", "3"),
}


PICTURES = Place(f"{__package__}.pictures", "PICTURE", ("PIL",), "1")


OUTLINES = {
    "outline-data": Place(f"{__package__}.outlines", "DATA", (), "1"),
    "outline-code": Place(f"{__package__}.outlines", "CODE", ("ast_grep_py",), "1"),
    "outline-pdf": Place(f"{__package__}.pdf.bookmarks", "BOOKMARKS", ("pypdfium2",), "1"),
}
"""Who finds the structure of a file: of what we read ourselves, of source code, of a PDF by its bookmarks."""
INSTALL_CODE = 'pip install "readwell[code]"'


def place_of_outlines(form: str, places: Places | None = None) -> Place:
    """Says who finds an outline; raises ConverterMissing where what it needs is not installed."""
    place = OUTLINES[form]
    if not all(_is_installed(name, places or everywhere()) for name in place.needs):
        raise ConverterMissing(form, INSTALL_CODE if form == "outline-code" else INSTALL)
    return place


def place_of_pictures(places: Places | None = None) -> Place | None:
    """Says who decodes images; None where the extra for them is not installed."""
    return PICTURES if all(_is_installed(name, places or everywhere()) for name in PICTURES.needs) else None


def place_of(form: str, own: Mapping[str, str], places: Places | None = None) -> Place:
    """Says who reads a format, without importing it; `own` maps formats to `module:object`.

    Others than these are looked for in `places`, by default wherever this process imports from.
    Raises ConverterMissing where nobody does or what it needs is not installed.
    """
    if form in own:
        module, _, name = own[form].partition(":")
        return Place(module, name)
    places = places or everywhere()
    place = BUILT_IN.get(form) or of_other_packages(places).get(form)
    if place is None or not all(_is_installed(name, places) for name in (place.module, *place.needs)):
        raise ConverterMissing(form, INSTALL)
    return place


def load(form: str, place: Place) -> Converter:
    """Imports a converter and what it needs; raises ConversionFailed where that does not work."""
    from importlib import import_module

    try:
        for needed in place.needs:
            import_module(needed)
        found = getattr(import_module(place.module), place.name)
    except Exception as error:  # a foreign module may raise anything while it is imported
        raise ConversionFailed(form, f"the converter cannot be loaded ({type(error).__name__}: {error})") from error
    if not isinstance(found, Converter):
        raise ConversionFailed(form, f"{place.module}:{place.name} is not a converter")
    return found


@lru_cache
def version_of(place: Place, places: Places | None = None) -> str:
    """Returns the version of a converter and of all that it needs: the same for the same Markdown."""
    with only_from(places or everywhere()):
        from importlib.metadata import distributions

        found = {name: next(iter(distributions(name=name, path=[*(places or everywhere())]))) for name in place.needs}
        own = place.version or load(place.module, place).version
    return ", ".join([place.module, own, *(f"{name} {package.version}" for name, package in found.items())])


@lru_cache
def _is_installed(module: str, places: Places) -> bool:
    return is_installed(module, places)


@lru_cache
def of_other_packages(places: Places) -> dict[str, Place]:
    """Returns the converters that installed packages bring, by the extension of their files."""
    with only_from(places):
        from importlib.metadata import distributions

    found = (entry for package in distributions(path=[*places]) for entry in package.entry_points)
    return {entry.name: Place(entry.module, entry.attr) for entry in found if entry.group == GROUP}


def everywhere() -> Places:
    """Returns the places that this process imports from."""
    return tuple(entry for entry in sys.path if isabs(entry))
