"""What a missing path on the disk may have meant: similar names beside it, or the one that looks the same."""

import os
import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from os import stat_result
from stat import S_ISREG

from ..deadline import Deadline
from ..errors import AccessDenied, InvalidRequest, NotFound
from ..model import LocatedPath
from ..path_names import ESCAPE, is_listed_as, loosened
from ..similar_names import similar_names
from .confined_open import READ
from .open_roots import OpeningContext

AMBIGUOUS = r"spelled with \x5c for its backslash, or with the character itself: two entries are called so"
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


class MissingNames:
    """Looks up names beside a missing one.

    `locate`, `probe` and `open_path` are those of the opener: where a path is relative to the roots, what it leads to
    if that may be read, and the path opened with some flags.
    """

    def __init__(
        self,
        locate: Callable[[str], LocatedPath],
        probe: Callable[[OpeningContext, LocatedPath], os.stat_result | None],
        open_path: Callable[[OpeningContext, LocatedPath, int], int],
    ) -> None:
        self._locate, self._probe, self._open_path = locate, probe, open_path

    def not_found(self, path: LocatedPath, context: OpeningContext) -> NotFound:
        """Returns the error for a missing path, with similar names or the nearest directory that exists."""
        names_in, exists = partial(self._names_in, context), partial(self._exists, context)
        similar = names_like(path.absolute, names_in, exists, context.deadline)
        if similar:
            return NotFound(similar)
        return NotFound((), *nearest_existing(path.asked, lambda name: self._probe(context, self._locate(name))))

    def repaired(self, path: LocatedPath, context: OpeningContext) -> str | None:
        """Returns the only path that exists and looks the same as a missing one; None where there is none."""
        return repaired_path(path.asked, partial(self._names_in, context), partial(self._exists, context))

    def refuse_ambiguous(self, path: LocatedPath, context: OpeningContext) -> None:
        """Raises InvalidRequest for a name that a listing shows for another entry, where both exist."""
        if is_ambiguous(path.asked, partial(self._names_in, context)) and self._exists(context, path.asked):
            raise InvalidRequest("path", path.asked, AMBIGUOUS)

    def _exists(self, context: OpeningContext, path: str) -> bool:
        """Says whether a path exists and may be read."""
        return self._probe(context, self._locate(path)) is not None

    def _names_in(self, context: OpeningContext, folder: str) -> list[str] | None:
        """Returns the names in a folder; None where it cannot be listed."""
        context.deadline.check()
        try:
            descriptor = self._open_path(context, self._locate(folder), READ | os.O_DIRECTORY)
        except (OSError, AccessDenied):
            return None
        try:
            with os.scandir(descriptor) as entries:
                return [entry.name for entry in islice(entries, MAX_NAMES)]
        except OSError:
            return None
        finally:
            os.close(descriptor)


def names_like(path: str, names_in: NamesIn, exists: Exists, deadline: Deadline) -> tuple[str, ...]:
    """Returns names in the directory of a missing path that are similar to its own."""
    parent, _, name = path.rstrip("/").rpartition("/")
    names = None if name in (".", "..") else names_in(parent or "/")
    return similar_names(name, names, lambda similar: exists(f"{parent}/{similar}"), deadline.check) if names else ()


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
