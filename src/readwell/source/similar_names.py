"""Names in the directory of a missing one: those that are similar, and the one that looks the same."""

import re
from collections.abc import Callable
from os import stat_result
from stat import S_ISREG

from ..lookalikes import lookalikes
from ..names import ESCAPE, is_listed_as, loosened
from ..watch import Watch

MAX_NAMES = 10_000
"""Names of a directory that are compared."""

MAX_PARTS = 64
"""Components of a path that are tried in other spellings."""

NamesIn = Callable[[str], list[str] | None]
"""Returns the names in a directory; None where it cannot be read."""
Probe = Callable[[str], stat_result | None]
"""Returns the status of what a path leads to; None where it does not exist or may not be read."""
Exists = Callable[[str], bool]
"""Says whether a path leads to something that exists and may be read."""


def names_like(path: str, names_in: NamesIn, exists: Exists, watch: Watch) -> tuple[str, ...]:
    """Returns names in the directory of a missing path that are similar to its own."""
    parent, _, name = path.rstrip("/").rpartition("/")
    names = None if name in (".", "..") else names_in(parent or "/")
    return lookalikes(name, names, lambda similar: exists(f"{parent}/{similar}"), watch.check) if names else ()


def nearest_existing(path: str, probe: Probe) -> tuple[str, bool]:
    """Returns the nearest parent of a missing directory that exists, and whether it is a file."""
    above = path.rstrip("/")
    for missing in range(MAX_PARTS):
        above, slash, _ = above.rpartition("/")
        nearest = above or slash or "."
        if status := probe(nearest):
            is_file = S_ISREG(status.st_mode)
            return nearest if missing or is_file else "", is_file
        if nearest in ("/", "."):
            break
    return "", False


def is_ambiguous(path: str, names_in: NamesIn) -> bool:
    """Says whether the last name of a path is also how a listing shows another name of its directory."""
    parent, slash, name = path.rstrip("/").rpartition("/")
    if not re.search(ESCAPE, name):
        return False
    return any(each != name and is_listed_as(each, name) for each in names_in(parent + slash or ".") or ())


def _same_looking(name: str, names: list[str]) -> list[str]:
    """Returns the names that look like another one, or that a listing shows by it."""
    loose, escaped = loosened(name), re.search(ESCAPE, name)
    all_loose = loosened("/".join(names)).split("/") if names else []
    return [
        each
        for each, its_loose in zip(names, all_loose, strict=True)
        if its_loose == loose or (escaped and is_listed_as(each, name))
    ]


def repaired_path(path: str, names_in: NamesIn, exists: Exists) -> str | None:
    """Returns the path with each missing name replaced by the only one that looks the same; None if there is none."""
    parent, slash, name = path.rstrip("/").rpartition("/")
    if name in ("", ".", "..") or parent.count("/") > MAX_PARTS:
        return None
    names = names_in(parent + slash or ".")
    if names is None:
        repaired = repaired_path(parent, names_in, exists)
        return repaired_path(f"{repaired}/{name}", names_in, exists) if repaired and repaired != parent else None
    same = [name] if name in names else _same_looking(name, names)
    candidates = [each for each in same if exists(parent + slash + each)]
    if len(candidates) != 1 or len(names) == MAX_NAMES:
        return None
    return parent + slash + candidates[0] + path[len(path.rstrip("/")) :]
