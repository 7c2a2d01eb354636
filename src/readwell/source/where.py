"""Where a path leads to, found without opening it: a hint for the opener, never a permission."""

from __future__ import annotations

import os

from .source import real_path

MOST_LINKS = 40
"""As many as the kernel follows."""


def where_it_leads(path: str) -> str:
    """Returns the real path of what a path names, by the kernel's own rules; raises OSError if it names nothing."""
    if not hasattr(os, "O_PATH"):
        return os.path.realpath(path, strict=True)
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        return real_path(descriptor, path)
    finally:
        os.close(descriptor)


def where_it_would_lead(path: str) -> str:
    """Returns where a path that names nothing would lie, reading the links that are there."""
    ahead = _parts(path)
    passed: list[str] = []
    links = 0
    while ahead and links <= MOST_LINKS:
        part = ahead.pop()
        target = None if part == ".." else _link_text("/".join(["", *passed, part]))
        if part == "..":
            del passed[-1:]
        elif target is None:
            passed.append(part)
        else:
            links += 1
            passed = [] if target.startswith("/") else passed
            ahead += _parts(target)
    return "/" + "/".join([*passed, *reversed(ahead)])


def _link_text(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")][::-1]
