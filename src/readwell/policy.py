"""May this path be read? A value that compares names with roots and never touches the disk."""

from typing import NamedTuple

from .model import AdmittedPath, Root
from .names import below


class Policy(NamedTuple):
    """Where reading may happen: inside `roots`, or anywhere when there are none."""

    roots: tuple[Root, ...] = ()

    def admit(self, path: str, cwd: str) -> AdmittedPath:
        """Places a path below a root by its name alone; links are judged when it is opened."""
        absolute = path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}"
        for number, root in enumerate(self.roots):
            for spelling in (root.absolute, root.real):
                rest = below(absolute, spelling)
                if rest is not None:
                    return AdmittedPath(path, absolute, number, rest)
        return AdmittedPath(path, absolute, None, "")
