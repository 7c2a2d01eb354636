"""Several openers as one: each path is opened by the first route that matches it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..deadline import Deadline
from ..model import LocatedPath, Root
from ..named_tuple import NamedTuple
from .contract import Opener, Source, Target


class Route(NamedTuple):
    """An opener and the paths that belong to it."""

    matches: Callable[[str], bool]
    """Decides by a path as written, such as `s3://…`, whether this opener opens it."""
    opener: Opener


class RoutedOpener:
    """Opens each path by the first route that matches it, and otherwise on the disk."""

    def __init__(self, routes: Sequence[Route], disk: Opener) -> None:
        self._routes, self._disk = tuple(routes), disk
        # Relative paths go to one opener, and so its roots are the first.
        first = self._opener_of(".")
        others = [each for each in (disk, *(route.opener for route in routes)) if each is not first]
        self._openers = [first, *others]

    @property
    def cwd(self) -> str:
        """Where relative paths start."""
        return self._openers[0].cwd

    @property
    def roots(self) -> tuple[Root, ...]:
        """The roots of all openers, those first that relative paths are below."""
        return sum((opener.roots for opener in self._openers), ())

    def locate(self, path: str) -> LocatedPath:
        """Returns where a path is relative to the roots of its opener."""
        return self._opener_of(path).locate(path)

    def open(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Opens a file or directory."""
        return self._opener_of(path.asked).open(path, deadline)

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Opens a file or directory, or for a missing name the one that looks the same."""
        return self._opener_of(path.asked).open_repaired(path, deadline)

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:
        """Returns what a path leads to."""
        return self._opener_of(path.asked).target_of(path, deadline)

    def close(self) -> None:
        """Closes all openers."""
        self._disk.close()
        for route in self._routes:
            route.opener.close()

    def _opener_of(self, path: str) -> Opener:
        """Returns the opener of a path."""
        return next((route.opener for route in self._routes if route.matches(path)), self._disk)
