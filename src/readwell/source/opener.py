"""The one place where paths become descriptors, confined to the roots of a policy."""

from __future__ import annotations

import errno
import os
from itertools import islice

from ..errors import AccessDenied, NotFound, NotRegularFile, ReadError
from ..lookalikes import lookalikes
from ..model import AdmittedPath, Root
from ..policy import Policy
from .beneath import FOLDER, GLANCE, READ, Beneath, best_beneath, walk_beneath
from .source import Source, real_path, unreadable
from .where import where_it_leads, where_it_would_lead

MOST_NAMES = 10_000
"""Names looked at for look-alikes of a missing one."""
TRIES = 4
"""Openings by hint: a link may be swapped between the hint and the opening."""

_MISSING = (errno.ENOENT, errno.ENOTDIR)
_SPECIAL = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)


class Opener:
    """Opens admitted paths; holds a descriptor for each root until closed.

    `cwd` is where relative paths start; None: the process's own directory at each call.
    """

    def __init__(self, roots: tuple[str, ...], cwd: str | None = None, beneath: Beneath | None = None) -> None:
        self._folders: list[int] = []
        self._closed = False
        self._beneath = beneath or (best_beneath() if roots else walk_beneath)
        found: list[Root] = []
        for given in roots:
            self._folders.append(_open_root(given))
            real = real_path(self._folders[-1], given)
            # Taking `..` out of a name changes what it means where a link stands before it.
            found.append(Root(given, real if ".." in given.split("/") else os.path.abspath(given), real))
        self.policy = Policy(tuple(found))
        if cwd is not None:
            cwd = os.path.join(found[0].absolute, cwd) if found else os.path.abspath(cwd)
        self._cwd = cwd if cwd is not None or not found else found[0].absolute

    @property
    def cwd(self) -> str:
        """Where relative paths start."""
        return self._cwd if self._cwd is not None else os.getcwd()

    def close(self) -> None:
        """Closes the roots; nothing can be opened afterwards."""
        self._closed = True
        while self._folders:
            os.close(self._folders.pop())

    def __del__(self) -> None:
        self.close()

    def admit(self, path: str) -> AdmittedPath:
        """Places a path by its name: the policy's word, before the disk is touched."""
        return self.policy.admit(path, self.cwd)

    def open(self, path: AdmittedPath) -> Source:
        """Opens a file or directory once, without blocking and without leaving the roots."""
        if self._closed:
            raise ValueError("this reader is closed")
        try:
            descriptor = self._descriptor(path, READ)
        except OSError as error:
            raise self._failure(path, error) from error
        try:
            return self._source(path, descriptor)
        except BaseException:
            os.close(descriptor)
            raise

    def follow(self, path: AdmittedPath) -> os.stat_result | None:
        """Looks at what a path leads to, inside the roots; None where it leads out or nowhere."""
        try:
            descriptor = self._descriptor(path, GLANCE)
        except (OSError, ReadError):
            return None
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def _source(self, path: AdmittedPath, descriptor: int) -> Source:
        source = Source(descriptor, path.asked, path.absolute, lambda name: self.follow(self._child(path, name)))
        if not source.is_directory and not _is_plain_file(source):
            error = NotRegularFile()
            error.opened = source.opened
            raise error
        return source

    def _descriptor(self, path: AdmittedPath, flags: int) -> int:
        if not self.policy.roots:
            return os.open(path.absolute, flags)
        if path.root is not None:
            try:
                return self._beneath(self._folders[path.root], path.below, flags, True)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        return self._descriptor_by_hint(path, flags)

    def _descriptor_by_hint(self, path: AdmittedPath, flags: int) -> int:
        """Opens where the path leads to, if that is inside a root: from the root, through no link."""
        for _ in range(TRIES):
            hint = self._hint(path.absolute)
            try:
                return self._beneath(self._folders[hint.root or 0], hint.below, flags, False)
            except OSError as error:
                if error.errno not in (errno.ELOOP, errno.EXDEV):
                    raise
        raise AccessDenied

    def _hint(self, absolute: str) -> AdmittedPath:
        """Asks where a path leads to; refuses what leads out, and what is missing there."""
        try:
            real = where_it_leads(absolute)
        except OSError:
            if self.policy.admit(where_it_would_lead(absolute), "/").root is None:
                raise AccessDenied from None
            raise
        hint = self.policy.admit(real, "/")
        if hint.root is None:
            raise AccessDenied
        return hint

    def _failure(self, path: AdmittedPath, error: OSError) -> ReadError:
        if error.errno in _MISSING:
            return NotFound(self._lookalikes(path))
        if error.errno in _SPECIAL:
            return NotRegularFile()
        return unreadable(error)

    def _lookalikes(self, path: AdmittedPath) -> tuple[str, ...]:
        parent, _, name = path.absolute.rstrip("/").rpartition("/")
        if name in (".", ".."):
            return ()
        folder = self.policy.admit(parent or "/", "/")
        try:
            descriptor = self._descriptor(folder, READ | os.O_DIRECTORY)
        except (OSError, ReadError):
            return ()
        try:
            with os.scandir(descriptor) as found:
                names = [entry.name for entry in islice(found, MOST_NAMES)]
        except OSError:
            return ()
        finally:
            os.close(descriptor)
        return lookalikes(name, names, lambda near: self.follow(self._child(folder, near)) is not None)

    def _child(self, folder: AdmittedPath, name: str) -> AdmittedPath:
        return self.policy.admit(f"{folder.absolute.rstrip('/')}/{name}", "/")


def _open_root(given: str) -> int:
    try:
        return os.open(given, FOLDER)
    except (OSError, ValueError) as error:
        raise ValueError(f"the root is not a directory: {given!r}") from error


def _is_plain_file(source: Source) -> bool:
    """A regular file whose size is told: pseudo files of the kernel say 0 and hold bytes."""
    if not source.is_regular:
        return False
    if source.size:
        return True
    try:
        holds_bytes = bool(os.pread(source.descriptor, 1, 0))
    except OSError as error:
        raise unreadable(error) from error
    return not holds_bytes or source.stat_now().st_size > 0
