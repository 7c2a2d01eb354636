"""Opening: one confined open, one fstat, one descriptor, and what can be asked of it."""

from .beneath import Beneath, openat2_beneath, walk_beneath
from .opener import Opener
from .revision import revision_of
from .second_look import has_settled
from .settled import Settled
from .source import ENTRIES_A_TICK, Entry, Fate, Fates, Identity, Source, unreadable

__all__ = [
    "ENTRIES_A_TICK",
    "Beneath",
    "Entry",
    "Fate",
    "Fates",
    "Identity",
    "Opener",
    "Settled",
    "Source",
    "has_settled",
    "openat2_beneath",
    "revision_of",
    "unreadable",
    "walk_beneath",
]
