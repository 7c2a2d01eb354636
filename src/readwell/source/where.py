"""Where a path leads to, found by reading links and opening nothing: a hint for the opener, never a permission."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterable, Iterator

from ..errors import AccessDenied
from ..watch import Watch
from .beneath import MOST_LINKS, parts_ahead

PARTS_A_CHECK = 64
LONGEST = 4096
"""What the kernel takes as a path; it does not look for a longer one."""


def where_it_leads(path: str, roots: Iterable[str], watch: Watch) -> str:
    """Returns the path with its links resolved; raises OSError for what cannot be passed inside the roots.

    Whether names outside exist is not asked, so no answer can tell; a path that leaves one again by `..` is denied.
    """
    return deque(names_on_the_way(path, roots, watch), maxlen=1)[0]


def names_on_the_way(path: str, roots: Iterable[str], watch: Watch) -> Iterator[str]:
    """Yields what the path becomes at each link, and at last where it leads; raises OSError in between."""
    inside = [parts_ahead(root)[::-1] for root in roots]
    slash = "/" if path.endswith(("/", "/.")) else ""
    ahead = parts_ahead(path)
    passed: list[str] = []
    asked = len(ahead)
    """How many of the parts ahead are the caller's own, and not those of a link."""
    links = parts = length = 0
    while ahead:
        parts += 1
        if parts % PARTS_A_CHECK == 0:
            watch.check()
        by_caller = len(ahead) <= asked
        part = ahead.pop()
        asked = min(asked, len(ahead))
        if part == "..":
            if _begins_with(passed, inside):
                os.stat("/".join(["", *passed, "."]))
            elif by_caller and inside and not any(root[: len(passed)] == passed for root in inside):
                raise AccessDenied  # where this leads would tell whether a name outside is a link
            length -= len(passed.pop()) + 1 if passed else 0
            continue
        target = _link_text([*passed, part]) if length < LONGEST else None
        if target is None:
            passed.append(part)
            length += len(part) + 1
            continue
        links += 1
        if target.startswith("/"):
            passed, length = [], 0
        ahead += parts_ahead(target)
        if links > MOST_LINKS:
            passed += reversed(ahead)
            if _begins_with(passed, inside):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            break
        yield "/" + "/".join([*passed, *reversed(ahead)]) + slash
    yield "/" + "/".join(passed) + slash


def _begins_with(parts: list[str], beginnings: list[list[str]]) -> bool:
    return any(parts[: len(beginning)] == beginning for beginning in beginnings)


def _link_text(parts: list[str]) -> str | None:
    try:
        return os.readlink("/".join(["", *parts]))
    except OSError:
        return None
