"""What a model reads of a search: a header, the matching lines by file, what was left out, the way on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...light_typing import cast
from ...model import Call, Notice, Reply
from ...model.search import FileMatches, Match, SearchResult, SearchRow, SkippedFiles
from ...named_tuple import NamedTuple
from .budget import tokens_or_bound
from .rendering import describe_document, escape_header_path
from .search_notices import LONGEST_PATTERN, quote_pattern, search_notices
from .settings import Settings
from .shortening import notice_count_remark, short_path

SHORT_PATTERN = 10


def render(result: SearchResult, call: Call, settings: Settings) -> Reply:
    """Returns the reply: text for a model, data for a program."""
    del call
    request, notices = result.request, search_notices(result)
    text, tokens = "", 0
    for form in _ever_shorter_forms(result, notices):
        text = "\n".join(
            [
                _header(result, form.where, form.longest),
                *_rows(result, form.longest < LONGEST_PATTERN),
                *form.remarks,
                _last_remark(result, form.position or _how_to_show_position(tokens, settings), settings),
            ]
        )
        tokens = tokens_or_bound(text, request.max_tokens, settings)
        if tokens <= request.max_tokens:
            break
    return Reply(text, _reply_data(result, notices, tokens))


class _Form(NamedTuple):
    """How the parts of a reply are shown around its rows."""

    where: str
    longest: int
    """Characters of the pattern; where they are fewer than usual, names in rows are short, too."""
    remarks: list[str]
    position: str
    """How to go on; empty: it is too long to be shown."""


def _ever_shorter_forms(result: SearchResult, notices: Sequence[Notice]) -> Iterator[_Form]:
    """Yields what was searched, the notices in words and the position to go on at, and then ever shorter."""
    position = str(result.next or "").replace('"', r"\x22")
    form = _Form(
        where=escape_header_path(result.where),
        longest=LONGEST_PATTERN,
        remarks=[f"[note: {notice.message}]" for notice in notices],
        position=f'after="{position}"',
    )
    yield form
    if notices:
        yield form._replace(remarks=[f"[note: {', '.join(dict.fromkeys(notice.code for notice in notices))}]"])
    form = form._replace(where=short_path(form.where), remarks=notice_count_remark(notices))
    yield form
    form = form._replace(longest=SHORT_PATTERN)
    yield form
    if result.next:
        yield form._replace(position="")


def _how_to_show_position(needed: int, settings: Settings) -> str:
    """Returns what to send to be shown the position to go on at, for which so many tokens are needed."""
    return f"max_tokens={needed}" if needed <= settings.max_tokens else "search a folder further down"


def _rows(result: SearchResult, short: bool) -> Iterator[str]:
    """Returns the lines of a reply between its header and its remarks."""
    request, goes_on_in = result.request, result.next.path if result.next else ""
    return result_lines(
        result.files, request.only_files, request.around > 0, alone=result.is_file, goes_on_in=goes_on_in, short=short
    )


def result_lines(
    files: Sequence[FileMatches],
    only_files: bool,
    marked: bool,
    alone: bool = False,
    goes_on_in: str = "",
    short: bool = False,
) -> Iterator[str]:
    """Yields the lines of a reply between its header and its remarks; `marked`: matches are told from neighbours.

    `goes_on_in` is the path of a file that may have more matches than are shown; `short`: names are shown by their end.
    """
    name = short_path if short else str
    for each in files:
        if only_files:
            yield f"{each.match_count}\t{name(_escape_path(each.path))}"
            continue
        if not alone:
            form = f" | {describe_document(each.part)}" if each.part else ""
            count = _count_with_noun(each.match_count, "match", "matches", "+" * (each.path == goes_on_in))
            yield f"[{name(escape_header_path(each.path))}{form} | {count} | rev {each.revision}]"
        yield from _file_lines(each, marked)


def _file_lines(each: FileMatches, marked: bool) -> Iterator[str]:
    """Yields the lines of a file that matched, and the pages that they are on."""
    unit = None
    for row in each.rows:
        if row.unit is not None and row.unit != unit and each.part:
            unit = row.unit
            yield f"[{each.part.unit} {unit}]"
        yield f"{_gutter(row, marked)}\t{'… ' * (row.column > 1)}{row.text}{' …' * row.cut}"


def _gutter(row: SearchRow, marked: bool) -> str:
    """Returns the number of a line, with the column where a cut line begins."""
    column = f"@{row.column}" if row.column > 1 else ""
    return f"{row.line}{column}{'>' * (marked and row.match is not None)}"


def _escape_path(path: str) -> str:
    """Returns a path as a row shows it: none looks like a remark."""
    return f"\\x5b{path[1:]}" if path.startswith("[") else path


def _header(result: SearchResult, where: str, longest: int) -> str:
    """Returns the first line of a reply: what was searched for, where, and how much was found."""
    looked_for = f"search {quote_pattern(result.request.pattern, longest)}"
    if not result.is_file:
        return f"[{looked_for} in {where} | {_describe_extent(result)}]"
    part = result.files[0].part if result.files else None
    form = f" | {describe_document(part)}" if part else ""
    revision = result.files[0].revision if result.files else result.revision
    revision_field = f" | rev {revision}" if revision else ""
    return f"[{where}{form} | {looked_for} | {_describe_extent(result)}{revision_field}]"


def _describe_extent(result: SearchResult) -> str:
    """Returns how many matches are shown, and of how many."""
    if not result.files:
        return "no match" if result.is_file else f"no match in {_count_with_noun(result.searched, 'file', 'files')}"
    total = f"{result.count}+" if result.total is None else result.total
    more = "+" * (result.total is None)
    files = "" if result.is_file else f" in {_count_with_noun(len(result.files), 'file', 'files', more)}"
    return f"matches 1-{result.count} of {total}{files}"


def _count_with_noun(count: int, one: str, many: str, more: str = "") -> str:
    """Returns a count with its noun; `more` is a plus where there may be others."""
    return f"{count}{more} {one if count == 1 and not more else many}"


def _last_remark(result: SearchResult, position: str, settings: Settings) -> str:
    """Returns the last line of a reply: its end, or where the next search continues and why."""
    if result.next is None:
        return "[end]"
    request = result.request
    why = {
        "matches": _count_with_noun(request.limit, "match", "matches"),
        "files": _count_with_noun(request.limit, "file", "files"),
        "tokens": f"{request.max_tokens} token budget reached",
        "bytes": f"{settings.max_bytes} byte budget reached",
        "time": _describe_time_out(result),
    }
    return f"[more: {position} | {why[result.reason]}]"


def _describe_time_out(result: SearchResult) -> str:
    """Tells how far a search came before its deadline."""
    reached = f"{result.seconds:g} s reached"
    if result.is_file:
        return reached
    return f"{reached}: {result.searched:,} of {result.known:,}{'' if result.all_known else '+'} files searched"


def brief(data: dict[str, object]) -> dict[str, object]:
    """Returns the data without the text of matches, which the reply shows."""
    matches = data.get("matches")
    if not isinstance(matches, list):
        return data
    rows = cast("list[dict[str, object]]", matches)
    return {**data, "matches": [{name: each[name] for name in each if name != "text"} for each in rows]}


def _skipped_counts(skipped: SkippedFiles) -> dict[str, int]:
    """Returns the counts of what was not searched; archives are among the binary files."""
    return {"binary": skipped.binary + skipped.archives, "denied": skipped.denied, "failed": len(skipped.failed)}


def _reply_data(result: SearchResult, notices: Sequence[Notice], tokens: int) -> dict[str, object]:
    """Returns the reply's data."""
    files = result.files
    matches = [_match_data(each) for each in result.matches]
    if result.request.only_files:
        matches = [{"path": each.path, "count": each.match_count} for each in files]
    return {
        "pattern": result.request.pattern,
        "matches": matches,
        "count": result.count,
        "total": result.total,
        "files": len(files),
        "complete": result.complete,
        "skipped": _skipped_counts(result.skipped),
        "next": {"after": str(result.next)} if result.next else None,
        "tokens": tokens,
        "notices": [{"code": notice.code, "message": notice.message, "lines": []} for notice in notices],
    }


def _match_data(each: Match) -> dict[str, object]:
    """Returns a match as data."""
    page = {} if each.page is None else {"page": each.page}
    return {"path": each.path, "line": each.line, "column": each.column, "text": each.text, **page}
