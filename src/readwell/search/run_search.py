"""The steps of one search: candidates, matches, what fits into the reply. Start reading here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import takewhile
from typing import TYPE_CHECKING

from ..deadline import Deadline
from ..errors import DeadlineExceeded
from ..model.search import SearchRequest, SearchResult
from .match_collector import MatchCollector
from .match_fitting import fit_matches
from .search_context import SearchContext
from .search_pattern import Expression, expression_of
from .search_roots import SearchRoots
from .tree_walk import Candidate

if TYPE_CHECKING:
    from ..model import Rules
    from ..readings import Resources

FOR_COUNTING = 0.1
"""The share of the time that is reserved for counting the files not searched, and for the reply."""
FOR_LITERAL = 0.25
"""The share of the remaining time for a second search, of the pattern as plain text."""
MAX_LITERAL = 1000


def search(request: SearchRequest, rules: Rules, resources: Resources, deadline: Deadline) -> SearchResult:
    """Searches files in the order of their paths, text files first, then documents."""
    expression = expression_of(request, _working_deadline(deadline).check)
    result = _search_candidates(request, rules, resources, expression, deadline)
    if expression.occurs_as_literal and not result.files and result.next is None:
        plain = expression.as_literal()
        result = result._replace(as_literal=_count_literal_lines(request, rules, resources, plain, deadline))
    return fit_matches(result, request)


def _search_candidates(
    request: SearchRequest, rules: Rules, resources: Resources, expression: Expression, deadline: Deadline
) -> SearchResult:
    """Searches all candidates and returns what was found."""
    with SearchRoots(request, rules, resources, deadline) as roots:
        working = _working_deadline(deadline)
        context = SearchContext(
            request,
            rules,
            resources,
            expression=expression,
            is_single_file=roots.is_file,
            deadline=working,
            reply_deadline=deadline,
        )
        collector = MatchCollector(context, roots.skip_counter)
        with closing(roots.candidates()) as candidates, closing(_earlier_candidates(context)) as earlier:
            collector.search_all(candidates, earlier)
            return _make_result(roots, collector, collector.count_candidates(candidates), deadline)


def _working_deadline(deadline: Deadline) -> Deadline:
    """Returns when searching ends, so that there is time for counting and for the reply."""
    return deadline._replace(expires=deadline.expires - FOR_COUNTING * deadline.seconds)


def _earlier_candidates(context: SearchContext) -> Generator[Candidate]:
    """Yields the files before the one that a search of several continues in; none where it starts at the beginning.

    The order is: all texts by path, then all documents by path. So after a position in a text, the documents of the
    paths before it are still ahead: those are looked for among these files.
    """
    after = context.request.after
    if after is None or context.is_single_file:
        return
    again, deadline = context.request._replace(after=None), context.deadline._replace(on_opened=None)
    with SearchRoots(again, context.rules, context.resources, deadline) as roots, closing(roots.candidates()) as files:
        yield from takewhile(lambda each: each.shown < after.path, files)


def _make_result(
    roots: SearchRoots, collector: MatchCollector, known: tuple[int, bool], deadline: Deadline
) -> SearchResult:
    """Returns what was found, and how far the search came."""
    stop, count = collector.stop, sum(each.match_count for each in collector.files)
    return SearchResult(
        request=roots.request,
        where=roots.where,
        is_file=roots.is_file,
        files=collector.files,
        total=None if collector.beyond is None else count + collector.beyond,
        next=stop.position if stop else None,
        reason=stop.reason if stop else "end",
        searched=collector.searched,
        known=known[0],
        all_known=known[1],
        seconds=deadline.seconds,
        skipped=roots.skip_counter.skipped,
        pieces=collector.long_lines,
        told=collector.told,
        remarks=tuple(roots.remarks),
        missing=roots.missing,
        unmatched_globs=() if stop else roots.unmatched_globs(),
        revision=collector.revision,
    )


def _count_literal_lines(
    request: SearchRequest, rules: Rules, resources: Resources, expression: Expression, deadline: Deadline
) -> int:
    """Returns how many lines match the pattern as plain text, as far as a short search shows."""
    soon = deadline.clock() + (deadline.expires - deadline.clock()) * FOR_LITERAL
    hurried = deadline._replace(expires=soon, seconds=0.0, on_opened=None, on_progress=None)
    plainly = request._replace(limit=MAX_LITERAL, around=0, only_files=False)
    try:
        result = _search_candidates(plainly, rules, resources, expression, hurried)
    except DeadlineExceeded:
        return 0
    return result.total or sum(each.match_count for each in result.files)
