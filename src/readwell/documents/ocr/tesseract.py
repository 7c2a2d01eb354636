"""Tesseract as an engine: an image in grey becomes words with boxes."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from itertools import groupby
from os.path import join, relpath
from statistics import median
from typing import Any

import tesserocr
from tesserocr import OEM, PSM, RIL

from ..pdf.page_bitmap import PageBitmap
from ..pdf.scans.page_recognition import Orientation
from ..pdf.scans.pixels_to_points import RecognisedWord
from . import ORIENTATION, LanguageData

MIN_CONFIDENCE, SURE_LINE = 20.0, 70.0
"""Words below the first are specks and parts of pictures, except in lines whose words are mostly above the second."""
MIN_ORIENTATION, SURE_ORIENTATION = 2.0, 5.0
"""How sure Tesseract must be, in its own measure, of how a page lies, and of its script as well."""
LATIN = "Latin"
SCRIPTS = {
    "Arabic": ("ara", "fas", "urd"),
    "Cyrillic": ("bel", "bul", "mkd", "rus", "srp", "ukr"),
    "Devanagari": ("hin", "mar", "nep", "san"),
    "Greek": ("ell", "grc"),
    "Han": ("chi_sim", "chi_sim_vert", "chi_tra", "chi_tra_vert", "jpn"),
    "Hangul": ("kor",),
    "Hebrew": ("heb", "yid"),
    "Japanese": ("jpn", "jpn_vert"),
    "Korean": ("kor", "kor_vert"),
    "Thai": ("tha",),
}
"""The languages whose data read a script; others read Latin letters."""


class Tesseract:
    """Tesseract with its language data loaded; to be made before the cage shuts."""

    def __init__(self, data: LanguageData) -> None:
        self.languages, self.missing = data.name, data.missing
        folder, *_ = data.folders.values()
        names = "+".join(relpath(join(place, name), folder) for name, place in data.folders.items())
        self._api = _start_engine(folder, names, psm=PSM.AUTO, oem=OEM.LSTM_ONLY)
        self._orientation_api = (
            _start_engine(data.orientation, ORIENTATION, psm=PSM.OSD_ONLY) if data.orientation else None
        )

    def orientation(self, image: PageBitmap, dots_per_inch: int) -> Orientation | None:
        """Returns how a page lies and in which script it is; None where that is not known or not sure."""
        if self._orientation_api is None:
            return None
        try:
            _set_image(self._orientation_api, image, dots_per_inch)
            seen = self._orientation_api.DetectOrientationScript()
        finally:
            self._orientation_api.Clear()
        if not seen or seen["orient_conf"] < MIN_ORIENTATION:
            return None
        script = seen["script_name"] if seen["orient_conf"] >= SURE_ORIENTATION else ""
        known = not script or {*SCRIPTS.get(script, ())} & {*self.languages.split("+")} or script == LATIN
        return Orientation(-seen["orient_deg"] % 360, "" if known else script)

    def recognise(self, image: PageBitmap, dots_per_inch: int) -> list[RecognisedWord]:
        """Returns the words of an image in reading order.

        No clock ends it: on a busy machine pages would be empty. The caller limits processor time.
        """
        api = self._api
        _set_image(api, image, dots_per_inch)
        try:
            return _trusted([*_words(api.GetIterator())]) if api.Recognize() else []
        finally:
            api.Clear()


def _start_engine(folder: str, languages: str, **options: Any) -> Any:
    api = tesserocr.PyTessBaseAPI(path=folder, lang=languages, **options)
    api.SetVariable("debug_file", "")  # it would be opened late, where nothing can be opened
    return api


def _set_image(api: Any, image: PageBitmap, dots_per_inch: int) -> None:
    api.SetImageBytes(image.content, *image.size, 1, image.stride)
    api.SetSourceResolution(dots_per_inch)


def _trusted(words: list[RecognisedWord]) -> list[RecognisedWord]:
    """Returns the words without those that are none."""
    usual = {
        line: median(word.confidence for word in group) for line, group in groupby(words, key=lambda word: word.line)
    }
    return [
        word
        for word in words
        if word.confidence >= MIN_CONFIDENCE or (usual[word.line] >= SURE_LINE and any(map(str.isalnum, word.text)))
    ]


def _words(iterator: Any) -> Any:
    """Yields the words of a recognised image."""
    line, size = 0, 0.0
    if iterator is None or iterator.Empty(RIL.WORD):
        return
    while True:
        if iterator.IsAtBeginningOf(RIL.TEXTLINE):
            line, size = line + 1, iterator.RowAttributes()["row_height"]
        text, confidence = iterator.GetUTF8Text(RIL.WORD).strip(), iterator.Confidence(RIL.WORD)
        if text:
            baseline = iterator.Baseline(RIL.WORD)
            box = iterator.BoundingBox(RIL.WORD)
            yield RecognisedWord(
                text=text,
                box=box,
                baseline=(baseline[0][1] + baseline[1][1]) / 2 if baseline else box[3],
                size=size,
                confidence=confidence,
                line=line,
            )
        if not iterator.Next(RIL.WORD):
            return
