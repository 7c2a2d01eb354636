"""Restricts imports to installed modules: those outside the roots, and those of the interpreter wherever it is.

Files in a root are not trusted, so nothing there is ever run: neither by the name of a parser nor by an entry point.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from types import ModuleType

ImportPath = tuple[str, ...]
"""Directories in which modules are searched, in order, like `sys.path`."""

NEEDED_LATER = (
    "array", "base64", "bisect", "copy", "ctypes", "difflib", "enum", "fnmatch", "heapq", "importlib.util", "json",
    "logging", "math", "mmap", "pathlib", "pkgutil", "re", "re2", "threading", "typing", "unicodedata", "urllib.parse",
    "zlib",
)  # fmt: skip
"""Modules that are imported only where they are used, in whatever process reads."""


def import_path_outside(roots: Sequence[str]) -> ImportPath:
    """Returns the entries of `sys.path` that are in no root, or belong to the interpreter."""
    return _entries_outside(tuple(sys.path), tuple(roots))


def interpreter_import_path() -> ImportPath:
    """Returns the entries of `sys.path` that belong to the interpreter, whatever the roots are."""
    own = _interpreter_path()
    return tuple(entry for entry in sys.path if os.path.isabs(entry) and _is_in_any(entry, own))


def is_installed(module: str, import_path: ImportPath) -> bool:
    """Says whether a module can be found; imports only its parent packages."""
    from importlib.util import find_spec

    with importing_only_from(import_path):
        try:
            return find_spec(module) is not None
        except (ImportError, ValueError):
            return False


def preload_modules(import_path: ImportPath) -> None:
    """Imports modules that may be needed later, where a file in a root could take their names."""
    from importlib import import_module

    if set(import_path) >= {entry for entry in sys.path if os.path.isabs(entry)}:
        return
    with importing_only_from(import_path):
        for name in NEEDED_LATER:
            with suppress(ImportError):
                import_module(name)


@contextmanager
def importing_only_from(import_path: ImportPath) -> Generator[None]:
    """Makes this thread import from these directories only; loaded modules and other threads are not affected."""
    finder = _Finder(import_path)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder:
    """Finds top-level modules for the thread that made it; submodules are found by their packages."""

    def __init__(self, import_path: ImportPath) -> None:
        from _thread import get_ident

        self._import_path, self._ident, self._get_ident = import_path, get_ident(), get_ident

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns the spec of a module; raises ModuleNotFoundError so that no other finder is asked."""
        if path is not None or self._get_ident() != self._ident:
            return None
        spec = BuiltinImporter.find_spec(name) or FrozenImporter.find_spec(name)
        spec = spec or PathFinder.find_spec(name, self._import_path, target)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return spec


@lru_cache(maxsize=64)
def _entries_outside(entries: ImportPath, roots: ImportPath) -> ImportPath:
    kept = [os.path.realpath(root) for root in roots if root]
    own = _interpreter_path()
    return tuple(
        entry for entry in entries if os.path.isabs(entry) and (_is_in_any(entry, own) or not _is_in_any(entry, kept))
    )


def _interpreter_path() -> list[str]:
    """Returns the directories of the standard library and of installed packages."""
    from site import ENABLE_USER_SITE, getsitepackages, getusersitepackages

    user = [getusersitepackages()] if ENABLE_USER_SITE else []
    return [os.path.realpath(folder) for folder in (os.path.dirname(os.__file__), *getsitepackages(), *user)]


def _is_in_any(entry: str, folders: Sequence[str]) -> bool:
    real = os.path.realpath(entry)
    return any(f"{real}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)
