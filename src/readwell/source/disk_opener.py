"""`DiskOpener`: opens paths of the disk as sources; denied ones by name before, and by what was opened after."""

from __future__ import annotations

import os
from functools import partial

from ..deadline import Deadline
from ..errors import AccessDenied, NotFound, NotRegularFile, ReadError
from ..light_typing import TYPE_CHECKING
from ..model import LocatedPath, Root
from ..policy import Denials, Policy
from .confined_open import PROBE, Beneath, choose_open_beneath, open_by_walking
from .contract import Target, VisibilityOf
from .descriptor_opener import DescriptorOpener
from .disk_source import DiskSource
from .file_status import is_readable_kind, real_path, target_from_status
from .open_roots import OpeningContext, OpenRoots
from .pseudo_filesystems import is_pseudo_filesystem

if TYPE_CHECKING:
    from .deny_guard import Guard
    from .missing_names import MissingNames
    from .search_filter import SearchFilter, SearchRules


class DiskOpener:
    """Opens paths of the disk; keeps a descriptor of each root open until it is closed.

    `cwd` is where relative paths start; None: the current directory of the process at each call.
    `beneath` opens a path inside a root; by default the best function that the system supports.
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
        self._open_roots = OpenRoots()
        beneath = beneath or (choose_open_beneath() if roots else open_by_walking)
        opened = tuple(self._open_roots.add(given) for given in roots)
        self.policy = Policy(opened, denials)
        self._descriptors = DescriptorOpener(self.policy, self._open_roots, beneath)
        self._guard = self._new_guard() if self.policy.denials != Denials() else None
        self._search_rules: SearchRules | None = None
        if cwd is not None:
            cwd = os.path.join(opened[0].absolute, cwd) if opened else os.path.abspath(cwd)
        self._cwd = cwd if cwd is not None or not opened else opened[0].absolute

    def _new_guard(self) -> Guard:
        from .deny_guard import Guard

        return Guard(self.policy, self._open_roots.devices, self._open_ignore_file)

    def _missing_names(self) -> MissingNames:
        from .missing_names import MissingNames

        return MissingNames(self.locate, self._probe, self._descriptors.open)

    @property
    def cwd(self) -> str:
        """Where relative paths start; empty where the current directory of the process was removed."""
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
        """Closes the roots once nothing is being opened; nothing can be opened afterwards."""
        self._open_roots.close()

    def locate(self, path: str) -> LocatedPath:
        """Returns where a path is relative to the roots, judged by its name alone.

        Raises NotFound for a relative path where the current directory was removed.
        """
        cwd = self._cwd or self.cwd
        if not cwd and not path.startswith("/"):
            raise NotFound
        return self.policy.locate(path, cwd)

    def open(self, path: LocatedPath, deadline: Deadline) -> DiskSource:
        """Opens a file or directory, without blocking and without leaving the roots."""
        try:
            return self._open_source(path, deadline)
        except NotFound as missing:
            with self._open_roots as roots:
                raise self._missing_names().not_found(path, OpeningContext(roots, deadline)) from missing

    def open_repaired(self, path: LocatedPath, deadline: Deadline) -> DiskSource:
        """Like `open`; a missing name is replaced by the one in its directory that looks the same."""
        try:
            if "\\" in path.asked:
                with self._open_roots as roots:
                    self._missing_names().refuse_ambiguous(path, OpeningContext(roots, deadline))
            return self._open_source(path, deadline)
        except NotFound as missing:
            with self._open_roots as roots:
                context = OpeningContext(roots, deadline)
                repaired = self._missing_names().repaired_path(path, context)
                if repaired is None:
                    raise self._missing_names().not_found(path, context) from missing
        source = self.open(self.locate(repaired), deadline)
        source.repaired = repaired
        return source

    def _open_source(self, path: LocatedPath, deadline: Deadline) -> DiskSource:
        """Opens a path to read it: denied by name first, judged by what was opened then."""
        with self._open_roots as roots:
            context = OpeningContext(roots, deadline)
            self._descriptors.check_roots(path)
            if self._guard:
                self._guard.refuse_denied(path.absolute, deadline)
            try:
                descriptor = self._descriptors.open_to_read(context, path)
            except (OSError, AccessDenied) as error:
                raise self._as_read_error(context, path, error) from error
        try:
            return self._make_source(path, descriptor, deadline)
        except BaseException:
            os.close(descriptor)
            raise

    def refuse_denied(self, absolute: str, deadline: Deadline) -> None:
        """Raises AccessDenied for a path that a rule denies, whether it exists or not; also for one in an archive."""
        if self._guard:
            self._guard.refuse_denied(absolute, deadline)

    def listing_filter_in(self, folder: str, real: str, skip_ignored: bool, deadline: Deadline) -> VisibilityOf | None:
        """Returns the function that decides which entries of a folder are shown; also of one in an archive."""
        return self._guard.listing_filter_in(folder, deadline, real, skip_ignored) if self._guard else None

    def target_of(self, path: LocatedPath, deadline: Deadline) -> Target | None:
        """Returns what a path leads to; None: outside the roots, or nowhere."""
        with self._open_roots as roots:
            status = self._probe(OpeningContext(roots, deadline), path)
        return target_from_status(status) if status else None

    def _probe(self, context: OpeningContext, path: LocatedPath) -> os.stat_result | None:
        """Returns the status of a path, or None where it may not or cannot be opened."""
        context.deadline.check()
        try:
            if self._guard:
                self._guard.refuse_denied(path.absolute, context.deadline)
            descriptor = self._descriptors.open(context, path, PROBE)
        except (OSError, AccessDenied):
            return None
        try:
            status = os.fstat(descriptor)
            self._real_path_unless_denied(path, descriptor, status, context.deadline)
        except (OSError, AccessDenied):
            return None
        else:
            return status
        finally:
            os.close(descriptor)

    def _make_source(self, path: LocatedPath, descriptor: int, deadline: Deadline) -> DiskSource:
        """Returns the source of a descriptor; raises NotRegularFile for pipes and the like."""
        listing_filter_in = partial(self._guard.listing_filter_in, path.absolute, deadline) if self._guard else None
        source = DiskSource(
            descriptor,
            path.asked,
            path.absolute,
            lambda name: self.target_of(self._locate_child(path, name), deadline),
            listing_filter_in,
            partial(self._search_filter, path.absolute, deadline),
        )
        if not is_readable_kind(source.stat) or is_pseudo_filesystem(source.stat.st_dev):
            error = NotRegularFile(made_up=is_readable_kind(source.stat))
            error.opened = source.real_path()
            raise error
        source.note_real_path(self._real_path_unless_denied(path, descriptor, source.stat, deadline))
        return source

    def _search_filter(self, folder: str, deadline: Deadline, real: str, everything: bool) -> SearchFilter:
        """Returns which entries of a folder a search skips."""
        from .search_filter import search_filter_of, search_rules_of

        if self._search_rules is None:
            self._search_rules = search_rules_of(self.policy, self._guard, self._open_ignore_file)
        return search_filter_of(self._search_rules, folder, real, everything, deadline)

    def _real_path_unless_denied(
        self, path: LocatedPath, descriptor: int, status: os.stat_result, deadline: Deadline
    ) -> str:
        """Applies the rules to the real path of an open file, so that no link can hide it, and returns it."""
        real = real_path(descriptor, path.absolute) if self._guard else ""
        if self._guard:
            self._guard.refuse_denied_file(path.absolute, real, status, deadline)
        return real

    def _open_ignore_file(self, deadline: Deadline, path: str) -> int:
        """Opens a file by its real path, for ignore files."""
        with self._open_roots as roots:
            return self._descriptors.open_to_read(OpeningContext(roots, deadline), self.policy.locate(path, "/"))

    def _as_read_error(self, context: OpeningContext, path: LocatedPath, error: OSError | AccessDenied) -> ReadError:
        """Returns the ReadError for an open that failed."""
        from .open_failure import OpenErrorTranslator

        return OpenErrorTranslator(self.policy, self._guard, self._descriptors.open).as_read_error(context, path, error)

    def _locate_child(self, folder: LocatedPath, name: str) -> LocatedPath:
        return self.policy.locate(f"{folder.absolute.rstrip('/')}/{name}", "/")
