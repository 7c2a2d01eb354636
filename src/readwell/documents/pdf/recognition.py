"""A page that is an image: drawn, recognised by an engine, and written by the rooms that write printed pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...errors import ConversionFailed
from ...named_tuple import NamedTuple
from ..contract import NEEDS_RECOGNITION
from ..picture_size import Wanted
from .drawing import GREY, Drawn, draw
from .frame import frame_of
from .lines import lines_of
from .model import Font, Frame, Rulings, Word
from .notices import Notices
from .page import PageHints, page_markdown, without_tables_in_text
from .profile import learn
from .running_lines import PageLines
from .tables import find_tables

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

DOTS_PER_INCH = 200
MIN_SIDE, MAX_SIDE = 800, 3400
UNSURE = 60
"""The confidence below which a page was not read well."""
TURNS = (180, 90, 270)
LONGEST_WORD = 200
NO_RULINGS = Rulings([], [], [])


class RecognisedWord(NamedTuple):
    """A word in an image, in pixels from its upper left corner; `confidence` is up to 100."""

    text: str
    box: tuple[int, int, int, int]
    baseline: float
    size: float
    """The height of its line."""
    confidence: float
    line: int


class Recogniser(Protocol):
    """An engine with its language data loaded."""

    languages: str
    missing: tuple[str, ...]

    def recognise(self, image: Drawn, dots_per_inch: int) -> list[RecognisedWord]:
        """Returns the words of an image in reading order."""
        ...


class Refusing:
    """Stands for an engine that is not loaded: the first page that needs one ends the conversion."""

    languages = ""
    missing = ()

    def recognise(self, image: Drawn, dots_per_inch: int) -> list[RecognisedWord]:  # noqa: ARG002
        """Raises that an engine is needed."""
        raise ConversionFailed("pdf", NEEDS_RECOGNITION)


class Scans(NamedTuple):
    """What to do about pages that are images: the engine that reads them, if any, and whether it reads every page."""

    engine: Recogniser | None = None
    always: bool = False


class Reading(NamedTuple):
    """The words of a page in one of four orientations, and how sure the engine is of them."""

    rotation: int
    words: list[RecognisedWord]
    confidence: float


def recognised_markdown(page: PdfPage, number: int, engine: Recogniser, printed: bool) -> str:
    """Returns a page as Markdown that was read from its image; it is judged alone, without the rest of the document."""
    scale = min(MAX_SIDE, max(MIN_SIDE, max(page.get_size()) * DOTS_PER_INCH / 72)) / max(1.0, max(page.get_size()))
    best = _read(page, engine, scale, 0)
    for turn in TURNS if best.confidence < UNSURE else ():
        best = max(best, _read(page, engine, scale, turn), key=_goodness)
        if best.confidence >= UNSURE:
            break
    told = f"<!-- page {number}: read from an image ({_how(engine, best)} -->"
    frame = frame_of(page.get_bbox(), (page.get_rotation() + best.rotation) % 360)
    words = [_word(each, index, scale, frame) for index, each in enumerate(best.words)]
    return f"{told}\n\n{_written(words, number, frame, printed)}" if words else told


def _goodness(reading: Reading) -> float:
    """Returns how good a reading is: how much it found, and how sure it is."""
    return reading.confidence * sum(len(word.text) for word in reading.words)


def _how(engine: Recogniser, reading: Reading) -> str:
    """Returns what the comment on a recognised page says of it."""
    missing = f"; no data for {', '.join(engine.missing)}" if engine.missing else ""
    unsure = 'not read well: see view="image"' if reading.confidence < UNSURE else "may contain errors"
    return f"{engine.languages}, confidence {reading.confidence:.0f}{missing}), {unsure}"


def _read(page: PdfPage, engine: Recogniser, scale: float, turn: int) -> Reading:
    """Recognises a page, turned clockwise by so many degrees."""
    side = max(1, round(max(page.get_size()) * scale))
    drawn = draw(page, Wanted(side=side), colours=GREY, turn=turn // 90)
    words = engine.recognise(drawn, round(72 * scale))
    letters = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0
    return Reading(turn, words, confidence)


def _word(found: RecognisedWord, index: int, scale: float, frame: Frame) -> Word:
    """Returns a recognised word in the coordinates of the page."""
    x0, top, x1, bottom = (each / scale for each in found.box)
    size = max(1.0, round(2 * found.size / scale) / 2)
    font = Font(size=size, bold=False, mono=False, italic=False, name="", angle=0.0)
    return Word(
        text=found.text[:LONGEST_WORD],
        x0=min(x0, frame.width),
        top=top,
        x1=min(x1, frame.width),
        bottom=bottom,
        baseline=found.baseline / scale,
        font=font,
        line=found.line,
        char_index=index,
    )


def _written(words: list[Word], number: int, frame: Frame, printed: bool) -> str:
    """Returns recognised words as Markdown, by the rules for printed pages."""
    lines, notices = lines_of(words), Notices()
    profile = learn([PageLines(number, frame.width, frame.height, lines)], {})._replace(running={})
    tables = without_tables_in_text(find_tables(words, NO_RULINGS, notices), lines)
    return page_markdown(lines, tables, profile, PageHints((), {}, {}), printed)
