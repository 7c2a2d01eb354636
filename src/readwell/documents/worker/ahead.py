"""What the warm parent imports before any child needs it: inside the cage nothing can be imported."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

COMMON = (
    "base64",
    "bisect",
    "csv",
    "datetime",
    "decimal",
    "difflib",
    "fractions",
    "hashlib",
    "heapq",
    "html.parser",
    "io",
    "posixpath",
    "statistics",
    "string",
    "textwrap",
    "unicodedata",
    "urllib.parse",
    "uuid",
    "xml.dom.minidom",
    "xml.dom.expatbuilder",
    "xml.etree.ElementTree",
    "xml.parsers.expat",
    "xml.sax.expatreader",
    "xml.sax.saxutils",
    "zipfile",
)
"""Modules of the standard library that parsers, and libraries for them, import only where they use them."""
CODECS = (
    "ascii big5 cp1250 cp1251 cp1252 cp1253 cp1254 cp437 cp850 cp932 euc_jp euc_kr gb18030 gbk idna iso8859_15 "
    "iso8859_2 latin_1 mac_roman raw_unicode_escape shift_jis unicode_escape utf_16 utf_16_be utf_16_le utf_32 "
    "utf_8_sig"
)


def import_ahead(module: str) -> None:
    """Imports what is common, and every module of the package that a converter lives in, if it lives in one."""
    for name in (*COMMON, *(f"encodings.{codec}" for codec in CODECS.split())):
        with suppress(ImportError):
            import_module(name)
    package = sys.modules[module]
    for found in walk_packages(getattr(package, "__path__", ()), f"{module}.", onerror=lambda _: None):
        if not found.name.endswith(".__main__"):
            with suppress(ImportError):
                import_module(found.name)
