"""Opens the audit file of a server (`--audit`) so that it can be rotated, also under Landlock."""

from __future__ import annotations

import os
import signal

from ...audit import AuditFile, open_to_append
from .landlock_reopening import fork_opener


def open_rotating_audit(path: str, caller: str | None) -> AuditFile:
    """Opens the audit file and ignores SIGHUP; raises ValueError if the file cannot be opened.

    Called before any thread starts. The file follows a rotation by itself, so the usual signal has nothing to do.
    """
    audit = AuditFile(path, fork_opener(os.path.abspath(path), open_to_append), caller)
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)
    return audit
