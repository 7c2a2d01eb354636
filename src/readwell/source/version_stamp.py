"""Stamps: what tells one version of a file from others without reading it."""

import os

from .contract import Source


def stamp_of(source: Source) -> str:
    """Returns the stamp of an open file; empty where a later change may not show in it."""
    identity = source.identity
    return f"{identity.size}-{identity.changed_ns}-{identity.version}" if source.identity_shows_changes else ""


def stamp_at(path: str) -> str:
    """Returns the stamp of a file on this disk as it is now; empty where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}"
