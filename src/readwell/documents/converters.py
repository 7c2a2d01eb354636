"""The converters by format: an application's own, the built-in ones, and plug-ins of other packages."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from os.path import isabs

from ..errors import ConversionFailed, ConverterMissing
from ..import_guard import ImportPath, importing_only_from, is_installed
from ..named_tuple import NamedTuple
from .contract import Converter, Unpacker

ENTRY_POINT_GROUP = "readwell.converters"
INSTALL = 'pip install "readwell[documents]"'
INSTALL_DATA = 'pip install "readwell[data]"'
DATA = ("arrow", "parquet")


def install_command(format_name: str) -> str:
    """Returns the command that installs what a format needs."""
    return INSTALL_DATA if format_name.removeprefix("outline-") in DATA else INSTALL


class ConverterSpec(NamedTuple):
    """Where to import a converter from, and the modules that must be installed for it."""

    module: str
    name: str
    needs: tuple[str, ...] = ()
    version: str = ""
    """The version of the converter, if it is known without importing it."""


def _built_in(module: str, version: str, *needs: str) -> ConverterSpec:
    """Returns the row of a converter of our own."""
    return ConverterSpec(f"{__package__}.{module}", module.upper(), needs, version)


BUILT_IN = {
    "arrow": ConverterSpec(f"{__package__}.arrow", "ARROW", ("arro3.io",), "3"),
    "csv": _built_in("csv", "7"),
    "doc": _built_in("doc", "5"),
    "docx": _built_in("docx", "7"),
    "eml": _built_in("mail", "8", "html_to_markdown"),
    "epub": _built_in("epub", "7", "html_to_markdown"),
    "html": _built_in("html", "4", "html_to_markdown"),
    "ipynb": _built_in("notebook", "4"),
    "jsonl": _built_in("jsonl", "3"),
    "msg": _built_in("msg", "6", "html_to_markdown"),
    "odp": _built_in("odp", "6"),
    "ods": _built_in("ods", "8"),
    "odt": _built_in("odt", "6"),
    "parquet": ConverterSpec(f"{__package__}.arrow", "PARQUET", ("arro3.io",), "3"),
    "pdf": _built_in("pdf", "24", "pypdfium2"),
    "ppt": _built_in("ppt", "3"),
    "pptx": _built_in("pptx", "8"),
    "rtf": _built_in("rtf", "6"),
    "sqlite": _built_in("sqlite", "3"),
    "xls": _built_in("xls", "6", "python_calamine"),
    "xlsx": _built_in("xlsx", "11"),
}


IMAGE_DECODER = ConverterSpec(f"{__package__}.image_conversion", "PICTURE", ("PIL",), "2")
PAGE_IMAGES = "page-images"
PAGE_DRAWER = ConverterSpec(f"{__package__}.pdf.page_images", "PAGE_IMAGES", ("pypdfium2", "PIL"), "1")
"""Draws pages of a PDF; `PAGE_IMAGES` is its name among the formats."""
PRINTED_PDF = "pdf-printed"
PRINTED_LINES = ConverterSpec(f"{__package__}.pdf", "PRINTED", ("pypdfium2",), BUILT_IN["pdf"].version + " printed")
"""Reads a PDF with its printed lines kept; `PRINTED_PDF` is its name among the formats."""
INSTALL_DRAWER = 'pip install "readwell[documents,images]"'


OUTLINES = {
    "outline-data": ConverterSpec(f"{__package__}.structure_converter", "DATA", (), "8"),
    "outline-code": ConverterSpec(f"{__package__}.structure_converter", "CODE", ("ast_grep_py",), "8"),
    "outline-arrow": ConverterSpec(f"{__package__}.arrow", "ARROW_OUTLINE", ("arro3.io",), "3"),
    "outline-parquet": ConverterSpec(f"{__package__}.arrow", "PARQUET_OUTLINE", ("arro3.io",), "3"),
    "outline-sqlite": ConverterSpec(f"{__package__}.sqlite", "OUTLINE", (), "3"),
    "outline-pdf": ConverterSpec(f"{__package__}.pdf.bookmark_outline", "BOOKMARKS", ("pypdfium2",), "2"),
}
"""The parsers of outlines: data formats by our own scanners, source code, the bookmarks of a PDF."""
_PACKED = f"{__name__.partition('.')[0]}.packed"
UNPACKERS = {
    **{name: ConverterSpec(f"{_PACKED}.compression", name.upper()) for name in ("gzip", "bzip2", "xz", "zstd")},
    **{name: ConverterSpec(f"{_PACKED}.{name}_members", name.upper()) for name in ("zip", "tar")},
    "7z": ConverterSpec(f"{_PACKED}.seven_zip", "SEVEN_ZIP"),
}
"""What unpacks compressed files and archives."""
INSTALL_CODE = 'pip install "readwell[code]"'


UNSCANNED = {
    "pdf": ("pdf-unscanned", ConverterSpec(f"{__package__}.pdf", "UNSCANNED", ("pypdfium2",))),
    PRINTED_PDF: ("pdf-printed-unscanned", ConverterSpec(f"{__package__}.pdf", "PRINTED_UNSCANNED", ("pypdfium2",))),
}
"""What reads a PDF up to the first page that must be recognised, by the format that reads it to its end."""
RECOGNISED_PDF = "pdf-recognised"


ON_REQUEST = {
    **OUTLINES,
    **UNPACKERS,
    PAGE_IMAGES: PAGE_DRAWER,
    PRINTED_PDF: PRINTED_LINES,
    **dict(UNSCANNED.values()),
}
"""Converters that no file is recognised for: a view or a setting asks for them."""


def find_outline_parser(format_name: str, import_path: ImportPath) -> ConverterSpec:
    """Returns the parser of an outline; raises ConverterMissing where the modules it needs are not installed."""
    spec = OUTLINES[format_name]
    if not all(_is_installed(name, import_path or default_import_path()) for name in spec.needs):
        raise ConverterMissing(
            format_name, INSTALL_CODE if format_name == "outline-code" else install_command(format_name)
        )
    return spec


def find_image_decoder(import_path: ImportPath) -> ConverterSpec | None:
    """Returns the converter that decodes images; None where the extra `images` is not installed."""
    return (
        IMAGE_DECODER
        if all(_is_installed(name, import_path or default_import_path()) for name in IMAGE_DECODER.needs)
        else None
    )


def find_page_drawer(import_path: ImportPath) -> ConverterSpec:
    """Returns the converter that draws pages; raises ConverterMissing where an extra is not installed."""
    if not all(_is_installed(name, import_path or default_import_path()) for name in PAGE_DRAWER.needs):
        raise ConverterMissing("pdf", INSTALL_DRAWER)
    return PAGE_DRAWER


def find_converter(format_name: str, own: Mapping[str, str], import_path: ImportPath | None = None) -> ConverterSpec:
    """Returns the converter of a format, without importing it; `own` maps formats to `module:object`.

    Built-in converters and plug-ins are looked for in `import_path`, by default the import paths of this process.
    Raises ConverterMissing where there is none or what it needs is not installed.
    """
    if format_name in own:
        module, _, name = own[format_name].partition(":")
        return ConverterSpec(module, name)
    import_path = import_path or default_import_path()
    spec = BUILT_IN.get(format_name) or plugin_converters(import_path).get(format_name)
    if spec is None or not all(_is_installed(name, import_path) for name in (spec.module, *spec.needs)):
        raise ConverterMissing(format_name, install_command(format_name))
    return spec


def load(format_name: str, spec: ConverterSpec) -> Converter | Unpacker:
    """Imports a converter and the modules it needs; raises ConversionFailed where an import fails."""
    from importlib import import_module

    try:
        for needed in spec.needs:
            import_module(needed)
        converter = getattr(import_module(spec.module), spec.name)
    except Exception as error:  # a foreign module may raise anything while it is imported
        raise ConversionFailed(
            format_name, f"the converter cannot be loaded ({type(error).__name__}: {error})"
        ) from error
    if not isinstance(converter, (Converter, Unpacker)):
        raise ConversionFailed(format_name, f"{spec.module}:{spec.name} is not a converter")
    return converter


@lru_cache
def version_of(spec: ConverterSpec, import_path: ImportPath | None = None) -> str:
    """Returns the versions of a converter and of the packages it needs: as long as they stay, so does the Markdown."""
    with importing_only_from(import_path or default_import_path()):
        from importlib.metadata import distributions

        packages = {
            name: next(iter(distributions(name=name, path=[*(import_path or default_import_path())])))
            for name in spec.needs
        }
        own = spec.version or getattr(load(spec.module, spec), "version", "")
    return ", ".join([spec.module, own, *(f"{name} {package.version}" for name, package in packages.items())])


@lru_cache
def _is_installed(module: str, import_path: ImportPath) -> bool:
    return is_installed(module, import_path)


@lru_cache
def plugin_converters(import_path: ImportPath) -> dict[str, ConverterSpec]:
    """Returns the converters of other installed packages, by the extension of the files they read."""
    with importing_only_from(import_path):
        from importlib.metadata import distributions

    entries = (entry for package in distributions(path=[*import_path]) for entry in package.entry_points)
    return {
        entry.name: ConverterSpec(entry.module, entry.attr) for entry in entries if entry.group == ENTRY_POINT_GROUP
    }


def default_import_path() -> ImportPath:
    """Returns the absolute import paths of this process."""
    return tuple(entry for entry in sys.path if isabs(entry))
