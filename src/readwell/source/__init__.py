"""Opening: what a source and an opener are, and those of the disk: one confined open, one fstat, one descriptor."""

from .beneath import Beneath, openat2_beneath, walk_beneath
from .contract import ENTRIES_A_TICK, Entry, Fate, Fates, Identity, Opener, Source, State, Target
from .opener import DiskOpener
from .revision import content_hash, revision_of_names
from .routes import Route, RoutedOpener
from .settled import Settled
from .source import unreadable

__all__ = [
    "ENTRIES_A_TICK",
    "Beneath",
    "DiskOpener",
    "Entry",
    "Fate",
    "Fates",
    "Identity",
    "Opener",
    "Route",
    "RoutedOpener",
    "Settled",
    "Source",
    "State",
    "Target",
    "content_hash",
    "openat2_beneath",
    "revision_of_names",
    "unreadable",
    "walk_beneath",
]
