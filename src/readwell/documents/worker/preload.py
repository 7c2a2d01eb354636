"""Modules that the fork server imports before it forks: a caged child can import nothing."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

DOCUMENTS = __name__.removesuffix(".worker.preload")
COMMON = (
    "base64 csv datetime decimal html.parser unicodedata urllib.parse xml.dom.expatbuilder xml.dom.minidom "
    "xml.etree.ElementTree xml.parsers.expat zipfile"
)
"""Modules of the standard library that parsers import lazily."""
CODECS = (
    "ascii big5 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp850 cp874 cp932 cp949 euc_jp "
    "euc_kr gb18030 gbk hz idna iso2022_jp iso2022_jp_2 iso8859_15 iso8859_2 johab koi8_r latin_1 mac_roman "
    "raw_unicode_escape shift_jis unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8_sig"
)
"""Encodings that documents are written in; Python imports each on first use."""


def preload_modules(module: str) -> None:
    """Imports the common modules and, for a built-in converter, its package and the modules that converters share.

    A plug-in is expected to import what it needs at the top of its own module.
    """
    for name in (*COMMON.split(), *(f"encodings.{codec}" for codec in CODECS.split())):
        with suppress(ImportError):
            import_module(name)
    if not module.startswith(f"{DOCUMENTS}."):
        return
    _import_submodules(sys.modules[DOCUMENTS], recursive=False)
    package = module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]
    if package != DOCUMENTS:
        _import_submodules(sys.modules[package], recursive=True)


def _import_submodules(package: ModuleType, recursive: bool) -> None:
    """Imports the modules of a package, and with `recursive` those of the packages inside."""
    for module_info in iter_modules(package.__path__, f"{package.__name__}."):
        if recursive or not module_info.ispkg:
            with suppress(ImportError):
                module = import_module(module_info.name)
                if module_info.ispkg:
                    _import_submodules(module, recursive)
