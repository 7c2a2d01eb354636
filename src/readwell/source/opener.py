"""The one place where paths become descriptors, confined to the roots of a policy."""

import errno
import os
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from ..errors import AccessDenied, InvalidRequest, NotFound, NotRegularFile, ReadError, Unreadable
from ..model import AdmittedPath, Root
from ..names import normalised
from ..policy import Denials, Policy
from ..watch import Watch
from .beneath import GLANCE, READ, Beneath, best_beneath, walk_beneath
from .contract import Target
from .filesystems import is_pseudo
from .folders import MOVED, Folders, RootMoved
from .guard import Guard
from .neighbours import MOST_NAMES, means_another, named_like, nearest_there, respelled
from .source import MISSING, DiskSource, is_readable_kind, real_path, target_of, unreadable
from .where import names_on_the_way, where_it_leads

if TYPE_CHECKING:
    from .sieve import Sieve, Sifting

TRIES = 4
"""Openings by hint: a link may be swapped between the hint and the opening."""

BOTH = r"spelled with \x5c for its backslash, or with the character itself: two entries are called so"
_SPECIAL = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)


class Visit(NamedTuple):
    """The roots lent out for one opening, and how long it may take."""

    folders: list[int]
    watch: Watch


class DiskOpener:
    """Opens admitted paths of the disk; holds a descriptor for each root until closed.

    `cwd` is where relative paths start; None: the process's own directory at each call.
    """

    def __init__(
        self,
        roots: tuple[str, ...],
        cwd: str | None = None,
        beneath: Beneath | None = None,
        denials: Denials | None = None,
    ) -> None:
        if denials and denials.same_filesystem and not roots:
            raise ValueError("same_filesystem needs a root")
        self._folders = Folders()
        self._beneath = beneath or (best_beneath() if roots else walk_beneath)
        found = tuple(self._folders.add(given) for given in roots)
        self.policy = Policy(found, denials)
        denying = self.policy.denials != Denials()
        self._guard = Guard(self.policy, self._folders.devices, self._open_file) if denying else None
        self._sifting: Sifting | None = None
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

    @property
    def roots(self) -> tuple[Root, ...]:
        """The directories that it is confined to."""
        return self.policy.roots

    def close(self) -> None:
        """Closes the roots, as soon as nothing is being opened; nothing can be opened afterwards."""
        self._folders.close()

    def admit(self, path: str) -> AdmittedPath:
        """Locates a path by its name, before the disk is touched; refuses one that starts nowhere."""
        cwd = self._cwd or self.cwd
        if not cwd and not path.startswith("/"):
            raise NotFound
        return self.policy.locate(path, cwd)

    def open(self, path: AdmittedPath, watch: Watch) -> DiskSource:
        """Opens a file or directory once, without blocking and without leaving the roots."""
        try:
            return self._open_source(path, watch)
        except NotFound as missing:
            raise self._with_lookalikes(path, watch) from missing

    def open_repaired(self, path: AdmittedPath, watch: Watch) -> DiskSource:
        """Like `open`; a missing name stands for the one beside it that is only spelled by other characters."""
        try:
            self._refuse_ambiguous(path, watch)
            return self._open_source(path, watch)
        except NotFound as missing:
            with self._folders as folders:
                visit = Visit(folders, watch)
                near = respelled(path.asked, partial(self._names_in, visit), partial(self._is_there, visit))
            if near is None:
                raise self._with_lookalikes(path, watch) from missing
        source = self.open(self.admit(near), watch)
        source.repaired = near
        return source

    def _refuse_ambiguous(self, path: AdmittedPath, watch: Watch) -> None:
        """Refuses a name that a listing shows for another entry, where both are there."""
        if "\\" not in path.asked:
            return
        with self._folders as folders:
            visit = Visit(folders, watch)
            both = means_another(path.asked, partial(self._names_in, visit)) and self._is_there(visit, path.asked)
        if both:
            raise InvalidRequest("path", path.asked, BOTH)

    def _open_source(self, path: AdmittedPath, watch: Watch) -> DiskSource:
        with self._folders as folders:
            visit = Visit(folders, watch)
            self._check_roots(path)
            if self._guard:
                self._guard.judge(path.absolute, watch)
            try:
                descriptor = self._open_plain(visit, path)
            except (OSError, AccessDenied) as error:
                raise self._failure(visit, path, error) from error
        try:
            return self._source(path, descriptor, watch)
        except BaseException:
            os.close(descriptor)
            raise

    def follow(self, path: AdmittedPath, watch: Watch) -> Target | None:
        """Looks at what a path leads to, inside the roots; None where it leads out or nowhere."""
        with self._folders as folders:
            found = self._glance(Visit(folders, watch), path)
        return target_of(found) if found else None

    def _open_plain(self, visit: Visit, path: AdmittedPath) -> int:
        """Looks before it opens: opening a pipe for a moment would cost its writer what it writes."""
        if GLANCE & READ == READ:
            return self._descriptor(visit, path, READ)
        glanced = self._descriptor(visit, path, GLANCE)
        try:
            found = os.fstat(glanced)
            if not is_readable_kind(found) or is_pseudo(found.st_dev) or self._is_made_up(visit, path, glanced):
                raise OSError(errno.ENXIO, "not a regular file")
            return os.open(f"/proc/self/fd/{glanced}", READ)
        except FileNotFoundError:  # no procfs: what is opened is judged again below
            return self._descriptor(visit, path, READ)
        finally:
            os.close(glanced)

    def _is_made_up(self, visit: Visit, path: AdmittedPath, glanced: int) -> bool:
        """Says whether an unconfined path leads through links that the kernel makes up, as `/proc/self/cwd` is."""
        if self.policy.roots or real_path(glanced, path.absolute) == path.absolute:
            return False
        names = chain([normalised(path.absolute, "/")], names_on_the_way(path.absolute, (), visit.watch))
        return any(f"{name}/".startswith("/proc/") for name in names)

    def _glance(self, visit: Visit, path: AdmittedPath) -> os.stat_result | None:
        visit.watch.check()
        try:
            if self._guard:
                self._guard.judge(path.absolute, visit.watch)
            descriptor = self._descriptor(visit, path, GLANCE)
        except (OSError, AccessDenied):
            return None
        try:
            found = os.fstat(descriptor)
            self._judge_opened(path, descriptor, found, visit.watch)
        except (OSError, AccessDenied):
            return None
        else:
            return found
        finally:
            os.close(descriptor)

    def _source(self, path: AdmittedPath, descriptor: int, watch: Watch) -> DiskSource:
        fates = partial(self._guard.fates_in, path.absolute, watch) if self._guard else None
        source = DiskSource(
            descriptor,
            path.asked,
            path.absolute,
            lambda name: self.follow(self._child(path, name), watch),
            fates,
            partial(self._sieve, path.absolute, watch),
        )
        if not is_readable_kind(source.stat) or is_pseudo(source.stat.st_dev):
            error = NotRegularFile()
            error.opened = source.real_path()
            raise error
        self._judge_opened(path, descriptor, source.stat, watch)
        return source

    def _sieve(self, folder: str, watch: Watch, real: str, everything: bool) -> "Sieve":
        from .sieve import sieve_of, sifting_of

        if self._sifting is None:
            self._sifting = sifting_of(self.policy, self._guard, self._open_file)
        return sieve_of(self._sifting, folder, real, everything, watch)

    def _judge_opened(self, path: AdmittedPath, descriptor: int, found: os.stat_result, watch: Watch) -> None:
        """Judges what was opened by the name that it really has, so that no link can rename it."""
        if self._guard:
            self._guard.judge_opened(path.absolute, real_path(descriptor, path.absolute), found, watch)

    def _open_file(self, watch: Watch, path: str) -> int:
        with self._folders as folders:
            return self._open_plain(Visit(folders, watch), self.policy.locate(path, "/"))

    def _check_roots(self, path: AdmittedPath) -> None:
        """Notices a root whose name leads elsewhere by now: what is read would not be what is meant."""
        for number, root in enumerate(self.policy.roots):
            if path.root in (None, number) and not self._folders.holds(number, root):
                raise Unreadable(errno.ESTALE, MOVED)

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
            hint = self.policy.locate(where_it_leads(path.absolute, roots, visit.watch), "/")
            if hint.root is None:
                raise AccessDenied
            self._folders.check(hint.root, self.policy.roots[hint.root])
            try:
                return self._beneath(visit.folders[hint.root], hint.below, flags, False)
            except OSError as error:
                if error.errno not in (errno.ELOOP, errno.EXDEV):
                    raise
        raise AccessDenied

    def _failure(self, visit: Visit, path: AdmittedPath, error: OSError | AccessDenied) -> ReadError:
        """Says first what would be said if it could be opened: what is denied is denied, there or not."""
        if self._guard and (rule := self._rule_if_opened(self._guard, visit, path)):
            return AccessDenied(rule)
        if isinstance(error, AccessDenied):
            return error
        if error.errno in MISSING:
            return NotFound()
        if error.errno in _SPECIAL:
            return NotRegularFile()
        return Unreadable(errno.ESTALE, MOVED) if isinstance(error, RootMoved) else unreadable(error)

    def _with_lookalikes(self, path: AdmittedPath, watch: Watch) -> NotFound:
        with self._folders as folders:
            visit = Visit(folders, watch)
            names_in, is_there = partial(self._names_in, visit), partial(self._is_there, visit)
            near = named_like(path.absolute, names_in, is_there, watch)
            if near:
                return NotFound(near)
            return NotFound((), *nearest_there(path.asked, lambda name: self._glance(visit, self.admit(name))))

    def _rule_if_opened(self, guard: Guard, visit: Visit, path: AdmittedPath) -> str | None:
        rule = guard.rule_on_the_way(path.absolute, visit.watch)
        if rule is None and self.policy.denials.same_filesystem:
            rule = guard.rule_against_place(self._nearest(visit, path))
        return rule

    def _nearest(self, visit: Visit, path: AdmittedPath) -> os.stat_result | None:
        """Looks at the nearest folder that is there on the way to where a path leads."""
        target = path.absolute
        with suppress(OSError):
            target = where_it_leads(path.absolute, [root.real for root in self.policy.roots], visit.watch)
        while target:
            visit.watch.check()
            target = target.rstrip("/").rpartition("/")[0]
            with suppress(OSError, AccessDenied):
                descriptor = self._descriptor(visit, self.policy.locate(target or "/", "/"), GLANCE)
                try:
                    return os.fstat(descriptor)
                finally:
                    os.close(descriptor)
        return None

    def _is_there(self, visit: Visit, path: str) -> bool:
        return self._glance(visit, self.admit(path)) is not None

    def _names_in(self, visit: Visit, folder: str) -> list[str] | None:
        visit.watch.check()
        try:
            descriptor = self._descriptor(visit, self.admit(folder), READ | os.O_DIRECTORY)
        except (OSError, AccessDenied):
            return None
        try:
            with os.scandir(descriptor) as found:
                return [entry.name for entry in islice(found, MOST_NAMES)]
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _child(self, folder: AdmittedPath, name: str) -> AdmittedPath:
        return self.policy.locate(f"{folder.absolute.rstrip('/')}/{name}", "/")
