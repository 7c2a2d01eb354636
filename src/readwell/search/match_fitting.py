"""Shortens a result to what fits into the budget of a reply."""

from bisect import bisect_left
from collections.abc import Sequence

from ..model.search import FileMatches, LessContext, SearchPosition, SearchRequest, SearchResult, SearchRow


def fit_matches(result: SearchResult, request: SearchRequest) -> SearchResult:
    """Returns as many matches as fit into the budget, at least one, and the position of the rest."""
    if not result.files or request.fits(result.files) is None:
        return result
    most = sum(_count_matches(each, request) for each in result.files)

    def too_much(count: int) -> bool:
        return request.fits(_first_matches(result.files, count, request)) is not None

    count = bisect_left(range(1, most), True, key=too_much)
    files = _first_matches(result.files, count, request) if count else [_fit_first_match(result.files[0], request)]
    if not count:
        result = result._replace(less_context=_less_context(files[0], result.files[0], request))
    if max(1, count) == most:
        return result._replace(files=files)
    last = files[-1]
    # All of them together may exceed another budget than the one that ends the reply.
    reason = request.fits(_first_matches(result.files, count + 1, request)) or result.reason
    return result._replace(files=files, next=SearchPosition(last.path, last.last, last.is_document), reason=reason)


def _count_matches(each: FileMatches, request: SearchRequest) -> int:
    """Returns how many matches of a file count."""
    return 1 if request.only_files else each.match_count


def _first_matches(files: Sequence[FileMatches], count: int, request: SearchRequest) -> list[FileMatches]:
    """Returns the first `count` matches with the lines around them; or files, where only files are listed."""
    if request.only_files:
        return list(files[:count])
    kept: list[FileMatches] = []
    for each in files:
        if count < 1:
            break
        kept.append(each if each.match_count <= count else _with_first_matches(each, count, request.around))
        count -= each.match_count
    return kept


def _with_first_matches(each: FileMatches, count: int, around: int) -> FileMatches:
    """Returns a file with only its first matches, and the lines around them."""
    matching = [number for number, row in enumerate(each.rows) if row.match is not None]
    at = matching[count - 1]
    following = matching[count] if count < len(matching) else len(each.rows)
    last = each.rows[at].line
    rows = [row for number, row in enumerate(each.rows[:following]) if number <= at or row.line <= last + around]
    return each._replace(rows=rows, match_count=count, last=last)


def _fit_first_match(each: FileMatches, request: SearchRequest) -> FileMatches:
    """Returns the first match with as many of the lines around it as fit; alone, its line is cut to what fits."""
    if request.only_files:
        return each
    whole = _with_first_matches(each, 1, request.around)
    at = next(number for number, row in enumerate(whole.rows) if row.match is not None)

    def with_neighbours(count: int) -> FileMatches:
        return whole._replace(rows=whole.rows[max(0, at - count) : at + 1 + count])

    def too_many(count: int) -> bool:
        return request.fits([with_neighbours(count)]) is not None

    fitting = bisect_left(range(request.around + 1), True, key=too_many)
    return with_neighbours(fitting - 1) if fitting else whole._replace(rows=[_cut_line_to_fit(whole, at, request)])


def _cut_line_to_fit(each: FileMatches, at: int, request: SearchRequest) -> SearchRow:
    """Returns a matching line that does not fit, cut to what does, at least one character."""
    row = each.rows[at]

    def too_much(length: int) -> bool:
        return request.fits([each._replace(rows=[_cut_row(row, length)])]) is not None

    return _cut_row(row, max(1, bisect_left(range(1, len(row.text)), True, key=too_much)))


def _less_context(shown: FileMatches, found: FileMatches, request: SearchRequest) -> LessContext | None:
    """Returns which lines around the first match are shown, where more were found; None: there are no more."""
    if request.only_files:
        return None
    wanted = _with_first_matches(found, 1, request.around).rows
    if len(wanted) == len(shown.rows):
        return None
    position = SearchPosition(shown.path, shown.last, shown.is_document)
    return LessContext(position, (shown.rows[0].line, shown.rows[-1].line), wanted=(wanted[0].line, wanted[-1].line))


def _cut_row(row: SearchRow, length: int) -> SearchRow:
    """Returns a row with less text, cut around its match."""
    if length >= len(row.text):
        return row
    first = max(0, min((row.match or 1) - row.column, len(row.text) - length))
    return row._replace(text=row.text[first : first + length], column=row.column + first, cut=True)
