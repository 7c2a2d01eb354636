"""The error of an open that failed; a rule that denies the path comes first, so that nothing reveals what exists."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress

from ..errors import AccessDenied, NotFound, NotRegularFile, ReadError, Unreadable
from ..light_typing import TYPE_CHECKING
from ..model import LocatedPath
from ..policy import Policy
from .confined_open import PROBE
from .file_status import MISSING, as_unreadable
from .open_roots import MOVED, OpeningContext, RootMoved
from .pseudo_filesystems import PseudoFileError

if TYPE_CHECKING:
    from .deny_guard import Guard

SPECIAL = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)
"""Error numbers of opening a pipe, a socket or a device."""


class OpenErrorTranslator:
    """Translates failures of an opener; `open_descriptor` is its function (context, path, flags) -> descriptor."""

    def __init__(
        self,
        policy: Policy,
        guard: Guard | None,
        open_descriptor: Callable[[OpeningContext, LocatedPath, int], int],
    ) -> None:
        self._policy, self._guard, self._open_descriptor = policy, guard, open_descriptor

    def as_read_error(self, context: OpeningContext, path: LocatedPath, error: OSError | AccessDenied) -> ReadError:
        """Returns the ReadError of a failed open."""
        if self._guard and (rule := self._rule_against(self._guard, context, path)):
            return AccessDenied(rule)
        if isinstance(error, AccessDenied):
            return error
        if error.errno in MISSING:
            return NotFound()
        if error.errno in SPECIAL:
            return NotRegularFile(made_up=isinstance(error, PseudoFileError))
        return Unreadable(errno.ESTALE, MOVED) if isinstance(error, RootMoved) else as_unreadable(error)

    def _rule_against(self, guard: Guard, context: OpeningContext, path: LocatedPath) -> str | None:
        """Returns the rule that would deny the target of a path if it could be opened."""
        rule = guard.rule_against_links(path.absolute, context.deadline)
        if rule is None and self._policy.denials.same_filesystem:
            rule = guard.rule_against_device(self._nearest_directory(context, path))
        return rule

    def _nearest_directory(self, context: OpeningContext, path: LocatedPath) -> os.stat_result | None:
        """Returns the status of the nearest existing directory above the target of a path."""
        from .symbolic_links import resolve_links

        target = path.absolute
        with suppress(OSError):
            target = resolve_links(path.absolute, [root.real for root in self._policy.roots], context.deadline)
        while target:
            context.deadline.check()
            target = target.rstrip("/").rpartition("/")[0]
            with suppress(OSError, AccessDenied):
                descriptor = self._open_descriptor(context, self._policy.locate(target or "/", "/"), PROBE)
                try:
                    return os.fstat(descriptor)
                finally:
                    os.close(descriptor)
        return None
