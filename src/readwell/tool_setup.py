"""Builds what a tool works with from its settings: openers, modules loaded in time, settings of scans."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module

from .dialects.dialect import Dialect
from .documents import Documents, Ocr
from .engine import Resources
from .import_guard import ImportPath, importing_only_from, preload_modules
from .light_typing import TYPE_CHECKING
from .model import FsspecRoot, Root
from .packed import UnpackingOpener
from .path_names import is_remote_root
from .source import DiskOpener, Opener
from .text import IndexCache

if TYPE_CHECKING:
    from typing import BinaryIO

    from .audit import Audit, Recorder
    from .documents.ocr.engine_choice import OcrSettings
    from .source.routes import Route

Open = Callable[[Sequence["str | FsspecRoot"], DiskOpener], tuple[Resources, tuple[Root, ...]]]
"""(roots, the opener of the local ones) -> what reads below them share, and the roots as they are told."""
LATE_MODULES = (
    ".disk_store", ".gitignore", ".packed.archive_lookup", ".source.missing_names", ".source.open_failure",
    ".source.symbolic_links", ".text.directory_listing", ".text.indexed_text",
)  # fmt: skip
"""Modules that reading a small text does not need; those of rarer requests are not listed."""


def load_modules(dialect: Dialect, import_path: ImportPath, single_call: bool) -> None:
    """Loads what a file in a root could take the name of, and for many calls also what only some of them need."""
    preload_modules(import_path)
    if not single_call:
        for name in (*LATE_MODULES, *dialect.late_modules):
            import_module(name, __package__)


def local_roots(roots: Sequence[str | FsspecRoot]) -> tuple[str, ...]:
    """Returns those of some roots that are directories of this machine."""
    return tuple(root for root in roots if isinstance(root, str) and not is_remote_root(root))


def root_opener(
    dialect: Dialect,
    routes: Sequence[Route],
    import_path: ImportPath,
    folder: str,
    documents: Documents,
    audited: bool,
) -> Open:
    """Returns a function that opens roots; whatever it opens shares documents and caches.

    `folder` is that of the caches on disk, empty for none. The function raises ValueError for an invalid root.
    """
    indexes = IndexCache(folder or None)

    def open_roots(roots: Sequence[str | FsspecRoot], disk: DiskOpener) -> tuple[Resources, tuple[Root, ...]]:
        opener = _opener_of(dialect, roots, disk, routes, import_path)
        resources = Resources(opener, indexes, documents, audited=audited)
        return _unpacking_resources(resources, dialect, disk, folder), opener.roots

    return open_roots


def _opener_of(
    dialect: Dialect,
    roots: Sequence[str | FsspecRoot],
    disk: DiskOpener,
    routes: Sequence[Route],
    import_path: ImportPath,
) -> Opener:
    """Returns the opener of all roots and routes: `disk` itself where they lead nowhere else.

    Raises ValueError for an invalid remote root, and where the dialect reads none.
    """
    opener: Opener = disk
    if len(disk.roots) < len(roots):
        if not dialect.remote_roots:
            raise ValueError(f"the dialect {dialect.name} reads directories of this machine only, no remote root")
        with importing_only_from(import_path):
            from .remote import opener_with_remote_roots

        opener = opener_with_remote_roots(disk, roots, disk.policy.denials)
    if not routes:
        return opener
    from .source.routes import RoutedOpener

    return RoutedOpener(routes, opener)


def _unpacking_resources(resources: Resources, dialect: Dialect, disk: DiskOpener, folder: str) -> Resources:
    """Returns resources that also open what is packed in files, if a tool of the dialect reads that."""
    if not any(tool.rules.unpack for tool in dialect.tools):
        return resources
    unpacked = os.path.join(folder, "unpacked") if folder else None
    opener = UnpackingOpener(resources.opener, disk, resources.documents, unpacked)
    return resources._replace(
        opener=opener, unpack_if_compressed=opener.unpack_if_compressed, is_archive=opener.is_archive
    )


def ocr_settings(mode: Ocr, languages: Sequence[str]) -> OcrSettings | None:
    """Returns how scans are read, None for the usual way; raises ValueError for invalid settings."""
    if mode == "auto" and not languages:
        return None
    from .documents.ocr.engine_choice import OcrSettings

    return OcrSettings(mode, tuple(languages)).checked()


def standard_input_route(stream: BinaryIO) -> Route:
    """Returns the route by which the path `-` is the content of a stream, read to its end; raises a ReadError."""
    from .source.routes import Route
    from .source.standard_input import StandardInput, is_standard_input

    return Route(is_standard_input, StandardInput(stream))


def recorder_of(audit: Audit, dialect: str, clock: Callable[[], float]) -> Recorder:
    """Returns what makes the records of a dialect's calls and gives them to `audit`."""
    from .audit import Recorder

    return Recorder(audit, dialect, clock)
