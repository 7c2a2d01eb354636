"""What a missing path on the disk may have meant: similar names beside it, or the one that looks the same."""

import os
from collections.abc import Callable
from functools import partial
from itertools import islice
from os import stat_result
from stat import S_ISREG

from ..deadline import Deadline
from ..errors import AccessDenied, InvalidRequest, NotFound
from ..model import LocatedPath
from ..path_names import has_escape, look_alike_key, unescape_name
from ..similar_names import similar_names
from .confined_open import READ
from .open_roots import OpeningContext

AMBIGUOUS = r"spelled with \x5c for its backslash, or with the character itself: two entries are called so"
MAX_NAMES = 10_000
"""Names of a directory that are compared."""

MAX_PARTS = 64
"""Components of a path that are tried in other spellings."""
MAX_WAYS = 8
"""Spellings of a path with escapes that are followed without looking whether their folders exist."""

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
        similar = similar_names_beside(path.absolute, names_in, exists, context.deadline)
        if similar:
            return NotFound(similar)
        return NotFound((), *nearest_existing_parent(path.asked, lambda name: self._probe(context, self._locate(name))))

    def repaired_path(self, path: LocatedPath, context: OpeningContext) -> str | None:
        """Returns the only path that exists and looks the same as a missing one; None where there is none."""
        return repaired_path(path.asked, partial(self._names_in, context), partial(self._exists, context))

    def refuse_ambiguous(self, path: LocatedPath, context: OpeningContext) -> None:
        """Raises InvalidRequest for a path that replies show for another entry, where both exist."""
        refuse_ambiguous(path.asked, partial(self._exists, context))

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


def similar_names_beside(path: str, names_in: NamesIn, exists: Exists, deadline: Deadline) -> tuple[str, ...]:
    """Returns names in the directory of a missing path that are similar to its own."""
    parent, _, name = path.rstrip("/").rpartition("/")
    names = None if name in (".", "..") else names_in(parent or "/")
    return similar_names(name, names, lambda similar: exists(f"{parent}/{similar}"), deadline.check) if names else ()


def nearest_existing_parent(path: str, probe: Probe) -> tuple[str, bool]:
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


def refuse_ambiguous(path: str, exists: Exists) -> None:
    """Raises InvalidRequest for a path that exists and is also how replies show another one that does."""
    if paths_shown_as(path, exists) and exists(path):
        raise InvalidRequest("path", path, AMBIGUOUS)


def paths_shown_as(path: str, exists: Exists) -> list[str]:
    """Returns the other paths that exist and that replies show as this one: each name may be meant with its escapes."""
    stripped = path.rstrip("/")
    if not has_escape(stripped):
        return []
    ways: list[str] = []
    for number, name in enumerate(stripped.split("/")):
        spellings = dict.fromkeys((name, unescape_name(name)))
        ways = [f"{way}/{each}" for way in ways for each in spellings] if number else list(spellings)
        if len(ways) > MAX_WAYS:
            ways = [way for way in ways if exists(way)][:MAX_WAYS]
    tail = path[len(stripped) :]
    return [way + tail for way in ways if way != stripped and exists(way)]


def _same_looking_names(name: str, names: list[str]) -> list[str]:
    """Returns the names that look like another one, or that replies show by it."""
    loose, shown = look_alike_key(name), unescape_name(name)
    all_loose = look_alike_key("/".join(names)).split("/") if names else []
    return [each for each, its_loose in zip(names, all_loose, strict=True) if its_loose == loose or each == shown]


def repaired_path(path: str, names_in: NamesIn, exists: Exists) -> str | None:
    """Returns the only path that replies show as a missing one, or that looks the same; None if there is none.

    Raises InvalidRequest where several are shown so: a folder is named as it is, and what it holds as it is shown.
    """
    if shown_so := paths_shown_as(path, exists):
        if len(shown_so) > 1:
            raise InvalidRequest("path", path, AMBIGUOUS)
        return shown_so[0]
    return _same_looking_path(path, names_in, exists)


def _same_looking_path(path: str, names_in: NamesIn, exists: Exists) -> str | None:
    """Returns the path with each missing name replaced by the only one that looks the same; None if there is none."""
    parent, slash, name = path.rstrip("/").rpartition("/")
    if name in ("", ".", "..") or parent.count("/") > MAX_PARTS:
        return None
    names = names_in(parent + slash or ".")
    if names is None:
        repaired = _same_looking_path(parent, names_in, exists)
        return _same_looking_path(f"{repaired}/{name}", names_in, exists) if repaired and repaired != parent else None
    same = [name] if name in names else _same_looking_names(name, names)
    candidates = [each for each in same if exists(parent + slash + each)]
    if len(candidates) != 1 or len(names) == MAX_NAMES:
        return None
    return parent + slash + candidates[0] + path[len(path.rstrip("/")) :]
