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
        self._judges: _Judges | None = None

    def fate(self, entry: Entry) -> Fate:
        """Says whether an entry is searched."""
        if self._judges is None:
            self._judges = _Judges(
                [way.denies for way in self._ways],
                [way.denying for way in self._ways if way.denying.has_files],
                [way.passing for way in self._ways if way.passing.has_files and not self._everything],
            )
        name, check, (denies, denying, passing) = entry.name, self._watch.check, self._judges
        if any(rule(name) for rule in denies) or (denying and any(way.excludes(name, True, check) for way in denying)):
            return "denied"
        is_folder = entry.kind == "directory"
        ignored = passing and any(way.excludes(name, is_folder, check) for way in passing)
        return "ignored" if ignored else "shown"

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


class _Judges(NamedTuple):
    """What is asked of each entry of a folder: rules, ignore files that deny, and those that only pass over."""

    denies: Sequence[Callable[[str], bool]]
    denying: Sequence[Way]
    passing: Sequence[Way]


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
        return _Ways(place, policy.denies_in(place, watch.check, judged=True), denying, passing)


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
