"""Judges what may not be read inside the roots: by name before it is opened, and by what was opened."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
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
NOWHERE = Way("", ())


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
        self.judge_found(found)
        rule = None
        if real != absolute:
            if not self._policy.places(real):
                raise AccessDenied("its real path is not known")
            self.judge(real.removesuffix(GONE), watch)
            self.judge(real, watch)
            rule = self.rule_on_the_way(absolute, watch)
        if rule is not None:
            raise AccessDenied(rule)

    def judge_found(self, found: os.stat_result) -> None:
        """Raises AccessDenied for an opened thing that is denied by what it is, whatever its name."""
        if self._policy.denials.deny_hardlinks and stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            raise AccessDenied("deny_hardlinks")
        if rule := self.rule_against_place(found):
            raise AccessDenied(rule)

    def rule_against(self, absolute: str, watch: Watch) -> str | None:
        """Returns the rule that denies a name, or a folder that it leaves again by `..`; None where none does."""
        return self._rule_against_any(_without_parents(absolute), watch)

    def rule_on_the_way(self, absolute: str, watch: Watch) -> str | None:
        """Returns the rule against a name that the links of a path pass or lead to, there or not."""
        judged: set[int] = set()  # hashes: the names themselves may be very long, and very many
        with suppress(OSError):
            for way in names_on_the_way(absolute, [root.real for root in self._policy.roots], watch):
                for name in _without_parents(way):
                    rule = None if hash(name) in judged else self._rule_against_any([name], watch)
                    if rule:
                        return rule
                    judged.add(hash(name))
        return None

    def _rule_against_any(self, names: Iterable[str], watch: Watch) -> str | None:
        open_file = partial(self._open_file, watch)
        for root, below in (place for name in names for place in self._policy.places(name)):
            watch.check()
            rule = self._policy.denies(below, watch.check)
            rule = rule or (below and self._denying.excludes(root, below, open_file, watch))
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
            if any(way.denies(entry.name) or way.denying.excludes(entry.name, True, watch.check) for way in ways):
                return "denied"
            if entry.kind == "link" and self.rule_on_the_way(f"{folder}/{entry.name}", watch):
                return "denied"
            folder_too = entry.kind == "directory"
            ignored = any(way.thinning.excludes(entry.name, folder_too, watch.check) for way in ways)
            return "ignored" if ignored else "shown"

        return fate

    def _ways(self, folder: str, thin: bool, watch: Watch) -> "list[_Ways]":
        found: list[_Ways] = []
        open_file = partial(self._open_file, watch)
        for root, below in self._policy.places(folder):
            denying = self._denying.way_into(root, below, open_file, watch)
            if denying.unreadable:  # an empty listing would pretend that nothing is there
                raise AccessDenied(f"{denying.unreadable}: it cannot be read")
            thinning = self._thinning.way_into(root, below, open_file, watch) if thin else NOWHERE
            # Whoever asks for an ignored folder wants to see what is in it.
            if thinning.unreadable or (below and self._thinning.excludes(root, below, open_file, watch)):
                thinning = NOWHERE
            found.append(_Ways(self._policy.denies_in(below, watch.check), denying, thinning))
        return found


def _without_parents(path: str) -> Iterator[str]:
    """Yields each folder that a path leaves by `..`, so as not to tell whether that is there; at last what is left."""
    if "/.." not in path:
        yield path
        return
    passed: list[str] = []
    before = ".."
    for part in (part for part in path.split("/") if part not in ("", ".")):
        if part == "..":
            if before != "..":  # its parents are judged with it
                yield "/" + "/".join(passed)
            del passed[-1:]
        else:
            passed.append(part)
        before = part
    yield "/" + "/".join(passed)


class _Ways(NamedTuple):
    denies: Callable[[str], bool]
    denying: Way
    thinning: Way
