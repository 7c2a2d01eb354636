"""Where a search starts: the files and folders that are named, and the files that globs match."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from heapq import heapify, heappop, heappush, merge
from typing import TYPE_CHECKING, Self

from ..deadline import Deadline
from ..errors import InvalidRequest, NotFound, ReadError
from ..model.search import SearchRequest
from ..path_names import entry_path, name_as_listed, normalised, path_below, path_for_caller, printable
from ..source import Source, VisibilityOf
from ..source.files_by_glob import MAX_SEEN, WildcardRules, matching_files
from .glob_filter import Glob
from .tree_walk import Candidate, SkipCounter, Walk, WalkFilter, folder_of

if TYPE_CHECKING:
    from ..model import Notice, Rules
    from ..readings import Resources

TOO_MANY = f"patterns of at most {MAX_SEEN:,} files; for more, send their folder as path and a pattern as glob"


class SearchRoots:
    """The files and folders where a search starts.

    What is named is opened at once, and its failure is that of the search; but of several paths some may be missing.
    What a glob matches is opened when its turn comes.
    """

    def __init__(self, request: SearchRequest, rules: Rules, resources: Resources, deadline: Deadline) -> None:
        self.request, self._opener, self._deadline = request, resources.opener, deadline
        self._open = resources.opener.open_repaired if rules.repair_names else resources.opener.open
        self.skip_counter = SkipCounter()
        self.remarks: list[Notice] = []
        """What is to be told of the archives that were searched."""
        self._glob = Glob(request.glob, request.everything) if request.glob else None
        self._glob_of_named = Glob(request.glob, True) if request.glob else None
        """The same for files that are named: a name that is written out may begin with a dot."""
        self._walk = Walk(WalkFilter(self._glob, request.everything, request.after), self.skip_counter, deadline)
        # A pattern is no name: it matches what a search of the folder would meet.
        self._match_rules = WildcardRules(self._visibility_in, match_hidden=request.everything, match_links=False)
        self.missing: list[NotFound] = []
        """Paths that do not exist, where others do."""
        self._unmatched: set[str] = set()
        self._named: dict[str, Source] = {}
        """What is open and has not been searched yet."""
        self._glob_matches: set[str] = set()
        """What globs match: names as they are, where those that are named may be spelled as replies show them."""
        named, self._matched = self._named_and_matched_paths()
        try:
            self._open_named(named)
            self.where, self.is_file = self._place_for_header()
            size = sum(source.size for source in self._named.values())
            deadline.announce("file" if self.is_file else "directory", size)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes what was opened and not searched."""
        while self._named:
            self._named.popitem()[1].__exit__(None, None, None)

    def unmatched_globs(self) -> tuple[str, ...]:
        """Returns the alternatives of `glob` that match no file, once all folders were walked from their start."""
        if self._glob is None or self._glob_of_named is None or self.request.after is not None:
            return ()
        of_named = self._glob_of_named.unmatched
        return tuple(each for each in self._glob.unmatched if each in of_named)

    def _is_wanted(self, shown: str) -> bool:
        """Says whether `glob` selects a file that is not met in a folder: by its name, or by its path."""
        glob = self._glob_of_named
        return glob is None or glob.matches(shown.rpartition("/")[2]) or glob.matches(shown.lstrip("/"))

    def candidates(self) -> Generator[Candidate]:
        """Yields the files to search, each once, in the order of their paths as shown."""
        named = list(self._named.items())
        if len(named) == 1 and not self._matched:
            yield from self._candidates_below(*named[0])
            return
        streams = [self._candidates_by_path(path, source) for path, source in named]
        streams.append((self._canonical_path(each.path), each) for each in self._glob_candidates())
        shown, seen = None, set[str]()
        for spelling, candidate in merge(*streams, key=lambda each: each[1].shown):
            if candidate.shown != shown:
                shown, seen = candidate.shown, set[str]()
            if spelling not in seen:
                seen.add(spelling)
                yield candidate

    def _named_and_matched_paths(self) -> tuple[list[str], list[str]]:
        """Returns the paths that are named, and those that globs match; one match alone is as good as named."""
        named: dict[str, None] = {}
        matched: dict[str, None] = {}
        for path, may_be_glob in self.request.paths:
            if not may_be_glob:
                named[path] = None
                continue
            matches = matching_files(path, self._opener, self._deadline, MAX_SEEN, self._match_rules)
            if matches.cut:
                raise InvalidRequest("paths", wants=TOO_MANY)
            self.skip_counter.failed += [printable(path)] * matches.unlisted
            self._unmatched |= set() if matches.matched else {path}
            expanded = dict.fromkeys(matches.paths)
            self._glob_matches |= {each for each in expanded if each != path}
            named, matched = (named | expanded, matched) if list(expanded) == [path] else (named, matched | expanded)
        if not named and len(matched) == 1:
            named, matched = matched, named
        return list(named), [path for path in matched if path not in named]

    def _visibility_in(self, folder: Source, path: str) -> VisibilityOf:
        """Returns the function that decides which entries of a folder a search meets."""
        return folder_of(folder, path, self._opener, self.request.everything, self._deadline).visibility_of

    def _open_named(self, paths: list[str]) -> None:
        """Opens the paths that are named; raises NotFound if there is nothing to search."""
        spellings = set[str]()
        for path in paths:
            try:
                source = self._named[path] = self._open_path(path)
            except NotFound as error:
                self.missing.append(error)
                continue
            spelling = self._canonical_path(path, source)
            if spelling in spellings:
                self._named.pop(path).__exit__(None, None, None)
            spellings.add(spelling)
        if self.missing and not self._named and not self._matched:
            raise self.missing[0]

    def _place_for_header(self) -> tuple[str, bool]:
        """Returns how the header names the place, and whether it is one file."""
        given = [path for path, _ in self.request.paths]
        if len(given) > 1:
            return f"{len(given)} paths", False
        if self._matched:
            return printable(given[0]), False
        ((path, source),) = self._named.items()
        return self._shown_path(path, source) or "./", not source.is_directory

    def _open_path(self, path: str) -> Source:
        """Opens a path; a failure says which one it was."""
        try:
            opening = self._opener.open if path in self._glob_matches else self._open
            return opening(self._opener.locate(path), self._deadline)
        except ReadError as error:
            error.asked = path
            if isinstance(error, NotFound):
                error.unmatched = path in self._unmatched
            raise

    def _shown_path(self, path: str, source: Source) -> str:
        """Returns a path as it is shown: a folder ends in a slash; the root is empty."""
        given = source.repaired or path
        if ".." in given and self._opener.roots:
            shown = self._shown_name(source.real_path())
        elif ".." in given:
            shown = self._shown_below_cwd(source.real_path()) or name_as_listed(given)
        else:
            shown = self._shown_name(given)
        if not source.is_directory:
            return shown
        return "" if shown in (".", "./") else entry_path(shown, "")

    def _shown_name(self, path: str) -> str:
        """Returns a name as it is shown, below the root that it is in."""
        if "://" in path:  # normalised, it would be another address
            return name_as_listed(path)
        roots = [(root.absolute, root.real) for root in self._opener.roots]
        if roots or ".." in path:
            return name_as_listed(path_for_caller(path, self._opener.cwd, roots))
        return self._shown_below_cwd(path) or name_as_listed(path)

    def _shown_below_cwd(self, path: str) -> str:
        """Returns one of several paths below the working directory, so that no file has two; empty: it is as given."""
        if len(self.request.paths) < 2:
            return ""
        return name_as_listed(path_below(normalised(path, self._opener.cwd), self._opener.cwd) or "")

    def _canonical_path(self, path: str, source: Source | None = None) -> str:
        """Returns a path as one of its spellings, so that a file that is named in two ways is searched once."""
        given = (source.repaired if source else "") or path
        if "://" in given or "://" in self._opener.cwd:
            return given
        return normalised(source.real_path() if source and ".." in given else given, self._opener.cwd)

    def _candidates_by_path(self, path: str, source: Source) -> Iterator[tuple[str, Candidate]]:
        """Yields what `_candidates_below` does, each with its path in one spelling."""
        spelling, start = self._canonical_path(path, source), len(path)
        if source.is_directory:
            spelling = entry_path(spelling, "")
            start = 0 if path in (".", "./") else len(entry_path(path, ""))
        for candidate in self._candidates_below(path, source):
            yield spelling + candidate.path[start:], candidate

    def _candidates_below(self, path: str, source: Source) -> Iterator[Candidate]:
        """Yields a file that is named, or the files of a folder."""
        shown = self._shown_path(path, source)
        if not source.is_directory:
            if self._is_wanted(shown):
                yield Candidate(shown, path, partial(self._named.pop, path))
            return
        self.remarks += [remark for remark in source.remarks if remark not in self.remarks]
        folder = folder_of(source, path, self._opener, self.request.everything, self._deadline)
        del self._named[path]  # the walk closes it
        yield from self._walk.files(folder, "" if path in (".", "./") else entry_path(path, ""), shown)

    def _glob_candidates(self) -> Iterator[Candidate]:
        """Yields the files that globs match, and those of archives, which sort as folders do."""
        waiting = [(self._shown_name(path), path) for path in self._matched]
        heapify(waiting)
        while waiting:
            shown, path = heappop(waiting)
            if shown.endswith("/"):
                yield from self._candidates_below(path, self._named[path])
                continue
            try:
                source = self._named[path] = self._open_path(path)
            except ReadError:
                if self._is_wanted(shown):
                    yield Candidate(shown, path, partial(self._open_path, path))
                continue
            if source.is_directory:
                heappush(waiting, (entry_path(shown, ""), path))
                continue
            if self._is_wanted(shown):
                yield Candidate(shown, path, partial(self._named.pop, path))
            if path in self._named:  # it was passed over
                self._named.pop(path).__exit__(None, None, None)
