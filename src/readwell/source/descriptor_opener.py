"""`DescriptorOpener`: opens a located path as a descriptor, in its root or in the root that a link leads into."""

from __future__ import annotations

import errno
import os
from itertools import chain

from ..errors import AccessDenied, Unreadable
from ..model import LocatedPath
from ..path_names import normalised
from ..policy import Policy
from .confined_open import PROBE, READ, Beneath
from .file_status import is_readable_kind, real_path
from .open_roots import MOVED, OpeningContext, OpenRoots
from .pseudo_filesystems import PseudoFileError, is_pseudo_filesystem

TRIES = 4  # how often links are resolved again: one may be swapped between resolving and opening


class DescriptorOpener:
    """Opens paths inside the roots of a policy; whether a rule denies them is the caller's matter.

    `beneath` opens a path inside a root.
    """

    def __init__(self, policy: Policy, roots: OpenRoots, beneath: Beneath) -> None:
        self._policy, self._roots, self._beneath = policy, roots, beneath

    def check_roots(self, path: LocatedPath) -> None:
        """Raises Unreadable where a root was moved or replaced: the path would mean another file."""
        for number in range(len(self._policy.roots)) if path.root is None else (path.root,):
            if not self._roots.is_in_place(number, self._policy.roots[number]):
                raise Unreadable(errno.ESTALE, MOVED)

    def open(self, context: OpeningContext, path: LocatedPath, flags: int) -> int:
        """Opens a path inside its root, or where a link leads into another root."""
        if not self._policy.roots:
            return os.open(path.absolute, flags)
        if path.root is not None:
            try:
                return self._beneath(context.roots[path.root], path.below, flags, True, context.deadline.check)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        return self._open_target(context, path, flags)

    def open_to_read(self, context: OpeningContext, path: LocatedPath) -> int:
        """Opens a file to read it, once its kind is known: opening a pipe, even briefly, loses data of its writer."""
        if PROBE & READ == READ:
            return self.open(context, path, READ)
        probe = self.open(context, path, PROBE)
        try:
            status = os.fstat(probe)
            if not is_readable_kind(status):
                raise OSError(errno.ENXIO, "not a regular file")
            if is_pseudo_filesystem(status.st_dev) or (
                not self._policy.roots and self._leads_through_procfs(context, path, probe)
            ):
                raise PseudoFileError(errno.ENXIO, "made up by the kernel")
            return os.open(f"/proc/self/fd/{probe}", READ)
        except FileNotFoundError:  # no procfs: what was opened is judged again by the caller
            return self.open(context, path, READ)
        finally:
            os.close(probe)

    def _leads_through_procfs(self, context: OpeningContext, path: LocatedPath, probe: int) -> bool:
        """Says whether a path leads through links of procfs, such as `/proc/self/cwd`; not asked inside roots."""
        if real_path(probe, path.absolute) == path.absolute:
            return False
        from .symbolic_links import resolution_steps

        names = chain([normalised(path.absolute, "/")], resolution_steps(path.absolute, (), context.deadline))
        return any(f"{name}/".startswith("/proc/") for name in names)

    def _open_target(self, context: OpeningContext, path: LocatedPath, flags: int) -> int:
        """Opens the target of a path if it is inside a root: from that root, without following links."""
        from .symbolic_links import resolve_links

        for _ in range(TRIES):
            roots = [root.real for root in self._policy.roots]
            target = self._policy.locate(resolve_links(path.absolute, roots, context.deadline), "/")
            if target.root is None:
                raise AccessDenied
            self._roots.check_in_place(target.root, self._policy.roots[target.root])
            try:
                return self._beneath(context.roots[target.root], target.below, flags, False, context.deadline.check)
            except OSError as error:
                if error.errno not in (errno.ELOOP, errno.EXDEV):
                    raise
        raise AccessDenied
