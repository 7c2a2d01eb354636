"""A page that is an image: drawn, recognised by an engine, and written as printed pages are."""

from __future__ import annotations

import signal
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Protocol

from ....errors import ConversionFailed
from ....named_tuple import NamedTuple
from ...contract import NEEDS_RECOGNITION, WORKING
from ...image_size import Wanted
from ..document_facts.profile import learn_profile
from ..document_facts.running_lines import PageLines
from ..page_bitmap import GREY, PageBitmap, draw_page
from ..page_content.page_coordinates import frame_of
from ..page_content.text_lines import lines_of
from ..page_model import Frame
from ..page_notices import TOO_MUCH_DRAWN, Notices
from ..page_text.page_markdown import PageHints, page_markdown
from ..table_search.find_tables import find_tables
from ..table_search.tables_in_text import without_tables_in_text
from .pixels_to_points import PixelsToPoints, RecognisedWord
from .ruling_lines_in_pixels import NO_STROKES, find_strokes
from .scan_cleaning import cleaned

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
TINY, READABLE = 12, 24
"""Pixels from foot to head of words that are hardly read, and of words that are read well."""
MAX_CLOSER, MAX_CLOSER_SIDE = 3.2, 7200
"""How much larger a page in tiny type is drawn at most, and the pixels of its longest side."""
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

    def recognise(self, image: PageBitmap, dots_per_inch: int) -> list[RecognisedWord]:
        """Returns the words of an image in reading order."""
        ...

    def orientation(self, image: PageBitmap, dots_per_inch: int) -> Orientation | None:
        """Returns how a page lies; None where that is not known."""
        ...


class RefusingRecogniser:
    """Stands for an engine that is not loaded: the first page that needs one ends the conversion."""

    languages = ""
    missing = ()

    def recognise(self, image: PageBitmap, dots_per_inch: int) -> list[RecognisedWord]:  # noqa: ARG002
        """Raises that an engine is needed."""
        raise ConversionFailed("pdf", NEEDS_RECOGNITION)

    def orientation(self, image: PageBitmap, dots_per_inch: int) -> None:
        """Is never asked: `recognise` raises before."""


class ScanHandling(NamedTuple):
    """What to do about pages that are images: the engine that reads them, if any, and whether it reads every page."""

    engine: Recogniser | None = None
    always: bool = False


class RecognisedPage(NamedTuple):
    """The words of a page in one of four orientations, and how sure the engine is of them."""

    rotation: int
    words: list[RecognisedWord]
    confidence: float
    image: PageBitmap
    scale: float


def recognised_markdown(page: PdfPage, number: int, engine: Recogniser, printed: bool) -> str:
    """Returns a page as Markdown that was read from its image; it is judged alone, without the rest of the document.

    A page that takes too long ends the process, as does one that waits: an engine cannot be interrupted.
    """
    scale = min(MAX_SIDE, max(MIN_SIDE, max(page.get_size()) * DOTS_PER_INCH / 72)) / max(1.0, max(page.get_size()))
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    usual = signal.signal(WORKING, signal.SIG_IGN)
    try:
        best, script = _best_recognition(page, engine, scale)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(WORKING, usual)
    told = f"<!-- page {number}: read from an image ({_recognition_summary(engine, best, script)} -->"
    if not best.words:
        return told
    frame = frame_of(page.get_bbox(), (page.get_rotation() + best.rotation) % 360)
    return f"{told}\n\n{_write_markdown(PixelsToPoints(best.words, best.scale, frame), best, number, frame, printed)}"


def _best_recognition(page: PdfPage, engine: Recogniser, scale: float) -> tuple[RecognisedPage, str]:
    """Returns the best reading of a page, and a script that there is no data for."""
    until, script = process_time() + ENOUGH_S, ""
    best = _recognise(page, engine, scale, 0)
    if len({*best.image.content}) == 1:
        return best, ""
    if _is_sideways(best):
        best = max((_recognise(page, engine, scale, turn) for turn in (90, 270)), key=_count_reliable_letters)
    elif (closer := scale_for_tiny_type(max(page.get_size()), best)) > scale:
        best = max(best, _recognise(page, engine, closer, 0), key=_count_reliable_letters)
    elif best.confidence < UNSURE:
        best, script = _recognise_turned(page, engine, best, until)
    if best.scale == scale and (best.confidence < UNSURE or _has_tiny_type(best)) and process_time() < until:
        best = max(best, _recognise(page, engine, CLOSER * scale, best.rotation), key=_count_reliable_letters)
    return best, script if best.confidence < UNSURE else ""


def _recognise_turned(
    page: PdfPage, engine: Recogniser, best: RecognisedPage, until: float
) -> tuple[RecognisedPage, str]:
    """Reads a page that may lie on its side or head; returns also the script where there is no data for it."""
    seen = engine.orientation(best.image, round(72 * best.scale))
    for turn in TURNS if seen is None else (seen.turn,):
        if turn and best.confidence < UNSURE and process_time() < until:
            best = max(best, _recognise(page, engine, best.scale, turn), key=_count_reliable_letters)
    return best, seen.script if seen else ""


def _is_sideways(recognised: RecognisedPage) -> bool:
    """Whether most words run down or up the page: they are read, but in no order."""
    longer = [word.box for word in recognised.words if len(word.text) >= CHANCE]
    return 2 * sum(bottom - top > right - left for left, top, right, bottom in longer) > len(longer)


def _has_tiny_type(recognised: RecognisedPage) -> bool:
    """Whether the type is too small to be read."""
    return bool(recognised.words) and median(word.size for word in recognised.words) < SMALL


def scale_for_tiny_type(side: float, recognised: RecognisedPage) -> float:
    """Returns the scale at which tiny type can be read, on a page whose longest side has so many points.

    0 where the type is not tiny, or so little is read that the page may lie on its side or head.
    """
    heights = [word.box[3] - word.box[1] for word in _reliable_words(recognised)]
    if _count_reliable_letters(recognised) < len(recognised.words) or not heights or median(heights) >= TINY:
        return 0.0
    closer = min(MAX_CLOSER, READABLE / max(1, median(heights)))
    return min(closer * recognised.scale, MAX_CLOSER_SIDE / side)


def _reliable_words(recognised: RecognisedPage) -> list[RecognisedWord]:
    """Returns the words that are no chance: a page on its side is read as short ones."""
    return [word for word in recognised.words if word.confidence >= UNSURE and len(word.text) >= CHANCE]


def _count_reliable_letters(recognised: RecognisedPage) -> int:
    """Returns the number of letters in words that are no chance."""
    return sum(len(word.text) for word in _reliable_words(recognised))


def _recognition_summary(engine: Recogniser, recognised: RecognisedPage, script: str) -> str:
    """Returns what the comment on a recognised page says of it."""
    without = [*engine.missing, *([f"{script} script"] if script else [])]
    missing = f"; no data for {', '.join(without)}" if without else ""
    unsure = 'not read well: see view="image"' if recognised.confidence < UNSURE else "may contain errors"
    return f"{engine.languages}, confidence {recognised.confidence:.0f}{missing}), {unsure}"


def _recognise(page: PdfPage, engine: Recogniser, scale: float, turn: int) -> RecognisedPage:
    """Recognises a page, turned clockwise by so many degrees."""
    side = max(1, round(max(page.get_size()) * scale))
    drawn = draw_page(page, Wanted(side=side), colours=GREY, turn=turn // 90)
    words = engine.recognise(cleaned(drawn), round(72 * scale))
    letters = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0
    return RecognisedPage(turn, words, confidence, drawn, scale)


def _write_markdown(
    layout: PixelsToPoints, recognised: RecognisedPage, number: int, frame: Frame, printed: bool
) -> str:
    """Returns recognised words as Markdown, by the rules for printed pages."""
    words = [layout.word(each, index) for index, each in enumerate(recognised.words)]
    lines, notices = lines_of(words), Notices()
    if not recognised.image.finished:
        notices.add(NOT_DRAWN)
    strokes = find_strokes(recognised.image)
    if strokes is None:
        notices.add(TOO_MUCH_DRAWN)
    profile = learn_profile([PageLines(number, frame.width, frame.height, lines)], {})._replace(running={})
    tables = find_tables(words, layout.rulings(strokes or NO_STROKES), notices)
    tables = without_tables_in_text(tables, lines)
    markdown = page_markdown(lines, tables, profile, PageHints((), {}, {}), printed)
    return "\n\n".join(filter(None, [notices.markdown, markdown]))
