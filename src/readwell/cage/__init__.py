"""A cage for a process that looks at strange bytes: no files, no network, no other processes, bounded memory.

Each bar that the machine lacks is one bar less; nothing fails for want of it.
"""

from .cage import Cage, enter
from .landlock import allow_only, stay_within
from .offers import Offers, offers

__all__ = ["Cage", "Offers", "allow_only", "enter", "offers", "stay_within"]
