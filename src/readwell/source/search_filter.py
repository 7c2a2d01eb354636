"""`SearchFilter`: which entries of a directory on the disk a search skips; continues that of the parent directory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from os import stat_result

from ..deadline import Deadline
from ..errors import AccessDenied
from ..named_tuple import NamedTuple
from ..path_names import normalised
from ..policy import DENYING_FILES, SEARCH_IGNORE_FILES, Policy
from .contract import Entry, Visibility
from .deny_guard import Guard
from .ignore_chain import IgnoreChain
from .ignore_file_cache import IgnoreFileCache, load_ignore_file

IGNORE_FILES = frozenset((*DENYING_FILES, *SEARCH_IGNORE_FILES))


class SearchRules(NamedTuple):
    """The rules of all searches of an opener."""

    policy: Policy
    refuse_denied_status: Callable[[stat_result], None]
    """Raises AccessDenied for an open file that is denied whatever its name."""
    open_file: Callable[[Deadline, str], int]
    allows: Callable[[str, Deadline], bool]
    """Says whether a real path is inside the roots and not denied."""
    denying: IgnoreFileCache
    skipping: IgnoreFileCache


def search_rules_of(policy: Policy, guard: Guard | None, open_file: Callable[[Deadline, str], int]) -> SearchRules:
    """Returns the rules of all searches of an opener."""

    def allows(real: str, deadline: Deadline) -> bool:
        return bool(policy.paths_below_roots(real)) and (guard is None or guard.rule_against(real, deadline) is None)

    denied_by_files = policy.denials.ignore_files
    return SearchRules(
        policy=policy,
        refuse_denied_status=guard.refuse_denied_status if guard else _refuse_nothing,
        open_file=open_file,
        allows=allows,
        denying=IgnoreFileCache(DENYING_FILES if denied_by_files else ()),
        skipping=IgnoreFileCache(SEARCH_IGNORE_FILES if denied_by_files else (*SEARCH_IGNORE_FILES, *DENYING_FILES)),
    )


def _refuse_nothing(_: stat_result) -> None:
    """Lets everything through."""


class SearchFilter:
    """Decides which entries of one directory are searched, by each of its paths."""

    def __init__(self, rules: SearchRules, paths: Sequence[_RulesOfPath], everything: bool, deadline: Deadline) -> None:
        self._rules, self._paths, self._everything, self._deadline = rules, paths, everything, deadline
        self.refuse_denied_status = rules.refuse_denied_status
        self._active: _ActiveRules | None = None

    def visibility_of(self, entry: Entry) -> Visibility:
        """Says whether an entry is searched."""
        if self._active is None:
            self._active = _ActiveRules(
                [path.denies for path in self._paths],
                [path.denying for path in self._paths if path.denying.has_files],
                [path.skipping for path in self._paths if path.skipping.has_files and not self._everything],
            )
        name, check, (denies, denying, skipping) = entry.name, self._deadline.check, self._active
        for denied in denies:  # loops, since generators would take as long as the rules
            if denied(name):
                return "denied"
        for chain in denying:
            if chain.excluding_line(name, True, check):
                return "denied"
        for chain in skipping:
            if chain.excluding_line(name, entry.kind == "directory", check):
                return "ignored"
        return "shown"

    def allows(self, real: str) -> bool:
        """Says whether the real path of an open file may be searched: it may have been moved meanwhile."""
        return self._rules.allows(real, self._deadline)

    def filter_below(self, name: str) -> SearchFilter:
        """Returns the filter of a directory in this one."""
        paths = [path.rules_below(self._rules.policy, name, self._deadline) for path in self._paths]
        return SearchFilter(self._rules, paths, self._everything, self._deadline)

    def add_ignore_files(self, names: Sequence[str]) -> None:
        """Loads ignore files of this directory."""
        open_file = partial(self._rules.open_file, self._deadline)
        for path in self._paths:
            for name in names:
                file = load_ignore_file(path.denying.folder, name, open_file, self._deadline.check)
                if file and name in path.denying.ignore_names:
                    path.denying.add([file])
                elif file and file.patterns is not None and name in path.skipping.ignore_names:
                    path.skipping.add([file])


class _ActiveRules(NamedTuple):
    """The rules that can say anything of an entry: deny rules, ignore files that deny, ignore files that skip."""

    denies: Sequence[Callable[[str], bool]]
    denying: Sequence[IgnoreChain]
    skipping: Sequence[IgnoreChain]


class _RulesOfPath(NamedTuple):
    """The rules that apply to a directory by one of its paths."""

    below_root: str
    denies: Callable[[str], bool]
    denying: IgnoreChain
    skipping: IgnoreChain

    def rules_below(self, policy: Policy, name: str, deadline: Deadline) -> _RulesOfPath:
        """Returns the rules of a directory in this one."""
        below_root = f"{self.below_root}/{name}" if self.below_root else name
        denying, skipping = self.denying.copy(), self.skipping.copy()
        denying.enter(name)
        skipping.enter(name)
        return _RulesOfPath(
            below_root, policy.denied_name_check(below_root, deadline.check, folder_allowed=True), denying, skipping
        )


def search_filter_of(rules: SearchRules, folder: str, real: str, everything: bool, deadline: Deadline) -> SearchFilter:
    """Returns the filter of a directory that was opened as `folder` and whose real path is `real`."""
    paths: list[_RulesOfPath] = []
    open_file = partial(rules.open_file, deadline)
    below_roots = {each for name in (normalised(folder, "/"), real) for each in rules.policy.paths_below_roots(name)}
    for root, below in below_roots:
        denying = rules.denying.chain_into(root, below, open_file, deadline)
        if denying.unreadable_file:
            raise AccessDenied(f"{denying.unreadable_file}: it cannot be read")
        skipping = rules.skipping.chain_into(root, below, open_file, deadline)
        # A caller that names an ignored directory wants it searched.
        if skipping.unreadable_file or (below and rules.skipping.excluding_line(root, below, open_file, deadline)):
            skipping = skipping.without_files()
        paths.append(_RulesOfPath(below, rules.policy.denied_name_check(below, deadline.check), denying, skipping))
    return SearchFilter(rules, paths, everything, deadline)
