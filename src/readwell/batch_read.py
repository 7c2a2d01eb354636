"""Reads several files into one reply: the budget is shared fairly, and each file is read within its share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from .deadline import Deadline
from .dialects.dialect import Batch, Batching, BatchPiece, DialectTool, SelectedFiles, Share
from .errors import DeadlineExceeded, NotFound, ReadError
from .light_typing import TYPE_CHECKING, Any
from .model import Reply, Window
from .named_tuple import NamedTuple
from .source import Opener
from .source.files_by_glob import MAX_FILES, GlobMatches, matching_files, unambiguous_paths

if TYPE_CHECKING:
    from .audit import Audit

RESERVED_FOR_NAMES = 48
"""Tokens set aside for the names of files that were not read."""
FEW_LINES = 40
"""Fewer lines of each file than this are worth less than a list of the files."""
MIN_GROWTH = 16
"""A cut file is read again if it may grow by a part in so many."""


class FileAnswer(NamedTuple):
    """A single read: its reply, and the window it shows unless it failed."""

    reply: Reply
    window: Window | None = None
    record: object = None
    """Its audit record, if records are kept."""


class BatchReply(NamedTuple):
    """The reply, the parts it is made of, and whether it only lists their names."""

    reply: Reply
    pieces: Sequence[BatchPiece]
    listed: bool = False


Read = Callable[[DialectTool, object, "Audit | None"], tuple[Reply, Any]]
"""(tool, params, audit) -> reply and result; raises a ReadError."""
Fail = Callable[[DialectTool, ReadError, object], Reply]
"""(tool, error, params) -> the reply to a failure."""
AnswerOne = Callable[[dict[str, object], DialectTool, bool], FileAnswer]
"""(params, tool, whether the path is a pattern that matches no file) -> its answer."""
MANY = 1 << 20
"""Lines of a file that were not counted."""
ReadOne = Callable[[str, Share], BatchPiece]
"""(path, ceilings) -> its part of the reply."""


def reply_to_batch(
    batch: Batch, batching: Batching, opener: Opener, deadline: Deadline, read: Read, fail: Fail, audit: Audit | None
) -> Reply:
    """Reads several files into one reply; `audit` gets the record of each, as far as the reply shows it."""
    deadline.announce("batch", len(batch.entries))
    answer = _make_answer_one(read, fail, keeps_records=audit is not None)
    batch_reply = read_sharing_budget(batch, select_files(batch, opener, deadline), batching, answer)
    if audit:
        from .audit import records_of_batch

        records = [each.record for each in batch_reply.pieces]
        for record in records_of_batch(batch_reply.reply, batch_reply.listed, records):
            audit(record)
    return batch_reply.reply


def _make_answer_one(read: Read, fail: Fail, keeps_records: bool) -> AnswerOne:
    """Returns the function that reads one file, with its record if it `keeps_records`."""
    records: list[object] = []

    def answer(params: dict[str, object], tool: DialectTool, unmatched: bool) -> FileAnswer:
        records.clear()
        try:
            reply, result = read(tool, params, records.append if keeps_records else None)
            return FileAnswer(reply, result.window, *records)
        except ReadError as error:
            if unmatched and isinstance(error, NotFound):
                error = NotFound(unmatched=True)
            return FileAnswer(fail(tool, error, params), None, *records)

    return answer


def select_files(batch: Batch, opener: Opener, deadline: Deadline) -> SelectedFiles:
    """Returns the files that a batch asks for, each once and in order."""
    paths: dict[str, None] = {}
    matches: list[GlobMatches] = []
    for entry, may_be_pattern in batch.entries:
        if may_be_pattern:
            matches.append(matching_files(entry, opener, deadline))
        paths |= dict.fromkeys(unambiguous_paths(matches[-1], entry, opener, deadline) if may_be_pattern else [entry])
    cut, unlisted = any(each.cut for each in matches), sum(each.unlisted for each in matches)
    unmatched = frozenset(path for each in matches if not each.matched for path in each.paths)
    return SelectedFiles(list(paths)[:MAX_FILES], len(paths), cut, unlisted, unmatched)


def read_sharing_budget(batch: Batch, selection: SelectedFiles, batching: Batching, answer: AnswerOne) -> BatchReply:
    """Reads the files in their order, as far as the budget goes; `answer` reads one."""
    read_one = partial(_read_piece, batch.params, batching, answer, selection.unmatched)
    paths, notices = selection.paths, batching.notices(batch, selection)
    room = batch.budget
    reserved = sum(batching.count_tokens(f"[note: {notice.message}]\n") for notice in notices)
    least = batching.minimum._replace(tokens=batching.minimum.tokens + 1)  # the newline between two parts
    names = 0 if _covers(room, Share(*(len(paths) * each for each in least))) else RESERVED_FOR_NAMES
    room = room._replace(tokens=room.tokens - reserved - names)
    pieces = _read_equal_shares(paths, room, batching.minimum, read_one)
    if batch.may_list and not _is_out_of_time(pieces) and _leaves_few_lines_each(pieces, paths, room):
        pieces += _read_minimum_of_each(paths[len(pieces) :], batching.minimum, read_one)
        return BatchReply(batching.render_list(pieces, paths[len(pieces) :], notices), pieces, listed=True)
    if len(pieces) == len(paths):
        room = room._replace(tokens=room.tokens + names)
    with suppress(DeadlineExceeded):  # one that was read before stays as it is
        _share_leftovers(pieces, room, batching, read_one)
    reply = batching.render(pieces, paths[len(pieces) :], notices)
    while batching.count_tokens(reply.text) > batch.budget.tokens and len(pieces) > 1:
        # Tokens do not add up exactly with every counter.
        pieces.pop()
        reply = batching.render(pieces, paths[len(pieces) :], notices)
    return BatchReply(reply, pieces)


def _leaves_few_lines_each(pieces: Sequence[BatchPiece], paths: Sequence[str], room: Share) -> bool:
    """Whether the files that do not fit as a whole would get fewer than `FEW_LINES` lines each."""
    cut = [piece for piece in pieces if piece.more]
    waiting = len(cut) + len(paths) - len(pieces)
    if waiting < 2 or len(pieces) == 1:
        return False
    spare = _minus(room, _sum([piece.used for piece in pieces if not piece.more]))
    shown = sum(piece.used.lines for piece in cut)
    taken = max(1, sum(piece.used.tokens for piece in cut))
    return shown * max(0, spare.tokens) // taken < FEW_LINES * waiting


def _read_minimum_of_each(paths: Sequence[str], minimum: Share, read_one: ReadOne) -> list[BatchPiece]:
    """Opens files for their size and lines, as long as there is time."""
    pieces: list[BatchPiece] = []
    for path in paths:
        piece = read_one(path, minimum)
        if isinstance(piece.reply.error, DeadlineExceeded):
            break
        pieces.append(piece)
    return pieces


def _read_piece(
    params: dict[str, object],
    batching: Batching,
    answer: AnswerOne,
    unmatched: frozenset[str],
    path: str,
    share: Share,
) -> BatchPiece:
    reply, window, record = answer({**params, "path": path}, batching.limited_to(share), path in unmatched)
    text = batching.piece_text(path, reply, share)
    tokens = batching.count_tokens(text) + 1  # the newline between two parts
    if window is None:
        return BatchPiece(
            path=path, text=text, reply=reply, used=Share(tokens, 0, 0), more=False, need=tokens, record=record
        )
    used = Share(tokens, len(window.text.encode()), len(window.lines))
    need = tokens * (window.total or MANY) // max(1, len(window.lines))
    return BatchPiece(
        path=path, text=text, reply=reply, used=used, more=_is_ended_by_share(window), need=need, record=record
    )


def _is_ended_by_share(window: Window) -> bool:
    """Whether a ceiling of the whole reply ended a window, not the length of a line."""
    return window.next is not None and (window.reason != "lines" or window.next.column == 1)


def _read_equal_shares(paths: Sequence[str], room: Share, minimum: Share, read_one: ReadOne) -> list[BatchPiece]:
    """Reads as many files as there is room for, each within an equal share."""
    equal = _larger_of_each(minimum, Share(*(whole // len(paths) for whole in room)))
    pieces: list[BatchPiece] = []
    left = room
    for path in paths:
        if pieces and not _covers(left, minimum):
            pieces[-1] = pieces[-1]._replace(took_last_line=left.lines < minimum.lines)
            break
        pieces.append(read_one(path, _smaller_of_each(equal, left)))
        left = _minus(left, pieces[-1].used)
        if _is_out_of_time(pieces):
            break
    return pieces


def _is_out_of_time(pieces: Sequence[BatchPiece]) -> bool:
    """Whether the deadline ended the last read."""
    return isinstance(pieces[-1].reply.error, DeadlineExceeded)


def _share_leftovers(pieces: list[BatchPiece], room: Share, batching: Batching, read_one: ReadOne) -> None:
    """Gives what small files left over to those that were cut, the smallest first; raises once time is up."""
    cut = sorted((piece.need, number) for number, piece in enumerate(pieces) if piece.more)
    spare = _minus(room, _sum([piece.used for piece in pieces]))
    if _is_out_of_time(pieces):
        return
    for served, (_, number) in enumerate(cut):
        piece = pieces[number]
        # An equal part of all that the files which are still cut have or may have.
        pool = _plus(spare, _sum([pieces[other].used for _, other in cut[served:]]))
        fair = Share(*(whole // (len(cut) - served) for whole in pool))
        most = _plus(piece.used, spare)
        # Less than the minimum cannot be asked for, so a part may take that much more than is fair.
        ceiling = _smaller_of_each(_larger_of_each(_larger_of_each(fair, piece.used), batching.minimum), most)
        if _can_grow(piece, ceiling):
            pieces[number] = _read_larger(
                piece, _raise_to_minimum(ceiling, piece.used, batching.minimum), most, read_one
            )
            spare = _minus(most, pieces[number].used)


def _can_grow(piece: BatchPiece, ceiling: Share) -> bool:
    """Whether a ceiling lets a part grow by more than a little, or by a line where lines are short."""
    grown = [(have, may) for have, may in zip(piece.used, ceiling, strict=True)]
    few_lines = ceiling.lines <= MIN_GROWTH * 4
    return all(may - have > have // MIN_GROWTH or (few_lines and may > have) for have, may in grown)


def _raise_to_minimum(ceiling: Share, used: Share, minimum: Share) -> Share:
    """Returns a ceiling of the minimum or more; where tokens are raised to it, lines keep the part within its own."""
    ceiling = ceiling._replace(tokens=ceiling.tokens - 1)  # the newline between two parts
    if ceiling.tokens < minimum.tokens:
        ceiling = ceiling._replace(lines=min(ceiling.lines, used.lines * ceiling.tokens // used.tokens))
    return _larger_of_each(ceiling, minimum)


def _read_larger(piece: BatchPiece, ceiling: Share, most: Share, read_one: ReadOne) -> BatchPiece:
    """Reads a file once more; what was read before stays where that fails or gives more than there is room for."""
    again = read_one(piece.path, ceiling)
    if isinstance(again.reply.error, DeadlineExceeded):
        raise again.reply.error
    return again if not again.reply.is_error and _covers(most, again.used) else piece


def _sum(shares: Sequence[Share]) -> Share:
    return Share(*map(sum, zip(*shares, strict=True))) if shares else Share(0, 0, 0)


def _plus(one: Share, other: Share) -> Share:
    return Share(*(have + more for have, more in zip(one, other, strict=True)))


def _minus(one: Share, other: Share) -> Share:
    return Share(*(have - less for have, less in zip(one, other, strict=True)))


def _smaller_of_each(one: Share, other: Share) -> Share:
    return Share(*map(min, one, other))


def _larger_of_each(one: Share, other: Share) -> Share:
    return Share(*map(max, one, other))


def _covers(share: Share, minimum: Share) -> bool:
    return all(have >= needed for have, needed in zip(share, minimum, strict=True))
