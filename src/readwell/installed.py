"""Which modules count as installed: those outside the roots, and those of the interpreter wherever it is.

What lies in a root may be anybody's, so nothing there is ever run: not by the name of a parser, not by an entry point.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from types import ModuleType

Places = tuple[str, ...]
"""Folders, in the order in which modules are looked for in them."""

NEEDED_LATER = (
    "base64", "copy", "ctypes", "difflib", "heapq", "importlib.util", "json", "logging", "pkgutil", "re2", "threading",
    "unicodedata", "urllib.parse", "zlib",
)  # fmt: skip
"""Modules that are imported only where they are used, in whatever process reads."""


def places_outside(roots: Sequence[str]) -> Places:
    """Returns the entries of `sys.path` that lie in no root, or belong to the interpreter."""
    return _outside(tuple(sys.path), tuple(roots))


def places_of_the_interpreter() -> Places:
    """Returns the entries of `sys.path` that belong to the interpreter, whatever the roots are."""
    own = _of_the_interpreter()
    return tuple(entry for entry in sys.path if os.path.isabs(entry) and _lies_in(entry, own))


def is_installed(module: str, places: Places) -> bool:
    """Looks for a module without importing it, but for the packages it lies in."""
    from importlib.util import find_spec

    with only_from(places):
        try:
            return find_spec(module) is not None
        except (ImportError, ValueError):
            return False


def import_needed(places: Places) -> None:
    """Imports what may be needed later, where another module of its name could be found by then."""
    from importlib import import_module

    if set(places) >= {entry for entry in sys.path if os.path.isabs(entry)}:
        return
    with only_from(places):
        for name in NEEDED_LATER:
            with suppress(ImportError):
                import_module(name)


@contextmanager
def only_from(places: Places) -> Generator[None]:
    """Has this thread find modules in these places alone; what is imported already stays, and other threads."""
    finder = _Finder(places)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder:
    """Finds top-level modules for the thread that made it; what a package holds lies where the package does."""

    def __init__(self, places: Places) -> None:
        from _thread import get_ident

        self._places, self._ident, self._get_ident = places, get_ident(), get_ident

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns where a module is; raises ModuleNotFoundError so that nobody looks elsewhere."""
        if path is not None or self._get_ident() != self._ident:
            return None
        found = BuiltinImporter.find_spec(name) or FrozenImporter.find_spec(name)
        found = found or PathFinder.find_spec(name, self._places, target)
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found


@lru_cache(maxsize=64)
def _outside(entries: Places, roots: Places) -> Places:
    kept = [os.path.realpath(root) for root in roots if root]
    own = _of_the_interpreter()
    return tuple(
        entry for entry in entries if os.path.isabs(entry) and (_lies_in(entry, own) or not _lies_in(entry, kept))
    )


def _of_the_interpreter() -> list[str]:
    """Returns where the standard library and installed packages are."""
    from site import ENABLE_USER_SITE, getsitepackages, getusersitepackages

    user = [getusersitepackages()] if ENABLE_USER_SITE else []
    return [os.path.realpath(place) for place in (os.path.dirname(os.__file__), *getsitepackages(), *user)]


def _lies_in(entry: str, folders: Sequence[str]) -> bool:
    real = os.path.realpath(entry)
    return any(f"{real}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)
