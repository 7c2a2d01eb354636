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
    refuse_denied_inode: Callable[[stat_result], None]
    """Raises AccessDenied for an open file that is denied whatever its name."""
    open_file: Callable[[Deadline, str], int]
    allows_real_path: Callable[[str, Deadline], bool]
    """Says whether a real path is inside the roots and not denied."""
    deny_files: IgnoreFileCache
    skip_files: IgnoreFileCache


def search_rules_of(policy: Policy, guard: Guard | None, open_file: Callable[[Deadline, str], int]) -> SearchRules:
    """Returns the rules of all searches of an opener."""

    def allows_real_path(real: str, deadline: Deadline) -> bool:
        return bool(policy.paths_below_roots(real)) and (guard is None or guard.rule_against(real, deadline) is None)

    denied_by_files = policy.denials.ignore_files
    return SearchRules(
        policy=policy,
        refuse_denied_inode=guard.refuse_denied_inode if guard else _refuse_nothing,
        open_file=open_file,
        allows_real_path=allows_real_path,
        deny_files=IgnoreFileCache(DENYING_FILES if denied_by_files else ()),
        skip_files=IgnoreFileCache(SEARCH_IGNORE_FILES if denied_by_files else (*SEARCH_IGNORE_FILES, *DENYING_FILES)),
    )


def _refuse_nothing(_: stat_result) -> None:
    """Denies nothing: the default where no rule is set."""


class SearchFilter:
    """Decides which entries of one directory are searched, by each of its paths."""

    def __init__(self, rules: SearchRules, paths: Sequence[_RulesOfPath], everything: bool, deadline: Deadline) -> None:
        self._rules, self._paths, self._everything, self._deadline = rules, paths, everything, deadline
        self.refuse_denied_inode = rules.refuse_denied_inode
        self._active: _ActiveRules | None = None

    def visibility_of(self, entry: Entry) -> Visibility:
        """Says whether an entry is searched."""
        if self._active is None:
            self._active = _ActiveRules(
                [path.is_name_denied for path in self._paths],
                [path.deny_chain for path in self._paths if path.deny_chain.has_ignore_files],
                [path.skip_chain for path in self._paths if path.skip_chain.has_ignore_files and not self._everything],
            )
        name, check, (name_checks, deny_chains, skip_chains) = entry.name, self._deadline.check, self._active
        for is_denied in name_checks:  # loops, since generators would take as long as the rules
            if is_denied(name):
                return "denied"
        for chain in deny_chains:
            if chain.excluding_line(name, True, check):
                return "denied"
        for chain in skip_chains:
            if chain.excluding_line(name, entry.kind == "directory", check):
                return "ignored"
        return "shown"

    def allows_real_path(self, real: str) -> bool:
        """Says whether the real path of an open file may be searched: it may have been moved meanwhile."""
        return self._rules.allows_real_path(real, self._deadline)

    def filter_below(self, name: str) -> SearchFilter:
        """Returns the filter of a directory in this one."""
        paths = [path.rules_below(self._rules.policy, name, self._deadline) for path in self._paths]
        return SearchFilter(self._rules, paths, self._everything, self._deadline)

    def add_ignore_files(self, names: Sequence[str]) -> None:
        """Loads ignore files of this directory."""
        open_file = partial(self._rules.open_file, self._deadline)
        for path in self._paths:
            for name in names:
                file = load_ignore_file(path.deny_chain.folder, name, open_file, self._deadline.check)
                if file and name in path.deny_chain.ignore_names:
                    path.deny_chain.add([file])
                elif file and file.patterns is not None and name in path.skip_chain.ignore_names:
                    path.skip_chain.add([file])


class _ActiveRules(NamedTuple):
    """The rules that can say anything of an entry: deny rules, ignore files that deny, ignore files that skip."""

    name_checks: Sequence[Callable[[str], bool]]
    deny_chains: Sequence[IgnoreChain]
    skip_chains: Sequence[IgnoreChain]


class _RulesOfPath(NamedTuple):
    """The rules that apply to a directory by one of its paths."""

    below_root: str
    is_name_denied: Callable[[str], bool]
    deny_chain: IgnoreChain
    skip_chain: IgnoreChain

    def rules_below(self, policy: Policy, name: str, deadline: Deadline) -> _RulesOfPath:
        """Returns the rules of a directory in this one."""
        below_root = f"{self.below_root}/{name}" if self.below_root else name
        deny_chain, skip_chain = self.deny_chain.copy(), self.skip_chain.copy()
        deny_chain.enter(name)
        skip_chain.enter(name)
        return _RulesOfPath(
            below_root,
            policy.denied_name_check(below_root, deadline.check, folder_allowed=True),
            deny_chain,
            skip_chain,
        )


def search_filter_of(rules: SearchRules, folder: str, real: str, everything: bool, deadline: Deadline) -> SearchFilter:
    """Returns the filter of a directory that was opened as `folder` and whose real path is `real`."""
    paths: list[_RulesOfPath] = []
    open_file = partial(rules.open_file, deadline)
    below_roots = {each for name in (normalised(folder, "/"), real) for each in rules.policy.paths_below_roots(name)}
    for root, below in below_roots:
        deny_chain = rules.deny_files.chain_into(root, below, open_file, deadline)
        if deny_chain.unreadable_file:
            raise AccessDenied(f"{deny_chain.unreadable_file}: it cannot be read")
        skip_chain = rules.skip_files.chain_into(root, below, open_file, deadline)
        # A caller that names an ignored directory wants it searched.
        if skip_chain.unreadable_file or (below and rules.skip_files.excluding_line(root, below, open_file, deadline)):
            skip_chain = skip_chain.without_ignore_files()
        paths.append(_RulesOfPath(below, rules.policy.denied_name_check(below, deadline.check), deny_chain, skip_chain))
    return SearchFilter(rules, paths, everything, deadline)
