"""Judges what may not be read inside the roots: by name before it is opened, and by what was opened."""

import os
import stat
from collections.abc import Callable
from typing import NamedTuple

from ..errors import AccessDenied
from ..policy import DENYING_FILES, THINNING_FILE, Policy
from .ignoring import IgnoreFiles, OpenFile, Way
from .source import Entry, Fate, Fates

GONE = " (deleted)"


class Guard:
    """The rules and the ignore files of a policy, and what it says of devices and second names."""

    def __init__(self, policy: Policy, devices: frozenset[int]) -> None:
        self._policy, self._devices = policy, devices
        names = policy.denials.ignore_files
        self._denying = IgnoreFiles(DENYING_FILES if names else ())
        self._thinning = IgnoreFiles((THINNING_FILE,) if names else ())

    def judge(self, absolute: str, open_file: OpenFile) -> None:
        """Raises AccessDenied for a name that is denied, there or not."""
        rule = self.rule_against(absolute, open_file)
        if rule is not None:
            raise AccessDenied(rule)

    def judge_real(self, real: str, open_file: OpenFile) -> None:
        """Raises AccessDenied for an opened thing that is denied by the name it really has."""
        if not self._policy.places(real):
            raise AccessDenied("its real path is not known")
        for name in {real, real.removesuffix(GONE)}:
            self.judge(name, open_file)

    def judge_kind(self, found: os.stat_result) -> None:
        """Raises AccessDenied for an opened thing that is denied by what it is."""
        if rule := self.rule_against_place(found):
            raise AccessDenied(rule)
        if self._policy.denials.deny_hardlinks and stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            raise AccessDenied("deny_hardlinks")

    def rule_against(self, absolute: str, open_file: OpenFile) -> str | None:
        """Returns the rule that denies a name; None where none does."""
        for root, below in self._policy.places(absolute):
            rule = self._policy.denies(below) or (below and self._denying.excludes(root, below, open_file))
            if rule:
                return rule
        return None

    def rule_against_place(self, found: os.stat_result | None) -> str | None:
        """Returns the rule that denies what lies on another device than the roots."""
        elsewhere = found is not None and found.st_dev not in self._devices
        return "same_filesystem" if elsewhere and self._policy.denials.same_filesystem else None

    def fates_in(
        self, folders: set[str], thin: bool, leads_to_denied: Callable[[str], bool], open_file: OpenFile
    ) -> Fates:
        """Returns what says of each entry of a folder, known by one name or two, whether it is shown."""
        ways = [self._ways(folder, thin, open_file) for folder in folders]

        def fate(entry: Entry) -> Fate:
            if any(self._child_denied(way, entry) for each in ways for way in each):
                return "denied"
            if entry.kind == "link" and leads_to_denied(entry.name):
                return "denied"
            thinned = any(self._child_ignored(way, entry) for each in ways for way in each)
            return "ignored" if thinned else "shown"

        return fate

    def _ways(self, folder: str, thin: bool, open_file: OpenFile) -> "list[_Ways]":
        found: list[_Ways] = []
        for root, below in self._policy.places(folder):
            denying = self._denying.way_into(root, below, open_file)
            if denying.unreadable:  # an empty listing would pretend that nothing is there
                raise AccessDenied(f"{denying.unreadable}: it cannot be read")
            thinning = self._thinning.way_into(root, below, open_file) if thin else Way((), ())
            # Whoever asks for an ignored folder wants to see what is in it.
            if thinning.unreadable or (below and self._thinning.excludes(root, below, open_file)):
                thinning = Way((), ())
            found.append(_Ways(below, denying, thinning))
        return found

    def _child_denied(self, ways: "_Ways", entry: Entry) -> bool:
        below = f"{ways.below}/{entry.name}".lstrip("/")
        denied = self._policy.denies(below) or self._denying.excludes_child(ways.denying, entry.name, True)
        return denied is not None

    def _child_ignored(self, ways: "_Ways", entry: Entry) -> bool:
        return self._thinning.excludes_child(ways.thinning, entry.name, entry.kind == "directory") is not None


class _Ways(NamedTuple):
    below: str
    denying: Way
    thinning: Way
