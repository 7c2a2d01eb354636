"""What a search passes over on its way down: judged name by name, each folder knowing what its parents say."""

from collections.abc import Callable, Sequence
from functools import partial
from os import stat_result
from typing import NamedTuple

from ..errors import AccessDenied
from ..names import normalised
from ..policy import DENYING_FILES, SEARCH_IGNORING_FILES, Policy
from ..watch import Watch
from .contract import Entry, Fate
from .guard import Guard
from .ignoring import IgnoreFiles, Way, load_ignore_file

IGNORE_FILES = frozenset((*DENYING_FILES, *SEARCH_IGNORING_FILES))


class Sifting(NamedTuple):
    """What all folders of a search are judged by."""

    policy: Policy
    judge_opened: Callable[[stat_result], None]
    """Raises AccessDenied for what is denied by what it is."""
    open_file: Callable[[Watch, str], int]
    holds: Callable[[str, Watch], bool]
    """Says whether a real path lies inside the roots and is not denied."""
    denying: IgnoreFiles
    passing: IgnoreFiles


def sifting_of(policy: Policy, guard: Guard | None, open_file: Callable[[Watch, str], int]) -> Sifting:
    """Returns what all searches of an opener judge by."""

    def holds(real: str, watch: Watch) -> bool:
        return bool(policy.places(real)) and (guard is None or guard.rule_against(real, watch) is None)

    obeyed = policy.denials.ignore_files
    return Sifting(
        policy=policy,
        judge_opened=guard.judge_found if guard else _judge_nothing,
        open_file=open_file,
        holds=holds,
        denying=IgnoreFiles(DENYING_FILES if obeyed else ()),
        passing=IgnoreFiles(SEARCH_IGNORING_FILES if obeyed else (*SEARCH_IGNORING_FILES, *DENYING_FILES)),
    )


def _judge_nothing(_: stat_result) -> None:
    """Lets everything through."""


class Sieve:
    """Says what becomes of the entries of one folder, by each of the names that it has."""

    def __init__(self, sifting: Sifting, ways: "Sequence[_Ways]", everything: bool, watch: Watch) -> None:
        self._sifting, self._ways, self._everything, self._watch = sifting, ways, everything, watch
        self.judge_opened = sifting.judge_opened

    def fate(self, entry: Entry) -> Fate:
        """Says whether an entry is searched."""
        name, is_folder, check = entry.name, entry.kind == "directory", self._watch.check
        for way in self._ways:
            if way.denies(name) or way.denying.excludes(name, True, check):
                return "denied"
        if not self._everything and any(way.passing.excludes(name, is_folder, check) for way in self._ways):
            return "ignored"
        return "shown"

    def holds(self, real: str) -> bool:
        """Says whether something that was opened on the way down is still where it may be searched."""
        return self._sifting.holds(real, self._watch)

    def below(self, name: str) -> "Sieve":
        """Returns the sieve of a folder in this one."""
        ways = [way.below(self._sifting.policy, name, self._watch) for way in self._ways]
        return Sieve(self._sifting, ways, self._everything, self._watch)

    def heed(self, names: Sequence[str]) -> None:
        """Takes the ignore files that the folder holds."""
        open_file = partial(self._sifting.open_file, self._watch)
        for way in self._ways:
            for name in names:
                kept = load_ignore_file(way.denying.folder, name, open_file, self._watch.check)
                if kept and name in way.denying.kinds:
                    way.denying.look([kept])
                elif kept and kept.patterns is not None and name in way.passing.kinds:
                    way.passing.look([kept])


class _Ways(NamedTuple):
    """What is known of a folder by one of its names."""

    place: str
    denies: Callable[[str], bool]
    denying: Way
    passing: Way

    def below(self, policy: Policy, name: str, watch: Watch) -> "_Ways":
        """Returns the same of a folder in this one."""
        place = f"{self.place}/{name}" if self.place else name
        denying, passing = self.denying.copy(), self.passing.copy()
        denying.enter(name)
        passing.enter(name)
        return _Ways(place, policy.denies_in(place, watch.check), denying, passing)


def sieve_of(sifting: Sifting, folder: str, real: str, everything: bool, watch: Watch) -> Sieve:
    """Returns the sieve of a folder that was opened by its name, and is really there."""
    ways: list[_Ways] = []
    open_file = partial(sifting.open_file, watch)
    for root, place in {place for name in (normalised(folder, "/"), real) for place in sifting.policy.places(name)}:
        denying = sifting.denying.way_into(root, place, open_file, watch)
        if denying.unreadable:
            raise AccessDenied(f"{denying.unreadable}: it cannot be read")
        passing = sifting.passing.way_into(root, place, open_file, watch)
        # Whoever names an ignored folder wants it searched.
        if passing.unreadable or (place and sifting.passing.excludes(root, place, open_file, watch)):
            passing = passing.without_files()
        ways.append(_Ways(place, sifting.policy.denies_in(place, watch.check), denying, passing))
    return Sieve(sifting, ways, everything, watch)
