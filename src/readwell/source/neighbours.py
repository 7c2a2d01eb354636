"""Names beside a missing one: those that it may be meant for, and the one that only looks the same."""

import re
from collections.abc import Callable
from os import stat_result
from stat import S_ISREG

from ..lookalikes import lookalikes
from ..names import ESCAPE, is_listed_as, loosened
from ..watch import Watch

MOST_NAMES = 10_000
"""Names of a folder that are looked at."""

MOST_PARTS = 64
"""Parts of a path that are looked for under other spellings."""

NamesIn = Callable[[str], list[str] | None]
"""Returns the names in a folder; None where it cannot be read."""
Look = Callable[[str], stat_result | None]
"""Looks at what a path leads to, if that may be read."""
IsThere = Callable[[str], bool]
"""Says whether a path leads to something that may be read."""


def named_like(path: str, names_in: NamesIn, is_there: IsThere, watch: Watch) -> tuple[str, ...]:
    """Returns names in the folder of a missing path that are near its own."""
    parent, _, name = path.rstrip("/").rpartition("/")
    names = None if name in (".", "..") else names_in(parent or "/")
    return lookalikes(name, names, lambda near: is_there(f"{parent}/{near}"), watch.check) if names else ()


def nearest_there(path: str, look: Look) -> tuple[str, bool]:
    """Returns the nearest folder above a missing one, or the file in its place, and whether it is a file."""
    above = path.rstrip("/")
    for missing in range(MOST_PARTS):
        above, slash, _ = above.rpartition("/")
        nearest = above or slash or "."
        if found := look(nearest):
            is_file = S_ISREG(found.st_mode)
            return nearest if missing or is_file else "", is_file
        if nearest in ("/", "."):
            break
    return "", False


def means_another(path: str, names_in: NamesIn) -> bool:
    """Says whether the last name of a path is also how a listing shows another one beside it."""
    parent, slash, name = path.rstrip("/").rpartition("/")
    if not re.search(ESCAPE, name):
        return False
    return any(each != name and is_listed_as(each, name) for each in names_in(parent + slash or ".") or ())


def respelled(path: str, names_in: NamesIn, is_there: IsThere) -> str | None:
    """Returns the path with each missing name as the one beside it that looks the same; None unless each is one."""
    parent, slash, name = path.rstrip("/").rpartition("/")
    if name in ("", ".", "..") or parent.count("/") > MOST_PARTS:
        return None
    names = names_in(parent + slash or ".")
    if names is None:
        nearer = respelled(parent, names_in, is_there)
        return respelled(f"{nearer}/{name}", names_in, is_there) if nearer and nearer != parent else None
    look = loosened(name)
    near = [name] if name in names else [each for each in names if loosened(each) == look or is_listed_as(each, name)]
    found = [each for each in near if is_there(parent + slash + each)]
    if len(found) != 1 or len(names) == MOST_NAMES:
        return None
    return parent + slash + found[0] + path[len(path.rstrip("/")) :]
