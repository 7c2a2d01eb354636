"""Several files in one reply: a budget split fairly, each part a single read with ceilings of its own."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from .dialects.dialect import Batch, Batching, DialectTool, Piece, Selection, Share
from .model import Reply, Window
from .source import Opener
from .source.globbing import MOST_FILES, Matches, files_like
from .watch import Watch

FOR_REMARKS = 192
"""Tokens set aside for what is said of the batch as a whole."""


class Answer(NamedTuple):
    """A single read: its reply, and the window it shows unless it failed."""

    reply: Reply
    window: Window | None = None


AnswerOne = Callable[[object, DialectTool], Answer]
"""(params, tool) -> its answer."""
ReadOne = Callable[[str, Share], Piece]
"""(path, ceilings) -> its part of the reply."""


def selection_of(batch: Batch, opener: Opener, watch: Watch) -> Selection:
    """Returns the files that a batch means, each once and in order."""
    paths: dict[str, None] = {}
    found: list[Matches] = []
    for entry, may_be_pattern in batch.entries:
        if may_be_pattern:
            found.append(files_like(entry, opener, watch))
        paths |= dict.fromkeys(found[-1].paths if may_be_pattern else [entry])
    cut, unsearched = any(each.cut for each in found), sum(each.unlisted for each in found)
    return Selection(list(paths)[:MOST_FILES], len(paths), cut, unsearched)


def read_batch(batch: Batch, selection: Selection, batching: Batching, answer: AnswerOne) -> Reply:
    """Reads the files in their order, as far as the budget goes; `answer` reads one."""
    read_one = partial(_piece, batch.params, batching, answer)
    paths, notices = selection.paths, batching.notices(batch, selection)
    room = batch.budget
    if len(paths) > 1 or notices:
        room = room._replace(tokens=room.tokens - FOR_REMARKS)
    pieces = _first_round(paths, room, batching.least, read_one)
    _let_grow(pieces, room, batching, read_one)
    reply = batching.render(pieces, paths[len(pieces) :], notices)
    while batching.count_tokens(reply.text) > batch.budget.tokens and len(pieces) > 1:
        # Tokens do not add up exactly with every counter.
        pieces.pop()
        reply = batching.render(pieces, paths[len(pieces) :], notices)
    return reply


def _piece(
    params: dict[str, object],
    batching: Batching,
    answer: AnswerOne,
    path: str,
    share: Share,
) -> Piece:
    reply, window = answer({**params, "path": path}, batching.within(share))
    text = batching.piece_text(path, reply, share)
    tokens = batching.count_tokens(text) + 1  # the newline between two parts
    if window is None:
        return Piece(path, text, reply, Share(tokens, 0, 0), False)
    used = Share(tokens, len(window.text.encode()), len(window.lines))
    return Piece(path, text, reply, used, window.next is not None)


def fair_shares(needs: Sequence[int], pool: int) -> list[int]:
    """Divides a pool: who needs less than an equal share gives the rest to those who need more."""
    shares = [0] * len(needs)
    for served, number in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        shares[number] = min(needs[number], pool // (len(needs) - served))
        pool -= shares[number]
    return shares


def _first_round(paths: Sequence[str], room: Share, least: Share, read_one: ReadOne) -> list[Piece]:
    """Reads as many files as there is room for, each within an equal share."""
    equal = _largest(least, Share(*(whole // len(paths) for whole in room)))
    pieces: list[Piece] = []
    left = room
    for path in paths:
        if pieces and not _holds(left, least):
            break
        pieces.append(read_one(path, _smallest(equal, left)))
        left = _minus(left, pieces[-1].used)
    return pieces


def _let_grow(pieces: list[Piece], room: Share, batching: Batching, read_one: ReadOne) -> None:
    """Gives what small files left over to those that were cut."""
    cut = [number for number, piece in enumerate(pieces) if piece.more]
    spare = _minus(room, _sum([piece.used for piece in pieces]))
    if not cut or min(spare) < 1:
        return
    aside = Share(batching.set_aside, 0, 0)
    pool = _minus(_plus(spare, _sum([pieces[number].used for number in cut])), aside)
    wanted = [_wanted(pieces[number], spare, read_one) for number in cut]
    fair = [fair_shares(needs, whole) for needs, whole in zip(zip(*wanted, strict=True), pool, strict=True)]
    shares = [Share(*share) for share in zip(*fair, strict=True)]
    for need, number, share in sorted(zip(wanted, cut, shares, strict=True)):
        piece = pieces[number]
        most = _plus(piece.used, spare)
        fair_part = _smallest(_largest(_plus(share, aside), piece.used), most)
        # Where a need is met, something else ends the part, however high that ceiling is.
        ceiling = Share(*(most[at] if share[at] == need[at] else fair_part[at] for at in range(len(most))))
        if _holds(ceiling, batching.least):
            pieces[number] = _grown(piece, ceiling, read_one)
            spare = _minus(_plus(spare, piece.used), pieces[number].used)


def _wanted(piece: Piece, spare: Share, read_one: ReadOne) -> Share:
    """Returns what a file would take if all that is left were its own."""
    return _grown(piece, _plus(piece.used, spare), read_one).used


def _grown(piece: Piece, ceiling: Share, read_one: ReadOne) -> Piece:
    """Reads a file once more; what was read before stays where that fails, as it does when time runs out."""
    again = read_one(piece.path, ceiling)
    return piece if again.reply.is_error else again


def _sum(shares: Sequence[Share]) -> Share:
    return Share(*map(sum, zip(*shares, strict=True))) if shares else Share(0, 0, 0)


def _plus(one: Share, other: Share) -> Share:
    return Share(*(have + more for have, more in zip(one, other, strict=True)))


def _minus(one: Share, other: Share) -> Share:
    return Share(*(have - less for have, less in zip(one, other, strict=True)))


def _smallest(one: Share, other: Share) -> Share:
    return Share(*map(min, one, other))


def _largest(one: Share, other: Share) -> Share:
    return Share(*map(max, one, other))


def _holds(share: Share, least: Share) -> bool:
    return all(have >= needed for have, needed in zip(share, least, strict=True))
