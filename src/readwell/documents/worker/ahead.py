"""What the warm parent imports before any child needs it: inside the cage nothing can be imported."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

OURS = __name__.removesuffix(".worker.ahead")
COMMON = (
    "base64 csv datetime decimal html.parser unicodedata urllib.parse xml.dom.expatbuilder xml.dom.minidom "
    "xml.etree.ElementTree xml.parsers.expat zipfile"
)
"""Modules of the standard library that parsers import only where they use them."""
CODECS = (
    "ascii big5 cp1250 cp1251 cp1252 cp1253 cp1254 cp437 cp850 cp932 euc_jp euc_kr gb18030 gbk hz idna iso2022_jp "
    "iso2022_jp_2 iso8859_15 iso8859_2 koi8_r latin_1 mac_roman raw_unicode_escape shift_jis unicode_escape utf_16 "
    "utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8_sig"
)
"""Encodings that documents are written in: Python, too, imports them where they are used."""


def import_ahead(module: str) -> None:
    """Imports what is common and, for a converter of ours, its whole package and the modules it shares with others.

    Converters of others import what they need when they are imported themselves.
    """
    for name in (*COMMON.split(), *(f"encodings.{codec}" for codec in CODECS.split())):
        with suppress(ImportError):
            import_module(name)
    if not module.startswith(f"{OURS}."):
        return
    package = module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]
    for place in {OURS, package}:
        for found in iter_modules(sys.modules[place].__path__, f"{place}."):
            if not found.ispkg:
                with suppress(ImportError):
                    import_module(found.name)
