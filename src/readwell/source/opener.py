"""The one place where paths become descriptors, confined to the roots of a policy."""

import errno
import os
from itertools import islice
from typing import NamedTuple

from ..errors import AccessDenied, NotFound, NotRegularFile, ReadError
from ..lookalikes import lookalikes
from ..model import AdmittedPath
from ..policy import Policy
from ..watch import Watch
from .beneath import GLANCE, READ, Beneath, best_beneath, walk_beneath
from .folders import Folders
from .source import Source, is_readable_kind, unreadable
from .where import where_it_leads

MOST_NAMES = 10_000
"""Names looked at for look-alikes of a missing one."""
TRIES = 4
"""Openings by hint: a link may be swapped between the hint and the opening."""

PSEUDO = ("/proc", "/sys", "/sys/kernel/debug", "/sys/kernel/tracing")
"""Where file systems are mounted whose files are not stored anywhere."""

_MISSING = (errno.ENOENT, errno.ENOTDIR)
_SPECIAL = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)


class Visit(NamedTuple):
    """The roots lent out for one opening, and how long it may take."""

    folders: list[int]
    watch: Watch


class Opener:
    """Opens admitted paths; holds a descriptor for each root until closed.

    `cwd` is where relative paths start; None: the process's own directory at each call.
    """

    def __init__(self, roots: tuple[str, ...], cwd: str | None = None, beneath: Beneath | None = None) -> None:
        self._folders = Folders()
        self._beneath = beneath or (best_beneath() if roots else walk_beneath)
        found = tuple(self._folders.add(given) for given in roots)
        self.policy = Policy(found)
        if cwd is not None:
            cwd = os.path.join(found[0].absolute, cwd) if found else os.path.abspath(cwd)
        self._cwd = cwd if cwd is not None or not found else found[0].absolute

    @property
    def cwd(self) -> str:
        """Where relative paths start; empty where the process's directory has been removed."""
        if self._cwd is not None:
            return self._cwd
        try:
            return os.getcwd()
        except OSError:
            return ""

    def close(self) -> None:
        """Closes the roots, as soon as nothing is being opened; nothing can be opened afterwards."""
        self._folders.close()

    def admit(self, path: str) -> AdmittedPath:
        """Places a path by its name: the policy's word, before the disk is touched."""
        cwd = self.cwd
        if not cwd and not path.startswith("/"):
            raise NotFound
        return self.policy.admit(path, cwd)

    def open(self, path: AdmittedPath, watch: Watch) -> Source:
        """Opens a file or directory once, without blocking and without leaving the roots."""
        with self._folders as folders:
            visit = Visit(folders, watch)
            try:
                descriptor = self._open_plain(visit, path)
            except OSError as error:
                raise self._failure(visit, path, error) from error
        try:
            return self._source(path, descriptor, watch)
        except BaseException:
            os.close(descriptor)
            raise

    def follow(self, path: AdmittedPath, watch: Watch) -> os.stat_result | None:
        """Looks at what a path leads to, inside the roots; None where it leads out or nowhere."""
        with self._folders as folders:
            return self._glance(Visit(folders, watch), path)

    def _open_plain(self, visit: Visit, path: AdmittedPath) -> int:
        """Looks before it opens: opening a pipe for a moment would cost its writer what it writes."""
        if GLANCE & READ == READ:
            return self._descriptor(visit, path, READ)
        glanced = self._descriptor(visit, path, GLANCE)
        try:
            if not is_readable_kind(os.fstat(glanced)):
                raise OSError(errno.ENXIO, "not a regular file")
            return os.open(f"/proc/self/fd/{glanced}", READ)
        except FileNotFoundError:  # no procfs: what is opened is judged again below
            return self._descriptor(visit, path, READ)
        finally:
            os.close(glanced)

    def _glance(self, visit: Visit, path: AdmittedPath) -> os.stat_result | None:
        visit.watch.check()
        try:
            descriptor = self._descriptor(visit, path, GLANCE)
        except (OSError, AccessDenied):
            return None
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def _source(self, path: AdmittedPath, descriptor: int, watch: Watch) -> Source:
        source = Source(descriptor, path.asked, path.absolute, lambda name: self.follow(self._child(path, name), watch))
        if not source.is_directory and not _is_plain_file(source):
            error = NotRegularFile()
            error.opened = source.real_path()
            raise error
        return source

    def _descriptor(self, visit: Visit, path: AdmittedPath, flags: int) -> int:
        if not self.policy.roots:
            return os.open(path.absolute, flags)
        if path.root is not None:
            try:
                return self._beneath(visit.folders[path.root], path.below, flags, True)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        return self._descriptor_by_hint(visit, path, flags)

    def _descriptor_by_hint(self, visit: Visit, path: AdmittedPath, flags: int) -> int:
        """Opens where the path leads to, if that is inside a root: from the root, through no link."""
        for _ in range(TRIES):
            roots = [root.real for root in self.policy.roots]
            hint = self.policy.admit(where_it_leads(path.absolute, roots, visit.watch), "/")
            if hint.root is None:
                raise AccessDenied
            try:
                return self._beneath(visit.folders[hint.root], hint.below, flags, False)
            except OSError as error:
                if error.errno not in (errno.ELOOP, errno.EXDEV):
                    raise
        raise AccessDenied

    def _failure(self, visit: Visit, path: AdmittedPath, error: OSError) -> ReadError:
        if error.errno in _MISSING:
            return NotFound(self._lookalikes(visit, path))
        if error.errno in _SPECIAL:
            return NotRegularFile()
        return unreadable(error)

    def _lookalikes(self, visit: Visit, path: AdmittedPath) -> tuple[str, ...]:
        parent, _, name = path.absolute.rstrip("/").rpartition("/")
        if name in (".", ".."):
            return ()
        folder = self.policy.admit(parent or "/", "/")
        try:
            descriptor = self._descriptor(visit, folder, READ | os.O_DIRECTORY)
        except (OSError, AccessDenied):
            return ()
        try:
            with os.scandir(descriptor) as found:
                names = [entry.name for entry in islice(found, MOST_NAMES)]
        except OSError:
            return ()
        finally:
            os.close(descriptor)
        return lookalikes(name, names, lambda near: self._glance(visit, self._child(folder, near)) is not None)

    def _child(self, folder: AdmittedPath, name: str) -> AdmittedPath:
        return self.policy.admit(f"{folder.absolute.rstrip('/')}/{name}", "/")


def _is_plain_file(source: Source) -> bool:
    """A regular file whose size is told: pseudo files of the kernel say 0 and may lose what is read of them."""
    return source.is_regular and (source.size > 0 or not _is_pseudo(source.stat.st_dev))


def _is_pseudo(device: int) -> bool:
    return any(device == _device_of(place) for place in PSEUDO)


def _device_of(place: str) -> int | None:
    try:
        return os.stat(place).st_dev
    except OSError:
        return None
