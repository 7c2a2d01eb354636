"""Collects the matches of a search file by file, and the position at which the next call continues."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..deadline import Deferred
from ..errors import ConversionFailed, DeadlineExceeded, DocumentEmpty, ReadError
from ..model.search import FileMatches, SearchPosition, SearchRow
from .document_search import DocumentSearch
from .file_pieces import UndecodableBytes, pieces_of
from .search_context import SearchContext, StopPoint
from .searched_file import encoding_or_format, is_surely_without_match, rows_of, start_of_line
from .text_search import COUNT_AHEAD, Buffers, TextSearch
from .tree_walk import Candidate, SkipCounter

if TYPE_CHECKING:
    from ..model import ShownPart
    from ..source import Source
    from ..text.decode import Encoding


TOLD = ("damaged", "checksum")
"""The codes of notices that what is packed breaks off, and that only its checksum is wrong."""


class MatchCollector:
    """The matches of one search, file by file."""

    def __init__(self, context: SearchContext, skip_counter: SkipCounter) -> None:
        self._context, self._skip_counter = context, skip_counter
        self.files: list[FileMatches] = []
        self.stop: StopPoint | None = None
        self.beyond: int | None = 0
        """Matches after the last one shown; None: unknown."""
        self.searched = self.searchable = 0
        """Files searched to their end; files that can be searched, with the one at which time ran out."""
        self.long_lines: list[SearchPosition] = []  # those that were searched in parts
        self.told: dict[str, list[str]] = {}  # files by the code of what must be told of them
        self.revision = ""
        self._at, self._from_line = SearchPosition("", 0), 0
        self._rows = 0
        """Rows so far: matches, or files where only files are listed."""
        self._buffers = Buffers()
        self._documents: list[tuple[Candidate, str]] = []
        self._passed = 0
        """Files that were only looked at, and are no documents."""

    def search_all(self, candidates: Iterator[Candidate], earlier: Iterator[Candidate]) -> None:
        """Searches texts and then documents, up to the limit; raises DeadlineExceeded if none was in time.

        `earlier` are the files before the position to continue from; a text there was searched, a document was not.
        """
        after = self._context.request.after
        try:
            if after and after.document:
                self._search_documents_among(candidates)
                return
            for candidate in candidates:
                if self._is_to_search(candidate, False):
                    self._search_candidate(candidate)
                    self._tell_progress()
            if self.stop is None:
                self._search_documents_among(earlier)
            for candidate, form in self._documents:
                if self._is_to_search(candidate, True):
                    self._search_document(candidate, form)
        except DeadlineExceeded:
            context = self._context
            is_cancelled = context.reply_deadline.cancelled is not None and context.reply_deadline.cancelled()
            if is_cancelled or not (self.searched or self._passed or self._at.line > self._from_line):
                raise
            self._end_at(StopPoint(self._at, "time"))

    def count_candidates(self, candidates: Iterator[Candidate]) -> tuple[int, bool]:
        """Returns how many files there are to search, by name where time ran out, and whether all were counted."""
        known = self.searchable
        if not (self.stop and self.stop.reason == "time"):
            return known, True
        with suppress(DeadlineExceeded):
            for _ in candidates:
                known += 1
            return known, True
        return known, False

    def _is_to_search(self, candidate: Candidate, document: bool) -> bool:
        """Whether a file is to be searched: not past the limit, and not before the position to continue from."""
        if self.stop is None and self._room() < 1:
            self._end_at(StopPoint(self._last_position(), "files" if self._context.request.only_files else "matches"))
        if self.stop is not None:
            return False
        after = self._context.request.after
        line = 0
        if after and after.document == document and candidate.shown <= after.path:
            if candidate.shown < after.path:
                return False
            line = after.line
        self._at, self._from_line = SearchPosition(candidate.shown, line, document), line
        return True

    def _end_at(self, stop: StopPoint) -> None:
        """Ends the search at a position."""
        self.stop, self.beyond = stop, None

    def _room(self) -> int:
        """Returns how many more rows fit within the limit."""
        return self._context.request.limit - self._rows

    def _last_position(self) -> SearchPosition:
        """Returns the position of the last match."""
        last = self.files[-1]
        return SearchPosition(last.path, last.last, last.is_document)

    def _search_candidate(self, candidate: Candidate) -> None:
        """Opens a file and searches what it holds; one that is damaged is named."""
        context, searchable = self._context, self.searchable
        try:
            context.deadline.check()
            with context.resources.unpack_if_compressed(candidate.open(), context.deadline) as source:
                if is_surely_without_match(source, context.expression, self._buffers):
                    self.searchable, self.searched = self.searchable + 1, self.searched + 1
                    self.revision = context.resources.index_cache.revision_of(source) if context.is_single_file else ""
                else:
                    self._search_opened(candidate, source)
                for code in {remark.code for remark in source.remarks} & set(TOLD):
                    self._add_file_notice(code, candidate)
        except ReadError as error:
            if isinstance(error, DeadlineExceeded):
                self.searchable = searchable + 1
            self._note_failure(candidate, error)
        except Exception as defect:  # noqa: BLE001 - a defect costs one file, not the tree around it
            self._note_defect(candidate, defect)

    def _add_file_notice(self, code: str, candidate: Candidate) -> None:
        """Adds a file to those of which the notice with this code tells."""
        self.told.setdefault(code, []).append(candidate.shown)

    def _tell_progress(self) -> None:
        """Reports how many files were searched; who is told may end the search, so no file is blamed for it."""
        if self._context.deadline.on_progress and not self._context.is_single_file:
            self._context.deadline.on_progress(self.searched, 0, "search")

    def _search_documents_among(self, candidates: Iterator[Candidate]) -> None:
        """Searches the documents among files whose texts were searched before, and whose failures were told."""
        for candidate in candidates:
            if not self._is_to_search(candidate, True):
                continue
            if form := self._document_format(candidate):
                self.searchable += 1
                self._search_document(candidate, form)
            else:
                self._passed += 1

    def _document_format(self, candidate: Candidate) -> str | None:
        """Returns the format of a document; None for everything else."""
        context = self._context
        context.deadline.check()
        try:
            with context.resources.unpack_if_compressed(candidate.open(), context.deadline) as source:
                kind = encoding_or_format(source, context.rules, context.resources, context.reply_deadline)
        except DeadlineExceeded:
            raise
        except ReadError:
            return None
        return kind if isinstance(kind, str) else None

    def _search_opened(self, candidate: Candidate, source: Source) -> None:
        """Searches an open text file; puts a document on the list for later."""
        context = self._context
        kind = encoding_or_format(source, context.rules, context.resources, context.reply_deadline)
        self.searchable += 1
        if isinstance(kind, str):
            self._documents.append((candidate, kind))
        else:
            self._search_text(candidate, source, kind)

    def _note_failure(self, candidate: Candidate, error: ReadError) -> None:
        """Counts a file that could not be searched; raises if it is the only one."""
        if self._context.is_single_file:
            error.asked = error.asked or candidate.path  # where a pattern was sent, its one match is meant
        if self._context.is_single_file or isinstance(error, DeadlineExceeded):
            raise error
        if isinstance(error, DocumentEmpty) and error.holds_nothing:
            self.searched += 1
        else:
            self._skip_counter.count_failure(candidate.shown, error)

    def _note_defect(self, candidate: Candidate, defect: Exception) -> None:
        """Names a file at which readwell itself failed; raises if it is the only one, or if the call is put off."""
        if self._context.is_single_file or isinstance(defect, Deferred):
            raise defect
        self._skip_counter.count_defect(candidate.shown, defect)

    def _search_text(self, candidate: Candidate, source: Source, encoding: Encoding) -> None:
        """Searches a text file, and notes how far it came."""
        context, request = self._context, self._context.request
        most = 1 if request.only_files else self._room()
        count_ahead = None if request.only_files else COUNT_AHEAD
        deadline = context.deadline if context.is_single_file else context.deadline._replace(on_progress=None)
        first, cache = self._at.line + 1 - request.around, context.resources.index_cache
        passed, start = start_of_line(first, source, context.rules, cache, deadline)
        search = TextSearch(
            context.expression, self._buffers, passed=passed, after=self._at.line, most=most, count_ahead=count_ahead
        )
        ran_out, undecodable = None, UndecodableBytes()
        try:
            pieces = pieces_of(source, encoding, deadline, start)
            search.run(undecodable.watch(pieces) if context.expression.is_beyond_ascii else pieces)
        except DeadlineExceeded as error:
            ran_out = error
        if undecodable.is_any:
            self._add_file_notice("undecodable", candidate)
        self._at = self._at._replace(line=max(self._at.line, search.passed))
        self.long_lines += [SearchPosition(candidate.shown, line) for line in search.long_lines]
        if search.count and (not candidate.is_still_allowed or candidate.is_still_allowed(source.real_path())):
            rows = rows_of(search, request.around, source, encoding, context.reply_deadline)
            self._add(candidate, source, search, rows, None)
        elif search.count:
            self._skip_counter.denied += 1
        elif context.is_single_file:
            self.revision = context.resources.index_cache.revision_of(source)
        if ran_out:
            raise ran_out
        self.searched += 1

    def _add(
        self,
        candidate: Candidate,
        source: Source,
        search: TextSearch | DocumentSearch,
        rows: list[SearchRow],
        part: ShownPart | None,
    ) -> None:
        """Adds the matches of a file, and stops the search if the limit is reached."""
        resources = self._context.resources
        revision, real = resources.index_cache.revision_of(source), source.real_path() if resources.audited else ""
        shown = search.count if self._context.request.only_files else len(search.rows)
        last = search.last if self._context.request.only_files else search.rows[-1].line
        name = candidate.shown
        self.files.append(
            FileMatches(name, rows, match_count=shown, last=last, revision=revision, part=part, real=real)
        )
        self._rows += 1 if self._context.request.only_files else shown
        self._context.expression.stop_checking_for_literal()
        if source.change_since_opened() == "changed":
            self._add_file_notice("changed", candidate)
        if search.count > shown or search.cut:
            self._end_at(StopPoint(self._last_position(), "matches"))
            self.beyond = search.count - shown if self._context.is_single_file and not search.cut else None

    def _search_document(self, candidate: Candidate, form: str) -> None:
        """Searches a document; conversion may take half of the time left, so that others are searched too."""
        context, request, opener = self._context, self._context.request, self._context.resources.opener
        now = context.deadline.clock()
        share = 1 if context.is_single_file else 0.5
        patience = context.deadline._replace(expires=now + (context.deadline.expires - now) * share)
        try:
            context.deadline.check()
            # By its path: the walk that found it, and saw its format, may have left its folder.
            with opener.open(opener.locate(candidate.path), context.reply_deadline) as source:
                whole = context.resources.documents.whole_text(source, form, patience)
                search = DocumentSearch(context.expression, self._at.line, 1 if request.only_files else self._room())
                search.run(whole.text, whole.line_counts)
                if search.count:
                    self._add(candidate, source, search, search.with_neighbours(request.around), whole.part)
                elif context.is_single_file:
                    self.revision = context.resources.index_cache.revision_of(source)
                self.searched += 1
        except ReadError as error:
            if isinstance(error, DeadlineExceeded):
                if context.is_single_file or context.deadline.clock() > context.deadline.expires:
                    raise
                error = ConversionFailed(form, "it takes too long")
            self._note_failure(candidate, error)
        except Exception as defect:  # noqa: BLE001 - a defect costs one file, not the tree around it
            self._note_defect(candidate, defect)
        self._tell_progress()
