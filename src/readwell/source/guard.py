"""Judges what may not be read inside the roots: by name before it is opened, and by what was opened."""

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..errors import AccessDenied
from ..names import normalised
from ..policy import DENYING_FILES, THINNING_FILE, Policy
from ..watch import Watch
from .contract import Entry, Fate, Fates
from .ignoring import IgnoreFiles, Way
from .where import names_on_the_way

GONE = " (deleted)"
NOWHERE = Way((), ())


class Guard:
    """The rules and the ignore files of a policy, and what it says of devices and second names.

    `open_file` opens an ignore file by its absolute path, inside the roots, without blocking.
    """

    def __init__(self, policy: Policy, devices: frozenset[int], open_file: Callable[[Watch, str], int]) -> None:
        self._policy, self._devices, self._open_file = policy, devices, open_file
        obeyed = policy.denials.ignore_files
        self._denying = IgnoreFiles(DENYING_FILES if obeyed else ())
        self._thinning = IgnoreFiles((THINNING_FILE,) if obeyed else ())

    def judge(self, absolute: str, watch: Watch) -> None:
        """Raises AccessDenied for a name that is denied, or that leads through one, there or not."""
        rule = self.rule_against(absolute, watch)
        if rule is None and "/../" in f"{absolute}/":
            rule = self.rule_on_the_way(absolute, watch)
        if rule is not None:
            raise AccessDenied(rule)

    def judge_opened(self, absolute: str, real: str, found: os.stat_result, watch: Watch) -> None:
        """Raises AccessDenied for an opened thing that is denied by what it is, or by any name it has.

        Its name as asked, `absolute`, was judged before.
        """
        denials = self._policy.denials
        if denials.deny_hardlinks and stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            raise AccessDenied("deny_hardlinks")
        rule = self.rule_against_place(found)
        if rule is None and real != absolute:
            if not self._policy.places(real):
                raise AccessDenied("its real path is not known")
            self.judge(real.removesuffix(GONE), watch)
            self.judge(real, watch)
            rule = self.rule_on_the_way(absolute, watch)
        if rule is not None:
            raise AccessDenied(rule)

    def rule_against(self, absolute: str, watch: Watch) -> str | None:
        """Returns the rule that denies a name, or a folder that it leaves again by `..`; None where none does."""
        return self._rule_against_any(_without_parents(absolute), watch)

    def rule_on_the_way(self, absolute: str, watch: Watch) -> str | None:
        """Returns the rule against a name that the links of a path pass or lead to, there or not."""
        judged: set[str] = set()
        with suppress(OSError):
            for name in names_on_the_way(absolute, [root.real for root in self._policy.roots], watch):
                names = [each for each in _without_parents(name) if each not in judged]
                if rule := self._rule_against_any(names, watch):
                    return rule
                judged.update(names)
        return None

    def _rule_against_any(self, names: Iterable[str], watch: Watch) -> str | None:
        open_file = partial(self._open_file, watch)
        for root, below in (place for name in names for place in self._policy.places(name)):
            rule = self._policy.denies(below) or (below and self._denying.excludes(root, below, open_file))
            if rule:
                return rule
        return None

    def rule_against_place(self, found: os.stat_result | None) -> str | None:
        """Returns the rule that denies what lies on another device than the roots."""
        elsewhere = found is not None and found.st_dev not in self._devices
        return "same_filesystem" if elsewhere and self._policy.denials.same_filesystem else None

    def fates_in(self, folder: str, watch: Watch, real: str, thin: bool) -> Fates:
        """Returns what says of each entry of a folder whether it is shown."""
        ways = [way for name in {normalised(folder, "/"), real} for way in self._ways(name, thin, watch)]

        def fate(entry: Entry) -> Fate:
            if any(self._child_denied(way, entry) for way in ways):
                return "denied"
            if entry.kind == "link" and self.rule_on_the_way(f"{folder}/{entry.name}", watch):
                return "denied"
            return "ignored" if any(self._child_ignored(way, entry) for way in ways) else "shown"

        return fate

    def _ways(self, folder: str, thin: bool, watch: Watch) -> "list[_Ways]":
        found: list[_Ways] = []
        open_file = partial(self._open_file, watch)
        for root, below in self._policy.places(folder):
            denying = self._denying.way_into(root, below, open_file)
            if denying.unreadable:  # an empty listing would pretend that nothing is there
                raise AccessDenied(f"{denying.unreadable}: it cannot be read")
            thinning = self._thinning.way_into(root, below, open_file) if thin else NOWHERE
            # Whoever asks for an ignored folder wants to see what is in it.
            if thinning.unreadable or (below and self._thinning.excludes(root, below, open_file)):
                thinning = NOWHERE
            found.append(_Ways(below, denying, thinning))
        return found

    def _child_denied(self, ways: "_Ways", entry: Entry) -> bool:
        below = f"{ways.below}/{entry.name}".lstrip("/")
        denied = self._policy.denies(below) or self._denying.excludes_child(ways.denying, entry.name, True)
        return denied is not None

    def _child_ignored(self, ways: "_Ways", entry: Entry) -> bool:
        return self._thinning.excludes_child(ways.thinning, entry.name, entry.kind == "directory") is not None


def _without_parents(path: str) -> Iterable[str]:
    """Returns a path without `..`, and the folders that it leaves by them: it must not tell whether they are there."""
    if "/.." not in path:
        return (path,)
    names: dict[str, None] = {}
    passed: list[str] = []
    before = ".."
    for part in (part for part in path.split("/") if part not in ("", ".")):
        if part == "..":
            if before != "..":  # its parents are judged with it
                names["/" + "/".join(passed)] = None
            del passed[-1:]
        else:
            passed.append(part)
        before = part
    return (*names, "/" + "/".join(passed))


class _Ways(NamedTuple):
    below: str
    denying: Way
    thinning: Way
