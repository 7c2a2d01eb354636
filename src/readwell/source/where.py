"""Where a path leads to, found by reading links and opening nothing: a hint for the opener, never a permission."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterable, Iterator

from ..watch import Watch
from .beneath import MOST_LINKS, parts_ahead

PARTS_A_CHECK = 256


def where_it_leads(path: str, roots: Iterable[str], watch: Watch) -> str:
    """Returns the path with its links resolved; raises OSError for what cannot be passed inside the roots.

    Whether names outside exist is not asked, so no answer can tell.
    """
    return deque(names_on_the_way(path, roots, watch), maxlen=1)[0]


def names_on_the_way(path: str, roots: Iterable[str], watch: Watch) -> Iterator[str]:
    """Yields what the path becomes at each link, and at last where it leads; raises OSError in between."""
    inside = [parts_ahead(root)[::-1] for root in roots]
    slash = "/" if path.endswith(("/", "/.")) else ""
    ahead = parts_ahead(path)
    passed: list[str] = []
    links = parts = 0
    while ahead:
        parts += 1
        if parts % PARTS_A_CHECK == 0:
            watch.check()
        part = ahead.pop()
        if part == "..":
            if _begins_with(passed, inside):
                os.stat("/".join(["", *passed, "."]))
            del passed[-1:]
            continue
        target = _link_text("/".join(["", *passed, part]))
        if target is None:
            passed.append(part)
            continue
        links += 1
        passed = [] if target.startswith("/") else passed
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


def _link_text(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None
