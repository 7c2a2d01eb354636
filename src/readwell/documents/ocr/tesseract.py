"""Tesseract as an engine: an image in grey becomes words with boxes."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

import tesserocr
from tesserocr import OEM, PSM, RIL

from ..pdf.drawing import Drawn
from ..pdf.recognition import RecognisedWord
from . import LanguageData

LONGEST_MS = 15_000
"""Milliseconds after which a page is given up."""
MIN_CONFIDENCE = 20.0
"""Words below are specks and parts of pictures."""


class Tesseract:
    """Tesseract with its language data loaded; to be made before the cage shuts."""

    def __init__(self, data: LanguageData) -> None:
        self.languages, self.missing = data.name, data.missing
        self._api: Any = tesserocr.PyTessBaseAPI(path=data.folder, lang=data.name, psm=PSM.AUTO, oem=OEM.LSTM_ONLY)
        self._api.SetVariable("debug_file", "")  # it would be opened late, where nothing can be opened

    def recognise(self, image: Drawn, dots_per_inch: int) -> list[RecognisedWord]:
        """Returns the words of an image in reading order."""
        api = self._api
        width, height = image.size
        api.SetImageBytes(image.content, width, height, 1, image.stride)
        api.SetSourceResolution(dots_per_inch)
        try:
            return [*_words(api.GetIterator())] if api.Recognize(LONGEST_MS) else []
        finally:
            api.Clear()


def _words(iterator: Any) -> Any:
    """Yields the words of a recognised image."""
    line, size = 0, 0.0
    if iterator is None or iterator.Empty(RIL.WORD):
        return
    while True:
        if iterator.IsAtBeginningOf(RIL.TEXTLINE):
            line, size = line + 1, iterator.RowAttributes()["row_height"]
        text, confidence = iterator.GetUTF8Text(RIL.WORD).strip(), iterator.Confidence(RIL.WORD)
        if text and confidence >= MIN_CONFIDENCE:
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
