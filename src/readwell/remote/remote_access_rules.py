"""`KeyRules`: what of a remote root may be read, listed and searched, by deny rules and the ignore files in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy

from ..deadline import Deadline
from ..errors import AccessDenied
from ..gitignore import Patterns
from ..named_tuple import NamedTuple
from ..policy import DENYING_FILES, LISTING_IGNORE_FILE, SEARCH_IGNORE_FILES, Denials, Policy
from ..source import Entry, Visibility, VisibilityOf
from ..source.ignore_chain import IgnoreChain, IgnoreFile
from ..source.ignore_file_cache import NO_STAMP, parse_ignore_file

KEPT_S = 60.0
MAX_FOLDERS = 4096

LoadIgnoreFiles = Callable[[str, Sequence[str], Deadline], Mapping[str, bytes | None]]
"""(folder, names, deadline) -> the content of those that exist; None: it cannot be read."""


class _LoadedIgnoreFiles(NamedTuple):
    """Ignore files of a folder, and until when they are believed."""

    until: float
    files: Sequence[IgnoreFile]


class KeyRules:
    """The deny rules and ignore files of one root; parsed ignore files are kept for a minute."""

    def __init__(self, denials: Denials, load_ignore_files: LoadIgnoreFiles) -> None:
        self._policy, self._load_ignore_files = Policy((), denials), load_ignore_files
        self._denying = DENYING_FILES if denials.ignore_files else ()
        self._listing = (LISTING_IGNORE_FILE,) if denials.ignore_files else ()
        self._searching = SEARCH_IGNORE_FILES if denials.ignore_files else (*SEARCH_IGNORE_FILES, *DENYING_FILES)
        self._has_rules = denials != Denials()
        self.archive = ""
        """A file; no ignore files are looked for in it."""
        self._loaded: dict[tuple[str, tuple[str, ...]], _LoadedIgnoreFiles] = {}

    def rules_inside(self, archive: str, address: str) -> RulesInside:
        """Returns the same rules for what is in an archive, where no ignore files are looked for."""
        rules = copy(self)
        rules.archive = archive
        return RulesInside(rules, address)

    def refuse_denied(self, below: str, deadline: Deadline) -> None:
        """Raises AccessDenied for a path that a rule or an ignore file denies, whether it exists or not."""
        path = below.strip("/")
        if not self._has_rules or not path:
            return
        rule = (
            self._policy.denying_rule(path, deadline.check) or self._judge_path(path, self._denying, deadline).excluded
        )
        if rule:
            raise AccessDenied(rule)

    def listing_filter_in(self, folder: str, skip_ignored: bool, deadline: Deadline) -> VisibilityOf | None:
        """Returns the function that decides which entries of a folder are shown; None: all are."""
        if not self._has_rules:
            return None
        return self._visibility(folder, self._listing if skip_ignored else (), deadline)

    def search_visibility_in(self, folder: str, everything: bool, deadline: Deadline) -> VisibilityOf:
        """Returns the function that decides which entries of a folder are searched."""
        return self._visibility(folder, () if everything else self._searching, deadline)

    def _visibility(self, folder: str, ignoring: Sequence[str], deadline: Deadline) -> VisibilityOf:
        """`ignoring` are the names of the files that say what is left out."""
        below = folder.strip("/")
        denies = self._policy.denied_name_check(below, deadline.check)
        denying = self._ignore_chain_down_to(below, self._denying, deadline)
        if denying.unreadable_file:  # an empty listing would pretend that the folder is empty
            raise AccessDenied(f"{denying.unreadable_file}: it cannot be read")
        listing = self._ignore_chain_unless_excluded(below, ignoring, deadline) if ignoring else None

        def visibility_of(entry: Entry) -> Visibility:
            if denies(entry.name) or denying.excluding_line(entry.name, True, deadline.check) is not None:
                return "denied"
            is_folder = entry.kind == "directory"
            ignored = listing is not None and listing.excluding_line(entry.name, is_folder, deadline.check)
            return "ignored" if ignored else "shown"

        return visibility_of

    def _ignore_chain_unless_excluded(
        self, below: str, ignore_names: Sequence[str], deadline: Deadline
    ) -> IgnoreChain | None:
        """Returns the ignore files down to a folder; None for one that they exclude, which was named nevertheless."""
        if below and self._judge_path(below, ignore_names, deadline).excluded:
            return None
        chain = self._ignore_chain_down_to(below, ignore_names, deadline)
        return None if chain.unreadable_file else chain

    def _ignore_chain_down_to(self, below: str, ignore_names: Sequence[str], deadline: Deadline) -> IgnoreChain:
        """Returns the chain of ignore files down to a folder, its own included."""
        chain = self._judge_path(below, ignore_names, deadline).chain
        chain.add(self._ignore_files_in(below, ignore_names, deadline))
        return chain

    def _judge_path(self, below: str, ignore_names: Sequence[str], deadline: Deadline) -> _PathVerdict:
        """Goes down a path and returns the line that excludes it or a folder above it."""
        chain = IgnoreChain("", ignore_names)
        passed: list[str] = []
        for name in filter(None, below.split("/") if ignore_names else ()):
            chain.add(self._ignore_files_in("/".join(passed), ignore_names, deadline))
            if line := chain.excluding_line(name, True, deadline.check):
                return _PathVerdict(chain, line)
            chain.enter(name)
            passed.append(name)
        return _PathVerdict(chain, None)

    def _ignore_files_in(self, folder: str, ignore_names: Sequence[str], deadline: Deadline) -> Sequence[IgnoreFile]:
        """Returns the ignore files of a folder, read again after a while."""
        if not ignore_names or (self.archive and f"{folder}/".startswith(f"{self.archive}/")):
            return ()
        folder_and_names = (folder, tuple(ignore_names))
        known = self._loaded.get(folder_and_names)
        if known is None or deadline.clock() > known.until:
            contents = self._load_ignore_files(folder, ignore_names, deadline)
            files = [IgnoreFile(name, NO_STAMP, _patterns(raw, deadline)) for name, raw in contents.items()]
            if len(self._loaded) >= MAX_FOLDERS:
                self._loaded.clear()
            known = self._loaded[folder_and_names] = _LoadedIgnoreFiles(deadline.clock() + KEPT_S, files)
        return known.files


class RulesInside(NamedTuple):
    """The rules of a root for names in one of its archives; paths are addresses below that of the root."""

    rules: KeyRules
    address: str

    def refuse_denied(self, absolute: str, deadline: Deadline) -> None:
        """Raises AccessDenied for a path that a rule denies, whether it exists or not."""
        self.rules.refuse_denied(absolute[len(self.address) :], deadline)

    def listing_filter_in(self, folder: str, real: str, skip_ignored: bool, deadline: Deadline) -> VisibilityOf | None:
        """Returns the function that decides which entries of a folder are shown."""
        del folder
        return self.rules.listing_filter_in(real[len(self.address) :], skip_ignored, deadline)


class _PathVerdict(NamedTuple):
    """The ignore files above a folder, and the rule that excludes it."""

    chain: IgnoreChain
    excluded: str | None


def _patterns(content: bytes | None, deadline: Deadline) -> Patterns | None:
    """Returns the patterns of an ignore file; None where it cannot be read."""
    return None if content is None else parse_ignore_file(content, deadline.check)
