"""Rendering of several files: their replies one after the other, then the files that were not read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ...errors import DeadlineExceeded
from ...model import Notice, Reply
from ...path_names import printable, quoted
from ..dialect import Batch, BatchPiece, SelectedFiles, Share
from .rendering import escape_header_path
from .settings import Settings
from .shortening import short_path

MAX_NAMED = 10
TOKENS_FOR_NAMES = 40
"""Tokens for the names of files that were not read."""


def piece_text(path: str, reply: Reply, share: Share, settings: Settings) -> str:
    """Returns the text of one file's reply; a failure gets a header with its path."""
    if not reply.is_error:
        return reply.text
    text = f"[{escape_header_path(printable(path))}]\n{reply.text}"
    if settings.count_tokens(text) <= share.tokens:
        return text
    code = reply.text.partition("]")[0]
    return f"[{escape_header_path(short_path(printable(path)))}]\n{code}]"


def batch_notices(batch: Batch, selection: SelectedFiles) -> list[Notice]:
    """Returns the notices about the batch as a whole, those about the caller's params first."""
    notices = [*batch.notices]
    if selection.cut:
        notices.append(Notice("search-cut", "a pattern means more files than were looked for: narrow it"))
    if selection.unlisted:
        notices.append(Notice("unsearched", f"directories that could not be listed: {selection.unlisted}"))
    taken = len(selection.paths)
    if selection.total > taken:
        notices.append(Notice("search-cut", f"only the first {taken} of {selection.total} files are taken"))
    return notices


def render_batch(
    pieces: Sequence[BatchPiece], not_read: Sequence[str], notices: Sequence[Notice], settings: Settings
) -> Reply:
    """Joins the replies into one; it is a failure if no file could be read."""
    remarks = [f"[note: {notice.message}]" for notice in notices]
    what = f"not read, {_name_reached_limit(pieces)} reached"
    ends = [*remarks, *_not_read_remark(what, not_read, settings)]
    text = "\n".join([*(piece.text for piece in pieces), *ends])
    answered = "\n".join([*(piece.text for piece in pieces if not piece.reply.is_error), *ends])
    failed = [piece.reply for piece in pieces if piece.reply.is_error]
    data: dict[str, object] = {
        "files": [_piece_data(piece) for piece in pieces],
        "not_read": [printable(path) for path in not_read],
        "tokens": settings.count_tokens(text),
        "notices": [{"code": notice.code, "message": notice.message, "lines": []} for notice in notices],
    }
    return _with_failures(Reply(text, data, len(failed) == len(pieces)), failed, answered)


def _with_failures(reply: Reply, failed: Sequence[Reply], answered: str) -> Reply:
    """Returns a reply that knows which of its files failed; `answered` is its text without them."""
    if not failed:
        return reply
    failures = tuple(each.text for each in failed)
    return reply._replace(error=failed[0].error, failures=failures, without_failures=answered)


def render_list(
    pieces: Sequence[BatchPiece], not_read: Sequence[str], notices: Sequence[Notice], settings: Settings
) -> Reply:
    """Returns names, sizes and lines of files that are too many to be read at once, and how to go on."""
    files = [_list_row_data(piece) for piece in pieces] + [{"path": printable(path)} for path in not_read]
    rows = [_list_row_text(file) for file in files]
    head = f"[{len(files)} files | too many to read at once: their lines and sizes]"
    remarks = [f"[note: {notice.message}]" for notice in notices]
    shown, way_on = len(rows), '[more: read some of them by path or paths; view="outline" tells what is in one]'
    while True:
        left_out = [f"[note: {len(rows) - shown} more files are not listed: narrow the pattern]"] * (shown < len(rows))
        text = "\n".join([head, *rows[:shown], *left_out, *remarks, way_on])
        tokens = settings.count_tokens(text)
        if tokens <= settings.max_tokens or shown <= 1:
            break
        shown = min(shown - 1, shown * settings.max_tokens // tokens)
    data: dict[str, object] = {
        "files": [],
        "not_read": [file["path"] for file in files],
        "listed": files[:shown],
        "tokens": tokens,
        "notices": [{"code": notice.code, "message": notice.message, "lines": []} for notice in notices],
    }
    return _with_failures(Reply(text, data), [piece.reply for piece in pieces if piece.reply.is_error], text)


def _list_row_data(piece: BatchPiece) -> dict[str, object]:
    """Returns the row of a file that is listed instead of shown, as data."""
    data = piece.reply.data
    if piece.reply.is_error:
        return {"path": printable(piece.path), "error": data["error"]}
    return {"path": data["path"], "size": data["size"], "total": data.get("total")}


def _list_row_text(file: dict[str, object]) -> str:
    """Returns the row of a listed file, as text."""
    path, total, error = str(file["path"]), file.get("total"), file.get("error")
    name = f"\\x5b{path[1:]}" if path.startswith("[") else path
    if isinstance(error, dict):
        return f"{name}\t{cast('dict[str, object]', error)['code']}"
    size = [f"{file['size']} bytes"] if "size" in file else []
    lines = [] if total is None else ["1 line" if total == 1 else f"{total} lines"]
    return f"{name}\t{', '.join(lines + size)}".rstrip()


def _piece_data(piece: BatchPiece) -> dict[str, object]:
    """Returns the data of one file of a batch; a failure names its path."""
    return {"path": printable(piece.path), **piece.reply.data} if piece.reply.is_error else piece.reply.data


def _name_reached_limit(pieces: Sequence[BatchPiece]) -> str:
    """Returns the name of what ended a batch: its deadline, a budget, or `limit`."""
    if any(isinstance(piece.reply.error, DeadlineExceeded) for piece in pieces):
        return "deadline"
    reasons = {piece.reply.data.get("reason") for piece in pieces}
    by_lines = "lines" in reasons or any(piece.took_last_line for piece in pieces)
    return "limit" if by_lines and not reasons & {"tokens", "bytes"} else "budget"


def _not_read_remark(what: str, paths: Sequence[str], settings: Settings) -> list[str]:
    """Returns the line about files that were not read, with as many names as fit."""
    if not paths:
        return []
    line = f"[{what}: {len(paths)} file{'s' * (len(paths) != 1)}]"
    for count in range(1, min(len(paths), MAX_NAMED) + 1):
        rest = f" and {len(paths) - count} more" if len(paths) > count else ""
        longer = f"[{what}: {', '.join(map(quoted, paths[:count]))}{rest}]"
        if settings.count_tokens(longer) > TOKENS_FOR_NAMES:
            break
        line = longer
    return [line]
