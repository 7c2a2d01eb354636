"""`Guard`: checks paths of the disk against deny rules and ignore files, before and after they are opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from ..deadline import Deadline
from ..errors import AccessDenied
from ..named_tuple import NamedTuple
from ..path_names import normalised
from ..policy import DENYING_FILES, LISTING_IGNORE_FILE, Policy
from .contract import Entry, Visibility, VisibilityOf
from .ignore_chain import IgnoreChain
from .ignore_file_cache import IgnoreFileCache
from .symbolic_links import resolution_steps

GONE = " (deleted)"
NO_IGNORE_FILES = IgnoreChain("", ())


class Guard:
    """Applies the deny rules and ignore files of a policy, and its rules on devices and hard links.

    `open_file` opens an ignore file by its absolute path, inside the roots, without blocking.
    """

    def __init__(self, policy: Policy, devices: frozenset[int], open_file: Callable[[Deadline, str], int]) -> None:
        self._policy, self._devices, self._open_file = policy, devices, open_file
        ignore_files = policy.denials.ignore_files
        self._deny_files = IgnoreFileCache(DENYING_FILES if ignore_files else ())
        self._listing_files = IgnoreFileCache((LISTING_IGNORE_FILE,) if ignore_files else ())

    def refuse_denied(self, absolute: str, deadline: Deadline) -> None:
        """Raises AccessDenied for a path that is denied or leads through a denied one, whether it exists or not."""
        rule = self.rule_against(absolute, deadline)
        if rule is None and "/../" in f"{absolute}/":
            rule = self.rule_against_links(absolute, deadline)
        if rule is not None:
            raise AccessDenied(rule)

    def refuse_denied_file(self, absolute: str, real: str, status: os.stat_result, deadline: Deadline) -> None:
        """Raises AccessDenied for an open file that is denied by its kind or by its real path.

        The path as asked, `absolute`, was judged before.
        """
        self.refuse_denied_inode(status)
        rule = None
        if real != absolute and real != _without_dots(absolute):
            if not self._policy.paths_below_roots(real):
                raise AccessDenied("its real path is not known")
            self.refuse_denied(real.removesuffix(GONE), deadline)
            self.refuse_denied(real, deadline)
            rule = self.rule_against_links(absolute, deadline)
        if rule is not None:
            raise AccessDenied(rule)

    def refuse_denied_inode(self, status: os.stat_result) -> None:
        """Raises AccessDenied for an open file that is denied whatever its name: by its device or its hard links."""
        if self._policy.denials.deny_hardlinks and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            raise AccessDenied("deny_hardlinks")
        if rule := self.rule_against_device(status):
            raise AccessDenied(rule)

    def rule_against(self, absolute: str, deadline: Deadline) -> str | None:
        """Returns the rule that denies a path, or a directory that it leaves by `..`; None where there is none."""
        return self._rule_against_any(_paths_left_and_reached(absolute), deadline)

    def rule_against_links(self, absolute: str, deadline: Deadline) -> str | None:
        """Returns the rule that denies a path which the links of a path pass or lead to, whether it exists or not."""
        judged: set[int] = set()  # hashes, because the paths may be very long and many
        with suppress(OSError):
            for step in resolution_steps(absolute, [root.real for root in self._policy.roots], deadline):
                for name in _paths_left_and_reached(step):
                    rule = None if hash(name) in judged else self._rule_against_any([name], deadline)
                    if rule:
                        return rule
                    judged.add(hash(name))
        return None

    def _rule_against_any(self, names: Iterable[str], deadline: Deadline) -> str | None:
        """Returns the first rule that denies one of the names."""
        open_file = partial(self._open_file, deadline)
        for root, below in (each for name in names for each in self._policy.paths_below_roots(name)):
            deadline.check()
            rule = self._policy.denying_rule(below, deadline.check)
            rule = rule or (below and self._deny_files.excluding_line(root, below, open_file, deadline))
            if rule:
                return rule
        return None

    def rule_against_device(self, status: os.stat_result | None) -> str | None:
        """Returns the rule that denies files on other devices than those of the roots."""
        elsewhere = status is not None and status.st_dev not in self._devices
        return "same_filesystem" if elsewhere and self._policy.denials.same_filesystem else None

    def listing_filter_in(self, folder: str, deadline: Deadline, real: str, skip_ignored: bool) -> VisibilityOf:
        """Returns the function that decides which entries of a directory are shown."""
        all_rules = [
            rules for name in {normalised(folder, "/"), real} for rules in self._rules_in(name, skip_ignored, deadline)
        ]

        def visibility_of(entry: Entry) -> Visibility:
            if any(rules.is_denied(entry.name, deadline) for rules in all_rules):
                return "denied"
            if entry.kind == "link" and self.rule_against_links(f"{folder}/{entry.name}", deadline):
                return "denied"
            is_folder = entry.kind == "directory"
            ignored = any(
                rules.listing_chain.excluding_line(entry.name, is_folder, deadline.check) for rules in all_rules
            )
            return "ignored" if ignored else "shown"

        return visibility_of

    def _rules_in(self, folder: str, skip_ignored: bool, deadline: Deadline) -> list[_FolderRules]:
        """Returns the rules that hold in a folder, for each root that contains it."""
        rules: list[_FolderRules] = []
        open_file = partial(self._open_file, deadline)
        for root, below in self._policy.paths_below_roots(folder):
            deny_chain = self._deny_files.chain_into(root, below, open_file, deadline)
            if deny_chain.unreadable_file:  # an empty listing would pretend that the directory is empty
                raise AccessDenied(f"{deny_chain.unreadable_file}: it cannot be read")
            chain = (
                self._listing_files.chain_into(root, below, open_file, deadline) if skip_ignored else NO_IGNORE_FILES
            )
            # A caller that names an ignored directory wants to see its entries.
            if chain.unreadable_file or (
                below and self._listing_files.excluding_line(root, below, open_file, deadline)
            ):
                chain = NO_IGNORE_FILES
            rules.append(_FolderRules(self._policy.denied_name_check(below, deadline.check), deny_chain, chain))
        return rules


def _without_dots(path: str) -> str:
    """Returns a path without `.` and doubled slashes; one with `..` stays as it is, for that may lead anywhere."""
    return path if "/../" in f"{path}/" else normalised(path, "/")


def _paths_left_and_reached(path: str) -> Iterator[str]:
    """Yields each directory that a path leaves by `..`, and the normalised path last.

    All of them are judged, so that no answer reveals whether such a directory exists.
    """
    if "/.." not in path:
        yield path
        return
    passed: list[str] = []
    before = ".."
    for part in (part for part in path.split("/") if part not in ("", ".")):
        if part == "..":
            if before != "..":  # its parents are judged combined with it
                yield "/" + "/".join(passed)
            del passed[-1:]
        else:
            passed.append(part)
        before = part
    yield "/" + "/".join(passed)


class _FolderRules(NamedTuple):
    """The rules that apply to the entries of a directory, below one root."""

    is_name_denied: Callable[[str], bool]
    """Says whether a deny rule matches a name."""
    deny_chain: IgnoreChain
    """The ignore files that deny."""
    listing_chain: IgnoreChain
    """What version control ignores, which listings may leave out."""

    def is_denied(self, name: str, deadline: Deadline) -> bool:
        """Says whether an entry is denied by a rule or an ignore file."""
        return self.is_name_denied(name) or self.deny_chain.excluding_line(name, True, deadline.check) is not None
