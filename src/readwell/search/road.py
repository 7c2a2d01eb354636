"""The road of one search: candidates, matches, what of them fits. Start reading here."""

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
from .collecting import Collection, Work
from .expression import Expression, expression_of
from .fitting import fitted
from .globs import Glob
from .walk import Candidate, Tally, Walk, Wanted, folder_of

if TYPE_CHECKING:
    from ..model import Rules
    from ..readings import Resources

FOR_COUNTING = 0.1
"""The share of a search's time in which files that were not searched are counted, and a reply is made."""
FOR_LITERAL = 0.25
"""The share of the time that is left for a pattern which found nothing to be looked for as plain text."""
MOST_LITERAL = 1000


def search(request: SearchRequest, rules: Rules, means: Resources, watch: Watch) -> SearchResult:
    """Searches files in the order of their paths, texts first and documents after them."""
    expression = expression_of(request)
    found = _searched(request, rules, means, expression, watch)
    if expression.seen_plain and not found.files and found.next is None:
        plain = expression.as_literal()
        found = found._replace(as_literal=_lines_as_literal(request, rules, means, plain, watch))
    return fitted(found, request)


def _searched(
    request: SearchRequest, rules: Rules, means: Resources, expression: Expression, watch: Watch
) -> SearchResult:
    tops = _Tops(request, rules, means, watch)
    working = watch._replace(expires=watch.expires - FOR_COUNTING * watch.seconds)
    work = Work(request, rules, means, expression=expression, alone=tops.is_file, watch=working, last=watch)
    candidates = tops.candidates()
    collection = Collection(work, tops.tally)
    collection.search_all(candidates)
    stop, known, all_known = collection.stop, collection.met, True
    if stop and stop.reason == "time":
        known, all_known = collection.count_rest(candidates)
    candidates.close()
    count = sum(each.found for each in collection.files)
    return SearchResult(
        request=request,
        where=tops.where,
        is_file=tops.is_file,
        files=collection.files,
        total=None if collection.beyond is None else count + collection.beyond,
        next=stop.place if stop else None,
        reason=stop.reason if stop else "end",
        searched=collection.searched,
        known=known,
        all_known=all_known,
        seconds=watch.seconds,
        skipped=tops.tally.skipped,
        pieces=collection.pieces,
        changed=collection.changed,
        revision=collection.revision,
    )


def _lines_as_literal(
    request: SearchRequest, rules: Rules, means: Resources, expression: Expression, watch: Watch
) -> int:
    """Returns how many lines match the pattern as plain text, as far as a little time tells."""
    soon = watch.clock() + (watch.expires - watch.clock()) * FOR_LITERAL
    hurried = watch._replace(expires=soon, seconds=0.0, on_opened=None, on_progress=None)
    plainly = request._replace(limit=MOST_LITERAL, around=0, only_files=False)
    try:
        found = _searched(plainly, rules, means, expression, hurried)
    except DeadlineExceeded:
        return 0
    return found.total or sum(each.found for each in found.files)


class _Tops:
    """The files and folders that a search starts at."""

    def __init__(self, request: SearchRequest, rules: Rules, means: Resources, watch: Watch) -> None:
        self._request, self._opener, self._watch = request, means.opener, watch
        self._open = means.opener.open_repaired if rules.repair_names else means.opener.open
        self.tally = Tally()
        glob = Glob(request.glob, request.everything) if request.glob else None
        self._walk = Walk(Wanted(glob, request.everything, request.after), self.tally, watch)
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
        return matching_files(path, self._opener, self._watch).paths if may_be_glob else [path]

    def _opened(self, path: str) -> Source:
        try:
            return self._open(self._opener.locate(path), self._watch)
        except ReadError as error:
            error.asked = path
            raise

    def _shown(self, path: str, source: Source) -> str:
        """Returns a path as it is shown: a folder's ends in a slash, and the root is nothing at all."""
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
        shown = self._shown(path, source)
        if not source.is_directory:
            yield Candidate(shown, path, lambda: source)
            return
        folder = folder_of(source, path, self._opener, self._request.everything, self._watch)
        yield from self._walk.files(folder, "" if path in (".", "./") else in_folder(path, ""), shown)
