"""What a reader should know beside the text, in one line each."""

from __future__ import annotations

from ...model import Call, Notice, ReadResult
from ..params import as_mapping

LINES_NAMED = 5


def notices_of(result: ReadResult, call: Call) -> list[Notice]:
    """Returns what is true of this result, the caller's own mistakes first."""
    found = [
        *result.notices,
        *_unused(result, call),
        *_name(result),
        *_encoding(result),
        *_line_ends(result),
        *_hidden(result),
    ]
    return [*found, *_left_out(result), *_changes(result)]


def _unused(result: ReadResult, call: Call) -> list[Notice]:
    if result.kind == "file" or not as_mapping(call.params).get("encoding"):
        return []
    article = "an" if result.kind == "image" else "a"
    return [
        Notice("encoding-ignored", f"encoding ignored: it holds for texts, and this is read as {article} {result.kind}")
    ]


def _name(result: ReadResult) -> list[Notice]:
    if not result.repaired:
        return []
    return [Notice("name-repaired", "name repaired: the one asked for is spelled with other characters")]


def _encoding(result: ReadResult) -> list[Notice]:
    window, codec = result.window, result.traits.encoding
    found: list[Notice] = []
    if result.traits.guess == "guessed":
        found.append(Notice("encoding-guessed", f"encoding guessed: {codec}"))
    if window.replaced and window.first_replaced is not None:
        what = f"{window.replaced} characters replaced, not valid {codec}, first in line {window.first_replaced}"
        found.append(Notice("bytes-replaced", what, (window.first_replaced,)))
    return found


def _line_ends(result: ReadResult) -> list[Notice]:
    traits = result.traits
    found: list[Notice] = []
    if traits.lone_cr:
        which = "mixed line ends with lone CR" if traits.newline == "mixed" else "lone-CR line ends"
        found.append(Notice("line-ends", f"{which}: line numbers differ from grep and sed"))
    elif traits.newline == "mixed":
        found.append(Notice("line-ends", "mixed line ends: LF and CRLF"))
    if traits.final_newline is False and result.window.next is None:
        found.append(Notice("no-final-newline", "no newline at the end of the file"))
    return found


def _hidden(result: ReadResult) -> list[Notice]:
    hidden = result.hidden
    kinds = (
        ("bidi", "bidirectional control characters", hidden.bidi),
        ("invisible", "invisible characters", hidden.invisible),
        ("escapes", "terminal escape sequences", hidden.escapes),
    )
    return [Notice(code, f"{what} in {_named(lines)}", lines) for code, what, lines in kinds if lines]


def _left_out(result: ReadResult) -> list[Notice]:
    traits = result.traits
    counts = ((traits.ignored, "ignored"), (traits.denied, "denied"))
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    return [Notice("left-out", told)] if told else []


def _changes(result: ReadResult) -> list[Notice]:
    found: list[Notice] = []
    if result.traits.unlisted:
        listed = result.window.total
        what = f"only {listed} entries are listed, {result.traits.unlisted} more are there"
        found.append(Notice("unlisted", what))
    if result.state == "grown":
        found.append(Notice("growing", "the file is growing: numbers are those of the moment it was opened"))
    if result.state == "changed":
        found.append(Notice("changed", "the file changed while it was read: read it again"))
    return found


def _named(lines: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, lines[:LINES_NAMED]))
    more = f" and {len(lines) - LINES_NAMED} more" if len(lines) > LINES_NAMED else ""
    return f"{'line' if len(lines) == 1 else 'lines'} {shown}{more}"
