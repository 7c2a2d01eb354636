"""What a search has found so far, and where it would go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import AccessDenied, BinaryFile, ConversionFailed, DeadlineExceeded, NotFound, ReadError
from ..matches import Ending, FileMatches, Place, Row, SearchRequest
from ..named_tuple import NamedTuple
from .documents import DocumentSearch
from .expression import Expression
from .files import is_surely_absent, read_as, rows_of
from .matching import COUNTED_ON, Scratch, TextSearch
from .pieces import pieces_of
from .walk import Candidate, Tally

if TYPE_CHECKING:
    from ..model import Part, Rules
    from ..readings import Resources
    from ..source import Source
    from ..text.decode import Encoding
    from ..watch import Watch


class Stop(NamedTuple):
    """Where a search ended before its end, and why."""

    place: Place
    reason: Ending


class Work(NamedTuple):
    """What a search works with; `alone`: one file was named, and its failures are those of the search.

    Searching ends with the time of `watch`; until that of `last` what was found becomes a reply.
    """

    request: SearchRequest
    rules: Rules
    means: Resources
    expression: Expression
    alone: bool
    watch: Watch
    last: Watch


class Collection:
    """The matches of one search, file by file."""

    def __init__(self, work: Work, tally: Tally) -> None:
        self._work, self._tally = work, tally
        self.files: list[FileMatches] = []
        self.stop: Stop | None = None
        self.beyond: int | None = 0
        """Matches that are known to follow; None: not known."""
        self.searched = self.met = 0
        """Files that were searched to their end; those that were met and can be searched."""
        self.pieces: list[Place] = []
        self.changed: list[str] = []
        self.revision = ""
        self._at = Place("", 0)
        self._rows = 0
        """Matches so far; files where a row is a file."""
        self._scratch = Scratch()
        self._documents: list[tuple[Candidate, str]] = []

    def search_all(self, candidates: Iterator[Candidate]) -> None:
        """Searches texts and then documents, up to the limit; raises DeadlineExceeded where nothing was searched."""
        try:
            for candidate in candidates:
                if self._goes_on(candidate, False):
                    self._visit(candidate)
            for candidate, form in self._documents:
                if self._goes_on(candidate, True):
                    self._visit_document(candidate, form)
        except DeadlineExceeded:
            work = self._work
            gone = work.last.cancelled is not None and work.last.cancelled()
            if gone or not (self.searched or self._at.line):
                raise
            self._end(Stop(self._at, "time"))

    def count_rest(self, candidates: Iterator[Candidate]) -> tuple[int, bool]:
        """Returns how many files there are to search, by their names, and whether these are all."""
        known = self.met
        with suppress(DeadlineExceeded):
            for _ in candidates:
                known += 1
            return known, True
        return known, False

    def _goes_on(self, candidate: Candidate, document: bool) -> bool:
        """Whether a file is to be searched: none is behind the limit, or before the place at which a search goes on."""
        if self.stop is None and self._room() < 1:
            self._end(Stop(self._last_place(), "files" if self._work.request.only_files else "matches"))
        if self.stop is not None:
            return False
        after = self._work.request.after
        line = 0
        if after and after.document == document and candidate.shown <= after.path:
            if candidate.shown < after.path:
                return False
            line = after.line
        self._at = Place(candidate.shown, line, document)
        return True

    def _end(self, stop: Stop) -> None:
        self.stop, self.beyond = stop, None

    def _room(self) -> int:
        """Returns how many more rows are wanted."""
        return self._work.request.limit - self._rows

    def _last_place(self) -> Place:
        last = self.files[-1]
        return Place(last.path, last.last, last.is_document)

    def _visit(self, candidate: Candidate) -> None:
        """Searches a text; a document is kept for later."""
        work, after = self._work, self._work.request.after
        work.watch.check()
        try:
            with work.means.content_of(candidate.open(), work.watch) as source:
                if is_surely_absent(source, work.expression, self._scratch):
                    self.met, self.searched = self.met + 1, self.searched + 1
                    self.revision = work.means.index_cache.revision_of(source) if work.alone else ""
                    return
                found = read_as(source, work.rules, work.means, work.last)
                self.met += 1
                if isinstance(found, str):
                    self._documents.append((candidate, found))
                elif not (after and after.document):
                    self._search_text(candidate, source, found)
        except ReadError as error:
            self._note_failure(candidate, error)

    def _note_failure(self, candidate: Candidate, error: ReadError) -> None:
        """Takes note of a file that was not searched; raises where nothing else was to be."""
        if self._work.alone or isinstance(error, DeadlineExceeded):
            raise error
        if isinstance(error, BinaryFile):
            self._tally.binary += 1
        elif isinstance(error, AccessDenied):
            self._tally.denied += 1
        elif not isinstance(error, NotFound):  # what vanished is not there to be searched
            self._tally.failed.append(candidate.shown)

    def _search_text(self, candidate: Candidate, source: Source, encoding: Encoding) -> None:
        work, request = self._work, self._work.request
        most = 1 if request.only_files else self._room()
        counted_on = None if request.only_files else COUNTED_ON
        search = TextSearch(work.expression, self._scratch, after=self._at.line, most=most, counted_on=counted_on)
        watch = work.watch if work.alone else work.watch._replace(on_progress=None)
        ran_out: DeadlineExceeded | None = None
        try:
            search.run(pieces_of(source, encoding, watch))
        except DeadlineExceeded as error:
            ran_out = error
        self._at = self._at._replace(line=max(self._at.line, search.passed))
        self.pieces += [Place(candidate.shown, line) for line in search.in_parts]
        if search.count and (not candidate.holds or candidate.holds(source.real_path())):
            self._add(candidate, source, search, rows_of(search, request.around, source, encoding, work.last), None)
        elif search.count:
            self._tally.denied += 1
        elif work.alone:
            self.revision = work.means.index_cache.revision_of(source)
        if ran_out:
            raise ran_out
        self.searched += 1
        if not work.alone and work.watch.on_progress:
            work.watch.on_progress(self.searched, 0, "search")

    def _add(
        self,
        candidate: Candidate,
        source: Source,
        search: TextSearch | DocumentSearch,
        rows: list[Row],
        part: Part | None,
    ) -> None:
        """Adds what was found in a file, and stops where that is all that was wanted."""
        revision = self._work.means.index_cache.revision_of(source)
        shown = search.count if self._work.request.only_files else len(search.rows)
        last = search.last if self._work.request.only_files else search.rows[-1].line
        self.files.append(FileMatches(candidate.shown, rows, found=shown, last=last, revision=revision, part=part))
        self._rows += 1 if self._work.request.only_files else shown
        if source.since_opened() == "changed":
            self.changed.append(candidate.shown)
        if search.count > shown or search.cut:
            self._end(Stop(self._last_place(), "matches"))
            self.beyond = search.count - shown if self._work.alone and not search.cut else None

    def _visit_document(self, candidate: Candidate, form: str) -> None:
        """Searches a document; one that takes too long leaves half of the time to those behind it."""
        work, request = self._work, self._work.request
        now = work.watch.clock()
        patience = now + (work.watch.expires - now) * (1 if work.alone else 0.5)
        try:
            work.watch.check()
            with self._reopened(candidate) as source:
                whole = work.means.documents.whole_text(source, form, work.watch._replace(expires=patience))
                search = DocumentSearch(work.expression, self._at.line, 1 if request.only_files else self._room())
                search.run(whole.text, whole.lines)
                if search.count:
                    self._add(candidate, source, search, search.with_neighbours(request.around), whole.part)
                elif work.alone:
                    self.revision = work.means.index_cache.revision_of(source)
                self.searched += 1
        except ReadError as error:
            if isinstance(error, DeadlineExceeded) and (work.alone or work.watch.clock() > work.watch.expires):
                raise
            self._note_failure(
                candidate, ConversionFailed(form, "it takes too long") if isinstance(error, DeadlineExceeded) else error
            )

    def _reopened(self, candidate: Candidate) -> Source:
        opener = self._work.means.opener
        return opener.open(opener.locate(candidate.path), self._work.last)
