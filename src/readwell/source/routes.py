"""Several openers as one: a path goes to the opener that its name belongs to."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..model import AdmittedPath, Root
from ..watch import Watch
from .contract import Opener, Source, Target


class Route(NamedTuple):
    """An opener and the names that are its own."""

    leads: Callable[[str], bool]
    """Says by a path as written, such as `s3://…`, whether it is to be opened here."""
    opener: Opener


class RoutedOpener:
    """Opens each path by the first route that it belongs to, and otherwise as a path of the disk."""

    def __init__(self, routes: Sequence[Route], disk: Opener) -> None:
        self._routes, self._disk = tuple(routes), disk

    @property
    def cwd(self) -> str:
        """Where relative paths start: on the disk."""
        return self._disk.cwd

    @property
    def roots(self) -> tuple[Root, ...]:
        """The roots of all, those of the disk first."""
        return sum((route.opener.roots for route in self._routes), self._disk.roots)

    def admit(self, path: str) -> AdmittedPath:
        """Locates a path by its name."""
        return self._opener_of(path).admit(path)

    def open(self, path: AdmittedPath, watch: Watch) -> Source:
        """Opens a file or directory."""
        return self._opener_of(path.asked).open(path, watch)

    def open_repaired(self, path: AdmittedPath, watch: Watch) -> Source:
        """Opens a file or directory, or the one whose name looks the same."""
        return self._opener_of(path.asked).open_repaired(path, watch)

    def follow(self, path: AdmittedPath, watch: Watch) -> Target | None:
        """Looks at what a path leads to."""
        return self._opener_of(path.asked).follow(path, watch)

    def close(self) -> None:
        """Closes all openers."""
        self._disk.close()
        for route in self._routes:
            route.opener.close()

    def _opener_of(self, path: str) -> Opener:
        return next((route.opener for route in self._routes if route.leads(path)), self._disk)
