"""Whether a page with some text is an image all the same, or its text layer is unreadable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..page_content.object_boxes import largest_image_share
from ..page_content.vector_paths import PageObject
from ..page_model import PageWords

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MOSTLY = 0.5
"""The share of a page that an image covers where the page is mostly an image."""
FEW_LETTERS = 300
MIN_LETTERS = 20
GARBAGE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x1f\x7f-\x9f]")
"""Characters that stand for letters whose meaning the document does not tell."""
GARBAGE_SHARE = 0.3
MOSTLY_IMAGE = 'mostly an image, whose text is not read: see view="image"'
UNREADABLE_LAYER = 'the text layer of this page is unreadable: see view="image"'


def scan_notice(page: PdfPage, words: PageWords, objects: Sequence[PageObject]) -> str:
    """Returns what to say of a page whose image should be read rather than its text; empty for most pages."""
    letters = "".join(word.text for word in words.words)
    if is_garbage(letters):
        return UNREADABLE_LAYER
    if len(letters) < FEW_LETTERS and largest_image_share(page, words.frame, objects) >= MOSTLY:
        return MOSTLY_IMAGE
    return ""


def is_garbage(letters: str) -> bool:
    """Whether a text layer is mostly characters without a meaning."""
    return len(letters) >= MIN_LETTERS and len(GARBAGE.findall(letters)) > GARBAGE_SHARE * len(letters)
