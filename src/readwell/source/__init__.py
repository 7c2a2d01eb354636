"""Opening: what a source and an opener are, and those of the disk: one confined open, one fstat, one descriptor."""

from .confined_open import Beneath, openat2_beneath, walk_beneath
from .contract import (
    ENTRIES_A_TICK,
    Entry,
    Identity,
    Opener,
    Source,
    SourceExtras,
    State,
    Target,
    Visibility,
    VisibilityOf,
    as_they_are,
    settled_size,
)
from .disk_opener import DiskOpener
from .file_status import unreadable
from .identity_cache import IdentityCache
from .revision import content_hash, hash_of_identity, revision_of_identity, revision_of_names

__all__ = [
    "ENTRIES_A_TICK",
    "Beneath",
    "DiskOpener",
    "Entry",
    "Identity",
    "IdentityCache",
    "Opener",
    "Source",
    "SourceExtras",
    "State",
    "Target",
    "Visibility",
    "VisibilityOf",
    "as_they_are",
    "content_hash",
    "hash_of_identity",
    "openat2_beneath",
    "revision_of_identity",
    "revision_of_names",
    "settled_size",
    "unreadable",
    "walk_beneath",
]
