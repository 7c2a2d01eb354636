"""Opening: what a source and an opener are, and those of the disk: one confined open, one fstat, one descriptor."""

from .confined_open import Beneath, open_by_openat2, open_by_walking
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
    exact_size,
    opener_without_unpacking,
)
from .disk_opener import DiskOpener
from .file_status import as_unreadable
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
    "as_unreadable",
    "content_hash",
    "exact_size",
    "hash_of_identity",
    "open_by_openat2",
    "open_by_walking",
    "opener_without_unpacking",
    "revision_of_identity",
    "revision_of_names",
]
