"""The steps of one search: candidates, matches, what fits into the reply. Start reading here."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from heapq import merge
from typing import TYPE_CHECKING

from ..errors import DeadlineExceeded, ReadError
from ..matches import SearchRequest, SearchResult
from ..names import in_folder, printable, shown_below
from ..source import Source
from ..source.globbing import matching_files
from ..watch import Watch
from .collector import Collector, SearchContext
from .expression import Expression, expression_of
from .fitting import fitted
from .globs import Glob
from .tree_walk import Candidate, SkipCounter, Walk, WalkFilter, folder_of

if TYPE_CHECKING:
    from ..model import Rules
    from ..readings import Resources

FOR_COUNTING = 0.1
"""The share of the time that is reserved for counting the files not searched, and for the reply."""
FOR_LITERAL = 0.25
"""The share of the remaining time for a second search, of the pattern as plain text."""
MAX_LITERAL = 1000


def search(request: SearchRequest, rules: Rules, resources: Resources, watch: Watch) -> SearchResult:
    """Searches files in the order of their paths, text files first, then documents."""
    expression = expression_of(request)
    found = _searched(request, rules, resources, expression, watch)
    if expression.matches_as_text and not found.files and found.next is None:
        plain = expression.as_literal()
        found = found._replace(as_literal=_lines_as_literal(request, rules, resources, plain, watch))
    return fitted(found, request)


def _searched(
    request: SearchRequest, rules: Rules, resources: Resources, expression: Expression, watch: Watch
) -> SearchResult:
    """Searches all candidates and returns what was found."""
    starts = _SearchRoots(request, rules, resources, watch)
    working = watch._replace(expires=watch.expires - FOR_COUNTING * watch.seconds)
    context = SearchContext(
        request, rules, resources, expression=expression, alone=starts.is_file, watch=working, last=watch
    )
    candidates = starts.candidates()
    collector = Collector(context, starts.skip_counter)
    collector.search_all(candidates)
    stop, known, all_known = collector.stop, collector.met, True
    if stop and stop.reason == "time":
        known, all_known = collector.count_rest(candidates)
    candidates.close()
    count = sum(each.found for each in collector.files)
    return SearchResult(
        request=request,
        where=starts.where,
        is_file=starts.is_file,
        files=collector.files,
        total=None if collector.beyond is None else count + collector.beyond,
        next=stop.place if stop else None,
        reason=stop.reason if stop else "end",
        searched=collector.searched,
        known=known,
        all_known=all_known,
        seconds=watch.seconds,
        skipped=starts.skip_counter.skipped,
        pieces=collector.pieces,
        changed=collector.changed,
        revision=collector.revision,
    )


def _lines_as_literal(
    request: SearchRequest, rules: Rules, resources: Resources, expression: Expression, watch: Watch
) -> int:
    """Returns how many lines match the pattern as plain text, as far as a short search shows."""
    soon = watch.clock() + (watch.expires - watch.clock()) * FOR_LITERAL
    hurried = watch._replace(expires=soon, seconds=0.0, on_opened=None, on_progress=None)
    plainly = request._replace(limit=MAX_LITERAL, around=0, only_files=False)
    try:
        found = _searched(plainly, rules, resources, expression, hurried)
    except DeadlineExceeded:
        return 0
    return found.total or sum(each.found for each in found.files)


class _SearchRoots:
    """The files and folders where a search starts."""

    def __init__(self, request: SearchRequest, rules: Rules, resources: Resources, watch: Watch) -> None:
        self._request, self._opener, self._watch = request, resources.opener, watch
        self._open = resources.opener.open_repaired if rules.repair_names else resources.opener.open
        self.skip_counter = SkipCounter()
        glob = Glob(request.glob, request.everything) if request.glob else None
        self._walk = Walk(WalkFilter(glob, request.everything, request.after), self.skip_counter, watch)
        paths = list(dict.fromkeys(path for entry in request.paths for path in self._named(*entry)))
        self._sources = [(path, self._opened(path)) for path in paths]
        first, source = self._sources[0]
        self.is_file = len(self._sources) == 1 and not source.is_directory
        self.where = self._shown(first, source) or "./"
        if len(request.paths) > 1:
            self.where = f"{len(request.paths)} paths"
        watch.announce("file" if self.is_file else "directory", source.size)

    def candidates(self) -> Generator[Candidate]:
        """Yields the files to search, each once, in the order of their paths as shown."""
        streams = [self._files(path, source) for path, source in self._sources]
        last = None
        for candidate in merge(*streams, key=lambda each: each.shown) if len(streams) > 1 else streams[0]:
            if candidate.path != last:
                last = candidate.path
                yield candidate

    def _named(self, path: str, may_be_glob: bool) -> list[str]:
        """Returns the paths that a caller's path names: itself, or the matches of a glob."""
        return matching_files(path, self._opener, self._watch).paths if may_be_glob else [path]

    def _opened(self, path: str) -> Source:
        """Opens a path; a failure says which one it was."""
        try:
            return self._open(self._opener.locate(path), self._watch)
        except ReadError as error:
            error.asked = path
            raise

    def _shown(self, path: str, source: Source) -> str:
        """Returns a path as it is shown: a folder ends in a slash; the root is empty."""
        cwd, roots = self._opener.cwd, [(root.absolute, root.real) for root in self._opener.roots]
        given = source.repaired or path
        if "://" in given:  # normalised, it would be another address
            shown = printable(given)
        else:
            shown = printable(shown_below(source.real_path() if ".." in given and roots else given, cwd, roots))
        if not source.is_directory:
            return shown
        return "" if shown in (".", "./") else in_folder(shown, "")

    def _files(self, path: str, source: Source) -> Iterator[Candidate]:
        """Yields a file itself, or the files below a folder."""
        shown = self._shown(path, source)
        if not source.is_directory:
            yield Candidate(shown, path, lambda: source)
            return
        folder = folder_of(source, path, self._opener, self._request.everything, self._watch)
        yield from self._walk.files(folder, "" if path in (".", "./") else in_folder(path, ""), shown)
