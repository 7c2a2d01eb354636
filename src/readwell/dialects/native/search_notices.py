"""What a reader should know about a search beside its matches, in words: what was left out, cut, missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import NotFound
from ...model import Notice
from ...model.search import LessContext, SearchResult
from ...path_names import printable
from ...path_names import quoted as quoted_name
from .missing_paths import describe_missing_path
from .rendering import escape_header_path

LONGEST_PATTERN = 60
MAX_NAMED = 5
TOLD = {
    "undecodable": "some bytes cannot be decoded, so a match may be missing",
    "damaged": "damaged or cut off, so searched as far as it goes",
    "checksum": "searched to its end, but its checksum is wrong",
    "changed": "changed while searched",
}


def search_notices(result: SearchResult) -> list[Notice]:
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
        notices.append(Notice("in-pieces", f"too long to be searched whole, so searched in pieces: {pieces}"))
    if result.less_context:
        notices.append(_less_context_notice(result.less_context))
    notices += result.remarks
    by_code = ((code, what, result.told[code]) for code, what in TOLD.items() if code in result.told)
    return notices + [Notice(code, f"{what}: {_join_names(names)}") for code, what, names in by_code]


def _missing_path_notices(errors: Sequence[NotFound], everything: bool) -> Iterator[Notice]:
    """Tells which of the paths do not exist, with the next step."""
    for error in errors[:MAX_NAMED]:
        message = " ".join(describe_missing_path(error, printable(error.asked or "")))
        hidden = " Hidden and ignored files: everything=true." if error.unmatched and not everything else ""
        yield Notice("missing", message + hidden)
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
    message = f"lines {first_wanted}-{last_wanted} {around} do not fit: {first}-{last} are shown"
    return Notice("around-cut", message if first < last else f"{message.rpartition(':')[0]}: it is shown alone")


def _describe_left_out(result: SearchResult) -> str:
    """Returns what was not searched, with counts."""
    binary, denied, failed, archives, unlisted = result.skipped
    counts = [f"{binary} binary"] * bool(binary) + [f"{denied} denied"] * bool(denied)
    if archives:
        counts.append(
            "1 archive: name it to search it" if archives == 1 else f"{archives} archives: name one to search it"
        )
    if failed:
        counts.append(f"{len(failed)} could not be read: {_join_names(failed)}")
    if unlisted and result.total == 0 and not result.request.after:
        counts.append("hidden and ignored files: everything=true")
    return ", ".join(counts)


def _join_names(names: Sequence[str]) -> str:
    """Returns names as text, in quotes where they could be read as several; of many only the first ones."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(map(_quote_for_list, names[:MAX_NAMED])) + more


def _quote_for_list(name: str) -> str:
    """Returns a name as a remark shows it."""
    shown = escape_header_path(name)
    return quoted_name(shown) if any(mark in shown for mark in "\"',]") else shown


def quote_pattern(pattern: str, longest: int = LONGEST_PATTERN) -> str:
    """Returns a pattern as JSON does, cut where it is long."""
    import json

    shown = pattern if len(pattern) <= longest else f"{pattern[:longest]}…"
    return printable(json.dumps(shown, ensure_ascii=False))
