"""What a door does not let through: its deny rules, its account of calls, its own access to the disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ..configuration import door_denials

if TYPE_CHECKING:
    from ..audit import Audit
    from ..policy import Denials

SWITCHES = ("ignore_files", "same_filesystem", "deny_hardlinks")
SECURITY_SETTINGS = ("config", "deny", "allow", *SWITCHES, "audit", "landlock")
"""Settings that belong to the door and are not passed to the dialect."""


def chosen_denials(settings: dict[str, object], roots: Sequence[str]) -> Denials:
    """Returns what is denied by default, by configuration and by options; raises ValueError for nonsense."""
    found = door_denials(roots, cast("str | None", settings.get("config")))
    switches = {name: bool(settings[name]) for name in SWITCHES if name in settings}
    more_deny, more_allow = (tuple(cast("list[str]", settings.get(name, []))) for name in ("deny", "allow"))
    return found._replace(deny=found.deny + more_deny, allow=found.allow + more_allow)._replace(**switches)


def chosen_audit(settings: dict[str, object]) -> Audit | None:
    """Returns what is told of each call, if anything is: a file by its name, or what a door has opened itself."""
    asked = settings.get("audit")
    if not isinstance(asked, str):
        return cast("Audit | None", asked)
    from ..audit import AuditFile

    return AuditFile(asked) if asked else None


def restrict_to_roots(roots: Sequence[str], cache_dir: str) -> bool:
    """Keeps this process to the roots, its own code and the cache, for good; False where the kernel cannot.

    To be called before any thread is started: those that run already would stay free.
    """
    from ..cage.landlock import stay_within

    cache = os.path.expanduser(cache_dir) or os.devnull
    try:
        os.makedirs(cache, mode=0o700, exist_ok=True)
    except OSError:
        cache = os.devnull
    return stay_within(roots, [cache])
