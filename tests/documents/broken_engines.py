"""Engines that read no scan well: each page of a scan asks for a failure by the grey of its upper left corner."""

import os
import threading
from functools import partial

from readwell.documents.contract import Converter
from readwell.documents.pdf import SAMPLE
from readwell.documents.pdf.pdf_document import open_pdf
from readwell.documents.pdf.scans import page_recognition
from readwell.documents.pdf.scans.page_recognition import ScanHandling
from readwell.documents.pdf.scans.pixels_to_points import RecognisedWord
from readwell.documents.worker import sleeping_children

FINE, CRASHES, HANGS, EATS_MEMORY, RAISES, WAITS = 250, 130, 100, 70, 40, 15

sleeping_children.LONGEST_SLEEP_S = 1.5  # in the fork server, which imports this module


class Broken:
    """Reads one word, or fails."""

    languages, missing = "eng", ()

    def recognise(self, image, dots_per_inch):
        asked = image.content[0]
        if abs(asked - CRASHES) < 10:
            os.abort()
        if abs(asked - WAITS) < 10:
            lock = threading.Lock()
            while lock.acquire():
                pass
        if abs(asked - HANGS) < 10:
            while True:
                pass
        if abs(asked - EATS_MEMORY) < 10:
            held = []
            while True:
                held.append(bytes(64 << 20))  # not touched: cheap in processor time, of which there is a limit, too
        if abs(asked - RAISES) < 10:
            raise RuntimeError("no such luck")
        return [RecognisedWord("read", (10, 10, 90, 40), 38, 30, 96.0, 1)]

    def orientation(self, image, dots_per_inch):
        return None


def _open(content, password, prepared):
    page_recognition.LONGEST_S = 1.0
    return open_pdf(content, password, prepared, False, ScanHandling(Broken()))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Converter("pdf", "1", partial(_open), lambda: SAMPLE)
