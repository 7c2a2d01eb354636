"""What a missing path may have meant: similar names, or the one name that only looks the same."""

import os
from collections.abc import Callable
from functools import partial
from itertools import islice

from ..errors import AccessDenied, InvalidRequest, NotFound
from ..model import LocatedPath
from .beneath import READ
from .open_roots import OpeningContext
from .similar_names import MAX_NAMES, is_ambiguous, names_like, nearest_existing, repaired_path

AMBIGUOUS = r"spelled with \x5c for its backslash, or with the character itself: two entries are called so"


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
        similar = names_like(path.absolute, names_in, exists, context.watch)
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
        context.watch.check()
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
