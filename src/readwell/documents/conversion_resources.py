"""What all conversions of one `Documents` share, made with its first document: worker, unit cache, content hashes."""

from __future__ import annotations

from functools import partial

from ..deadline import Deadline
from ..disk_store import Store
from ..import_guard import ImportPath
from ..named_tuple import NamedTuple
from ..source import IdentityCache, Source, content_hash
from .converters import IMAGE_DECODER, ON_REQUEST, RECOGNISED_PDF, ConverterSpec
from .format_detection import IMAGES
from .unit_cache import UnitCache
from .worker import Worker

MAX_STORED_BYTES = 256 << 20
UNITS_VERSION = b"units003"


class ConversionResources(NamedTuple):
    """What all conversions of a tool share; made with the first document."""

    worker: Worker
    cache: UnitCache
    digests: IdentityCache[bytes]

    def digest_of(self, source: Source, deadline: Deadline) -> bytes:
        """Returns the hash of a source's content, computed once for each version of it."""
        return self.digests.get(source, partial(content_hash, check=deadline.check))


def new_resources(folder: str | None, recogniser: ConverterSpec | None, import_path: ImportPath) -> ConversionResources:
    """Returns the resources of a tool; `folder` is that of the cache on disk, `recogniser` reads scans."""
    store = Store(folder, UNITS_VERSION, MAX_STORED_BYTES) if folder else None
    specs = {**dict.fromkeys(IMAGES, IMAGE_DECODER), **ON_REQUEST}
    if recogniser:
        specs[RECOGNISED_PDF] = recogniser
    own = {name: f"{spec.module}:{spec.name}" for name, spec in specs.items()}
    return ConversionResources(Worker(own, import_path=import_path), UnitCache(store), IdentityCache())
