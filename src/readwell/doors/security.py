"""Turns a door's security settings into deny rules, an audit file and Landlock; checks no path itself."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..config_files import door_denials
from ..light_typing import TYPE_CHECKING, cast
from ..path_names import is_remote_root

if TYPE_CHECKING:
    from ..audit import Audit
    from ..policy import Denials

SWITCHES = ("ignore_files", "same_filesystem", "deny_hardlinks")
POLICY_SETTINGS = ("config", "deny", "allow", *SWITCHES)
"""Settings that say what may not be read."""
SECURITY_SETTINGS = (*POLICY_SETTINGS, "audit", "caller", "landlock")
"""Settings that belong to the door and are not passed to the dialect."""


def chosen_denials(settings: dict[str, object], roots: Sequence[str]) -> Denials:
    """Returns the deny rules of defaults, configuration files and options together; raises ValueError."""
    denials = door_denials(roots, cast("str | None", settings.get("config")))
    switches = {name: bool(settings[name]) for name in SWITCHES if name in settings}
    more_deny, more_allow = (tuple(cast("list[str]", settings.get(name, []))) for name in ("deny", "allow"))
    return denials._replace(deny=denials.deny + more_deny, allow=denials.allow + more_allow)._replace(**switches)


def chosen_audit(settings: dict[str, object]) -> Audit | None:
    """Returns the audit function of the setting: a path is opened here, an open audit file is returned as it is."""
    audit = settings.get("audit")
    if not isinstance(audit, str):
        return cast("Audit | None", audit)
    from ..audit import AuditFile

    return AuditFile(audit, caller=cast("str | None", settings.get("caller"))) if audit else None


def restrict_to_roots(roots: Sequence[str], cache_dir: str) -> bool:
    """Restricts this process with Landlock to the roots, its own code and the cache, for the rest of its life.

    Returns False if the kernel does not support it. Called before any thread starts: the restriction does not apply
    to threads that already run.
    """
    from ..cage.landlock import allow_only_with_runtime

    cache = os.path.expanduser(cache_dir) or os.devnull
    try:
        os.makedirs(cache, mode=0o700, exist_ok=True)
    except OSError:
        cache = os.devnull
    local = [root for root in roots if not is_remote_root(root)]
    if len(local) < len(roots):
        from ..remote import files_to_keep_readable

        local += files_to_keep_readable()
    return allow_only_with_runtime(local, [cache])
