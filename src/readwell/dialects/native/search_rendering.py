"""What a model reads of a search: a header, the matching lines by file, what was left out, the way on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import NotFound
from ...light_typing import cast
from ...model import Call, Notice, Reply
from ...model.search import FileMatches, LessContext, Match, SearchResult, SearchRow, SkippedFiles
from ...path_names import printable
from ...path_names import quoted as quoted_name
from .budget import tokens_or_bound
from .missing_paths import describe_missing_path
from .rendering import describe_document, escape_header_path
from .settings import Settings
from .shortening import notice_count_remark, short_path

LONGEST_PATTERN = 60
MAX_NAMED = 5
TOLD = {
    "undecodable": "some bytes cannot be decoded, so a match may be missing",
    "damaged": "damaged or cut off, so searched as far as it goes",
    "checksum": "searched to its end, but its checksum is wrong",
    "changed": "changed while searched",
}


def render(result: SearchResult, call: Call, settings: Settings) -> Reply:
    """Returns the reply: text for a model, data for a program."""
    del call
    request, notices = result.request, _notices(result)
    goes_on_in = result.next.path if result.next else ""
    rows = list(result_lines(result.files, request.only_files, request.around > 0, result.is_file, goes_on_in))
    text, tokens = "", 0
    for where, position, remarks in _ever_shorter_remarks(result, notices):
        text = "\n".join([_header(result, where), *rows, *remarks, _last_remark(result, position, settings)])
        tokens = tokens_or_bound(text, request.max_tokens, settings)
        if tokens <= request.max_tokens:
            break
    return Reply(text, _reply_data(result, notices, tokens))


def _ever_shorter_remarks(result: SearchResult, notices: Sequence[Notice]) -> Iterator[tuple[str, str, list[str]]]:
    """Yields what was searched, the place to go on and the notices in words, and then ever shorter."""
    where, position = escape_header_path(result.where), str(result.next or "").replace('"', r"\x22")
    yield where, position, [f"[note: {notice.message}]" for notice in notices]
    if notices:
        yield where, position, [f"[note: {', '.join(dict.fromkeys(notice.code for notice in notices))}]"]
    yield short_path(where), position, notice_count_remark(notices)


def result_lines(
    files: Sequence[FileMatches], only_files: bool, marked: bool, alone: bool = False, goes_on_in: str = ""
) -> Iterator[str]:
    """Yields the lines of a reply between its header and its remarks; `marked`: matches are told from neighbours.

    `goes_on_in` is the path of a file that may have more matches than are shown.
    """
    for each in files:
        if only_files:
            yield f"{each.match_count}\t{_escape_path(each.path)}"
            continue
        if not alone:
            form = f" | {describe_document(each.part)}" if each.part else ""
            count = _count_with_noun(each.match_count, "match", "matches", "+" * (each.path == goes_on_in))
            yield f"[{escape_header_path(each.path)}{form} | {count} | rev {each.revision}]"
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


def _header(result: SearchResult, where: str) -> str:
    """Returns the first line of a reply: what was searched for, where, and how much was found."""
    looked_for = f"search {quote_pattern(result.request.pattern)}"
    if not result.is_file:
        return f"[{looked_for} in {where} | {_describe_extent(result)}]"
    part = result.files[0].part if result.files else None
    form = f" | {describe_document(part)}" if part else ""
    revision = result.files[0].revision if result.files else result.revision
    told = f" | rev {revision}" if revision else ""
    return f"[{where}{form} | {looked_for} | {_describe_extent(result)}{told}]"


def quote_pattern(pattern: str) -> str:
    """Returns a pattern as JSON does, cut where it is long."""
    import json

    shown = pattern if len(pattern) <= LONGEST_PATTERN else f"{pattern[:LONGEST_PATTERN]}…"
    return printable(json.dumps(shown, ensure_ascii=False))


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
    return f'[more: after="{position}" | {why[result.reason]}]'


def _describe_time_out(result: SearchResult) -> str:
    """Tells how far a search came before its deadline."""
    reached = f"{result.seconds:g} s reached"
    if result.is_file:
        return reached
    return f"{reached}: {result.searched:,} of {result.known:,}{'' if result.all_known else '+'} files searched"


def _notices(result: SearchResult) -> list[Notice]:
    """Returns what a reader should know about the search."""
    notices = [*result.request.notices]
    if result.as_literal:
        lines = "1 line" if result.as_literal == 1 else f"{result.as_literal} lines"
        notices.append(Notice("literal", f"{quote_pattern(result.request.pattern)} matches {lines} with literal=true"))
    if left_out := _describe_left_out(result):
        notices.append(Notice("left-out", f"not searched: {left_out}"))
    notices += _missing_path_notices(result.missing, result.request.everything)
    notices += [_unmatched_glob_notice(glob) for glob in result.unmatched_globs[:MAX_NAMED]]
    if result.pieces:
        pieces = _join_names([str(each) for each in result.pieces])
        told = f"too long to be searched whole, so searched in pieces: {pieces}"
        notices.append(Notice("in-pieces", told))
    if result.less_context:
        notices.append(_less_context_notice(result.less_context))
    notices += result.remarks
    told = ((code, what, result.told[code]) for code, what in TOLD.items() if code in result.told)
    return notices + [Notice(code, f"{what}: {_join_names(names)}") for code, what, names in told]


def _missing_path_notices(errors: Sequence[NotFound], everything: bool) -> Iterator[Notice]:
    """Tells which of the paths do not exist, with the next step."""
    for error in errors[:MAX_NAMED]:
        told = " ".join(describe_missing_path(error, printable(error.asked or "")))
        hidden = " Hidden and ignored files: everything=true." if error.unmatched and not everything else ""
        yield Notice("missing", told + hidden)
    if more := len(errors[MAX_NAMED:]):
        yield Notice("missing", f"{more} more of the paths {'does' if more == 1 else 'do'} not exist")


def _unmatched_glob_notice(glob: str) -> Notice:
    """Tells that no file matches a glob: a result without its files looks complete."""
    below = glob.removeprefix("./").lstrip("/")
    deeper = f"; at any depth: {quote_pattern(f'**/{below}')}" if "/" in glob and not below.startswith("**/") else ""
    return Notice("glob-unmatched", f"no file matches glob {quote_pattern(glob)}{deeper}")


def _less_context_notice(less: LessContext) -> Notice:
    """Tells that fewer lines are shown around a match than were asked for."""
    (first, last), (first_wanted, last_wanted) = less.shown, less.wanted
    around = f"around {_quote_for_list(str(less.position))}"
    told = f"lines {first_wanted}-{last_wanted} {around} do not fit: {first}-{last} are shown"
    return Notice("around-cut", told if first < last else f"{told.rpartition(':')[0]}: it is shown alone")


def _describe_left_out(result: SearchResult) -> str:
    """Returns what was not searched, with counts."""
    binary, denied, failed, archives, unlisted = result.skipped
    told = [f"{binary} binary"] * bool(binary) + [f"{denied} denied"] * bool(denied)
    if archives:
        told.append(
            "1 archive: name it to search it" if archives == 1 else f"{archives} archives: name one to search it"
        )
    if failed:
        told.append(f"{len(failed)} could not be read: {_join_names(failed)}")
    if unlisted and result.total == 0 and not result.request.after:
        told.append("hidden and ignored files: everything=true")
    return ", ".join(told)


def _join_names(names: Sequence[str]) -> str:
    """Returns names as text, in quotes where they could be read as several; of many only the first ones."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(map(_quote_for_list, names[:MAX_NAMED])) + more


def _quote_for_list(name: str) -> str:
    """Returns a name as a remark shows it."""
    shown = escape_header_path(name)
    return quoted_name(shown) if any(mark in shown for mark in "\"',]") else shown


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
