"""Notices: what a reader should know about the text, one line each."""

from __future__ import annotations

from collections.abc import Sequence

from ...encoded_image import Picture
from ...model import HiddenCharacters, Notice, ReadResult, Traits, UncountedPages
from .uncounted_rendering import line_label

LINES_NAMED = 5
NOTHING = HiddenCharacters()
CHANGES = {
    "grown": Notice("growing", "the file is growing: numbers are those of the moment it was opened"),
    "changed": Notice("changed", "the file changed while it was read: read it again"),
}


def notices_of(result: ReadResult) -> list[Notice]:
    """Returns the notices that apply to a result, those about the caller's params first."""
    window, traits = result.window, result.traits
    notices = [*result.request.notices, *result.remarks]
    if result.request.encoding and result.encoding_unused:
        notices.append(_unused_param_notice("encoding", result.kind))
    if result.request.column > 1 and _is_column_unused(result):
        notices.append(_unused_param_notice("column", result.kind))
    if result.request.after is not None and (result.kind != "directory" or result.outline):
        notices.append(Notice("after-ignored", "after ignored: it holds for the entries of a directory"))
    if result.repaired:
        notices.append(Notice("name-repaired", "name repaired: the one asked for is spelled with other characters"))
    if traits.guess == "guessed" or traits.runner_up:
        notices.append(_guessed_encoding_notice(traits))
    if result.hidden.utf8:
        notices.append(_mixed_encoding_notice(result.hidden.utf8))
    if window.first_replaced is not None:
        notices.append(_replaced_characters_notice(window.replaced, window.first_replaced, traits))
    if traits.lone_cr or traits.newline == "mixed":
        notices.append(_line_end_notice(traits))
    if traits.final_newline is False and window.next is None:
        notices.append(Notice("no-final-newline", "no newline at the end of the file"))
    if result.hidden != NOTHING:
        notices += _hidden_character_notices(
            result.hidden, "\0" in window.text, result.part.uncounted if result.part else None
        )
    if traits.ignored or traits.denied:
        notices.append(_left_out_notice(traits))
    if traits.unlisted:
        what = f"only {window.total} entries are counted, {traits.unlisted} more are behind them"
        notices.append(Notice("unlisted", what))
    if result.outline:
        notices += result.outline.notices
    if result.state != "steady":
        notices.append(CHANGES[result.state])
    if result.pictures:
        notices += _picture_notices(result.pictures)
    return notices


def _picture_notices(pictures: Sequence[Picture]) -> list[Notice]:
    """Tells what images do not show."""
    notices: list[Notice] = []
    if pictures[0].animated:
        notices.append(Notice("animated", "animated: the first frame is shown"))
    if any(picture.unfinished for picture in pictures):
        notices.append(Notice("unfinished", "drawing took too long and was stopped: parts of the page are missing"))
    return notices


def _is_column_unused(result: ReadResult) -> bool:
    """Says whether what is shown has no columns: an image, or entries that are not cut."""
    return bool(result.pictures) or (result.kind == "directory" and result.window.column == 1)


def _unused_param_notice(param: str, kind: str) -> Notice:
    """Tells that a param has no effect here."""
    article = "an" if kind == "image" else "a"
    return Notice(f"{param}-ignored", f"{param} ignored: it holds for texts, and this is read as {article} {kind}")


def _guessed_encoding_notice(traits: Traits) -> Notice:
    """Tells which encoding was guessed, and which other may be right."""
    if traits.guess != "guessed":
        return Notice("encoding-doubtful", f"may be {traits.runner_up}: encoding={traits.runner_up} reads it so")
    otherwise = f"encoding={traits.runner_up}" if traits.runner_up else "another encoding="
    return Notice("encoding-guessed", f"encoding guessed: {traits.encoding}; if letters look wrong, try {otherwise}")


def _mixed_encoding_notice(lines: tuple[int, ...]) -> Notice:
    """Tells in which lines UTF-8 stands between lines of another encoding."""
    return Notice(
        "encodings-mixed", f"encodings are mixed: UTF-8 in {_join_numbers(lines)}; encoding=utf-8 reads it", lines
    )


def _replaced_characters_notice(count: int, first: int, traits: Traits) -> Notice:
    """Tells how many characters were replaced, and where the first one is."""
    what = f"{count} character{'s' * (count != 1)} replaced, not valid {traits.encoding}, first in line {first}"
    why = "; damaged, or encodings are mixed: encoding= reads another" if traits.guess != "forced" else ""
    return Notice("bytes-replaced", what + why, (first,))


def _line_end_notice(traits: Traits) -> Notice:
    """Tells of line ends that make numbers differ from those of other tools."""
    if not traits.lone_cr:
        return Notice("line-ends", "mixed line ends: LF and CRLF")
    which = "mixed line ends with lone CR" if traits.newline == "mixed" else "lone-CR line ends"
    return Notice("line-ends", f"{which}: line numbers differ from grep and sed")


def _hidden_character_notices(hidden: HiddenCharacters, nuls: bool, pages: UncountedPages | None) -> list[Notice]:
    """Tells in which lines there are characters that a reader cannot see."""
    kinds = (
        ("bidi", "bidirectional control characters", hidden.bidi),
        ("invisible", "invisible characters", hidden.invisible),
        ("escapes", "terminal escape sequences", hidden.escapes),
        ("controls", "control characters (NUL is shown as ␀)" if nuls else "control characters", hidden.controls),
    )
    if pages:
        labelled = ((code, what, [line_label(pages, line) for line in lines]) for code, what, lines in kinds)
        return [Notice(code, f"{what} in {_join_numbers(labels)}") for code, what, labels in labelled if labels]
    return [Notice(code, f"{what} in {_join_numbers(lines)}", lines) for code, what, lines in kinds if lines]


def _left_out_notice(traits: Traits) -> Notice:
    """Tells how many entries of a directory are not listed, and why."""
    counts = ((traits.ignored, "ignored"), (traits.denied, "denied"))
    return Notice("left-out", ", ".join(f"{count} {what}" for count, what in counts if count))


def _join_numbers(lines: Sequence[int | str]) -> str:
    """Returns line numbers as text; of many only the first ones."""
    shown = ", ".join(map(str, lines[:LINES_NAMED]))
    more = f" and {len(lines) - LINES_NAMED} more" if len(lines) > LINES_NAMED else ""
    return f"{'line' if len(lines) == 1 else 'lines'} {shown}{more}"
