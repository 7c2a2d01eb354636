"""A page that is an image: drawn, recognised by an engine, and written by the rooms that write printed pages."""

from __future__ import annotations

import signal
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Protocol

from ...errors import ConversionFailed
from ...named_tuple import NamedTuple
from ..contract import NEEDS_RECOGNITION
from ..picture_size import Wanted
from .drawing import GREY, Drawn, draw
from .frame import frame_of
from .lines import lines_of
from .model import Frame
from .notices import TOO_MUCH_DRAWN, Notices
from .page import PageHints, page_markdown, without_tables_in_text
from .profile import learn
from .running_lines import PageLines
from .scan_cleaning import cleaned
from .scan_layout import Layout, RecognisedWord
from .scan_rules import NO_STROKES, find_strokes
from .tables import find_tables

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

DOTS_PER_INCH = 200
MIN_SIDE, MAX_SIDE = 800, 3400
UNSURE = 60
"""The confidence below which a page was not read well."""
TURNS = (180, 90, 270)
CHANCE = 3
NOT_DRAWN = "drawing took too long and was stopped: parts of the page are missing"
SMALL = 24
"""Pixels of a line in small type."""
CLOSER = 1.75
"""How much larger a page is drawn that cannot be read: its type may be small."""
ENOUGH_S, LONGEST_S = 8.0, 25.0
"""Seconds of processor time after which a page is not read once more, and that it may take in all."""


class Orientation(NamedTuple):
    """By how many degrees, clockwise, a page must be turned, and its script where there is no data for it."""

    turn: int
    script: str = ""


class Recogniser(Protocol):
    """An engine with its language data loaded."""

    languages: str
    missing: tuple[str, ...]

    def recognise(self, image: Drawn, dots_per_inch: int) -> list[RecognisedWord]:
        """Returns the words of an image in reading order."""
        ...

    def orientation(self, image: Drawn, dots_per_inch: int) -> Orientation | None:
        """Returns how a page lies; None where that is not known."""
        ...


class Refusing:
    """Stands for an engine that is not loaded: the first page that needs one ends the conversion."""

    languages = ""
    missing = ()

    def recognise(self, image: Drawn, dots_per_inch: int) -> list[RecognisedWord]:  # noqa: ARG002
        """Raises that an engine is needed."""
        raise ConversionFailed("pdf", NEEDS_RECOGNITION)

    def orientation(self, image: Drawn, dots_per_inch: int) -> None:
        """Is never asked: `recognise` raises before."""


class Scans(NamedTuple):
    """What to do about pages that are images: the engine that reads them, if any, and whether it reads every page."""

    engine: Recogniser | None = None
    always: bool = False


class Reading(NamedTuple):
    """The words of a page in one of four orientations, and how sure the engine is of them."""

    rotation: int
    words: list[RecognisedWord]
    confidence: float
    image: Drawn
    scale: float


def recognised_markdown(page: PdfPage, number: int, engine: Recogniser, printed: bool) -> str:
    """Returns a page as Markdown that was read from its image; it is judged alone, without the rest of the document.

    A page that takes too long ends the process: an engine cannot be interrupted.
    """
    scale = min(MAX_SIDE, max(MIN_SIDE, max(page.get_size()) * DOTS_PER_INCH / 72)) / max(1.0, max(page.get_size()))
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        best, script = _best(page, engine, scale)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    told = f"<!-- page {number}: read from an image ({_how(engine, best, script)} -->"
    if not best.words:
        return told
    frame = frame_of(page.get_bbox(), (page.get_rotation() + best.rotation) % 360)
    return f"{told}\n\n{_written(Layout(best.words, best.scale, frame), best, number, frame, printed)}"


def _best(page: PdfPage, engine: Recogniser, scale: float) -> tuple[Reading, str]:
    """Returns the best reading of a page, and a script that there is no data for."""
    until, script = process_time() + ENOUGH_S, ""
    best = _read(page, engine, scale, 0)
    if len({*best.image.content}) == 1:
        return best, ""
    if _is_sideways(best):
        best = max((_read(page, engine, scale, turn) for turn in (90, 270)), key=_goodness)
    elif best.confidence < UNSURE:
        best, script = _turned(page, engine, best, until)
    if (best.confidence < UNSURE or _is_small(best)) and process_time() < until:
        best = max(best, _read(page, engine, CLOSER * scale, best.rotation), key=_goodness)
    return best, script if best.confidence < UNSURE else ""


def _turned(page: PdfPage, engine: Recogniser, best: Reading, until: float) -> tuple[Reading, str]:
    """Reads a page that may lie on its side or head; returns also the script where there is no data for it."""
    seen = engine.orientation(best.image, round(72 * best.scale))
    for turn in TURNS if seen is None else (seen.turn,):
        if turn and best.confidence < UNSURE and process_time() < until:
            best = max(best, _read(page, engine, best.scale, turn), key=_goodness)
    return best, seen.script if seen else ""


def _is_sideways(reading: Reading) -> bool:
    """Whether most words run down or up the page: they are read, but in no order."""
    longer = [word.box for word in reading.words if len(word.text) >= CHANCE]
    return 2 * sum(bottom - top > right - left for left, top, right, bottom in longer) > len(longer)


def _is_small(reading: Reading) -> bool:
    """Whether the type is too small to be read."""
    return bool(reading.words) and median(word.size for word in reading.words) < SMALL


def _goodness(reading: Reading) -> int:
    """Returns the number of letters in words that are no chance: a page on its side is read as short ones."""
    return sum(len(word.text) for word in reading.words if word.confidence >= UNSURE and len(word.text) >= CHANCE)


def _how(engine: Recogniser, reading: Reading, script: str) -> str:
    """Returns what the comment on a recognised page says of it."""
    without = [*engine.missing, *([f"{script} script"] if script else [])]
    missing = f"; no data for {', '.join(without)}" if without else ""
    unsure = 'not read well: see view="image"' if reading.confidence < UNSURE else "may contain errors"
    return f"{engine.languages}, confidence {reading.confidence:.0f}{missing}), {unsure}"


def _read(page: PdfPage, engine: Recogniser, scale: float, turn: int) -> Reading:
    """Recognises a page, turned clockwise by so many degrees."""
    side = max(1, round(max(page.get_size()) * scale))
    drawn = draw(page, Wanted(side=side), colours=GREY, turn=turn // 90)
    words = engine.recognise(cleaned(drawn), round(72 * scale))
    letters = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0
    return Reading(turn, words, confidence, drawn, scale)


def _written(layout: Layout, reading: Reading, number: int, frame: Frame, printed: bool) -> str:
    """Returns recognised words as Markdown, by the rules for printed pages."""
    words = [layout.word(each, index) for index, each in enumerate(reading.words)]
    lines, notices = lines_of(words), Notices()
    if not reading.image.finished:
        notices.add(NOT_DRAWN)
    strokes = find_strokes(reading.image)
    if strokes is None:
        notices.add(TOO_MUCH_DRAWN)
    profile = learn([PageLines(number, frame.width, frame.height, lines)], {})._replace(running={})
    tables = find_tables(words, layout.rulings(strokes or NO_STROKES), notices)
    tables = without_tables_in_text(tables, lines)
    markdown = page_markdown(lines, tables, profile, PageHints((), {}, {}), printed)
    return "\n\n".join(filter(None, [notices.markdown, markdown]))
