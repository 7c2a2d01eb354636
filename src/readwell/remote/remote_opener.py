"""`RemoteOpener`: turns paths into objects and folders of remote roots, by name alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..deadline import Deadline
from ..errors import AccessDenied, DeadlineExceeded, NotFound, ReadError
from ..model import LocatedPath, Root
from ..path_names import is_address, look_alike_key
from ..policy import Denials
from ..source import Source, Target
from ..source.missing_names import repaired_path
from .open_root import OpenRemoteRoot, RemoteRoot


class RemoteOpener:
    """Opens paths below remote roots; a path leads to no other bucket, server or prefix. Safe to share.

    `takes_relative`: relative paths are below the first of its roots.
    """

    def __init__(self, roots: Sequence[RemoteRoot], denials: Denials, takes_relative: bool) -> None:
        self._roots = [OpenRemoteRoot(root, denials) for root in roots]
        self.roots = tuple(Root(root.given, root.address, root.address) for root in roots)
        self._takes_relative = takes_relative
        self.cwd = roots[0].address if takes_relative else ""

    def matches(self, path: str) -> bool:
        """Says whether a path is written as one of these: an address, or relative where these roots are the first."""
        return is_address(path) or (self._takes_relative and not path.startswith("/"))

    def locate(self, path: str) -> LocatedPath:
        """Returns which root a path is below, with `..` resolved by name; nothing is requested."""
        if is_address(path):
            names = _resolved_parts(path)
        elif self._takes_relative and not path.startswith("/"):
            names = _resolved_parts(f"{self.cwd}/{path}")
        else:
            return LocatedPath(path, path, None, "")
        slash = "/" if path.endswith(("/", "/.", "/..")) else ""
        for number, root in enumerate(self.roots):
            wanted = _resolved_parts(root.absolute)
            if names[: len(wanted)] == wanted:
                below = "/".join(names[len(wanted) :])
                absolute = f"{root.absolute}/{below}" if below else root.absolute
                return LocatedPath(path, absolute, number, below + slash if below else "")
        return LocatedPath(path, path, None, "")

    def open(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Opens an object or a folder; raises a ReadError where it cannot."""
        root = self._root_of(path, deadline)
        try:
            return root.open_below(path.below, deadline)
        except NotFound:
            raise root.not_found(path, deadline) from None

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> Source:
        """Like `open`; a missing name is replaced by the one beside it that looks the same."""
        root = self._root_of(path, deadline)
        try:
            return root.open_below(path.below, deadline)
        except NotFound:
            repaired = self._repaired_path(path, root, deadline)
            if repaired is None:
                raise root.not_found(path, deadline) from None
        source = self.open(self.locate(repaired), deadline)
        source.repaired = repaired
        return source

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:
        """Returns what a path leads to; None: outside the roots, or nowhere."""
        try:
            return self._root_of(path, deadline).target_of(path.below, deadline)
        except DeadlineExceeded:
            raise
        except ReadError:
            return None

    def close(self) -> None:
        """Closes the connections."""
        for root in self._roots:
            root.close()

    def _root_of(self, path: LocatedPath, deadline: Deadline) -> OpenRemoteRoot:
        """Returns the root of a path, and announces a remote read."""
        if path.root is None:
            raise AccessDenied
        deadline.announce("remote", path.root)
        return self._roots[path.root]

    def _repaired_path(self, path: LocatedPath, root: OpenRemoteRoot, deadline: Deadline) -> str | None:
        """Returns the only path that exists and looks the same; None where nothing can be listed."""
        name = path.asked.rstrip("/")
        if "\\" not in name and not root.can_list:
            return None
        if look_alike_key(name) == name and "\\" not in name and name.isascii():
            return None
        return repaired_path(
            path.asked,
            lambda folder: root.names_in(self.locate(folder), deadline),
            lambda each: self.target_of(self.locate(each), deadline) is not None,
        )


def _resolved_parts(address: str) -> list[str]:
    """Returns the parts of an address, `..` resolved by name; the scheme is the first."""
    scheme, _, rest = address.partition("://")
    names: list[str] = []
    for name in rest.split("/"):
        if name == "..":
            del names[-1:]
        elif name not in ("", "."):
            names.append(name)
    return [scheme, *names]
