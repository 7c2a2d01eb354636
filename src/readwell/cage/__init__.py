"""The cage, a sandbox for a process that parses untrusted bytes: no files, no network, no processes, bounded memory.

A restriction that this machine does not support is left out; nothing fails for that reason.
"""

from .cage import Cage, enter
from .capabilities import Capabilities, capabilities
from .landlock import allow_only, allow_only_with_runtime

__all__ = ["Cage", "Capabilities", "allow_only", "allow_only_with_runtime", "capabilities", "enter"]
