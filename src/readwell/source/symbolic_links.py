"""Symbolic links resolved by reading them, without opening anything: a hint for the opener, never a permission."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterable, Iterator

from ..deadline import Deadline
from ..errors import AccessDenied
from .confined_open import MAX_LINKS, PARTS_A_CHECK, reversed_parts

MAX_LENGTH = 4096
"""The longest path that the kernel accepts."""


def resolve_links(path: str, roots: Iterable[str], deadline: Deadline) -> str:
    """Returns the path with its links resolved; raises OSError for a component inside the roots that cannot be passed.

    Names outside the roots are not looked up, so that no answer depends on whether they exist; a path that passes one
    and leaves it by `..` is denied.
    """
    return deque(resolution_steps(path, roots, deadline), maxlen=1)[0]


def resolution_steps(path: str, roots: Iterable[str], deadline: Deadline) -> Iterator[str]:
    """Yields the path after each link that is resolved, and the final path last; may raise OSError in between."""
    inside = [reversed_parts(root)[::-1] for root in roots]
    slash = "/" if path.endswith(("/", "/.")) else ""
    ahead = reversed_parts(path)
    passed: list[str] = []
    asked = len(ahead)  # how many of the parts ahead come from the caller, not from a link
    links = parts = length = 0
    while ahead:
        parts += 1
        if parts % PARTS_A_CHECK == 0:
            deadline.check()
        by_caller = len(ahead) <= asked
        part = ahead.pop()
        asked = min(asked, len(ahead))
        if part == "..":
            _check_dotdot(passed, inside, by_caller)
            length -= len(passed.pop()) + 1 if passed else 0
            continue
        target = _link_target([*passed, part]) if length < MAX_LENGTH else None
        if target is None and ".." not in ahead:  # nothing below it can be a link
            passed += [part, *reversed(ahead)]
            break
        if not target:
            passed.append(part)
            length += len(part) + 1
            continue
        links += 1
        if target.startswith("/"):
            passed, length = [], 0
        ahead += reversed_parts(target)
        if links > MAX_LINKS:
            passed += reversed(ahead)
            if _begins_with(passed, inside):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            break
        yield "/" + "/".join([*passed, *reversed(ahead)]) + slash
    yield "/" + "/".join(passed) + slash


def _check_dotdot(passed: list[str], inside: list[list[str]], by_caller: bool) -> None:
    """Raises OSError where the kernel would for `..`, AccessDenied where the caller leaves a name outside by it."""
    if _begins_with(passed, inside):
        os.stat("/".join(["", *passed, "."]))
    elif by_caller and inside and not any(root[: len(passed)] == passed for root in inside):
        raise AccessDenied  # the result would reveal whether a name outside is a link


def _begins_with(parts: list[str], beginnings: list[list[str]]) -> bool:
    """Says whether a path begins with one of several others."""
    return any(parts[: len(beginning)] == beginning for beginning in beginnings)


def _link_target(parts: list[str]) -> str | None:
    """Returns the target of a link, nothing for what is no link, None where nothing can be looked up."""
    try:
        return os.readlink("/".join(["", *parts]))
    except OSError as error:
        return "" if error.errno == errno.EINVAL else None
