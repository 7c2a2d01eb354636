"""Files that are read by converting them: which ones, by what, and what is kept of them."""

from __future__ import annotations

from ..light_typing import TYPE_CHECKING
from .convert import Activity, DocumentReader, Documents, Ocr, PdfLines
from .recognise import (
    image_format,
    is_zip_archive,
    markdown_view_format,
    notebook_format,
    old_office,
    plugin_format,
    recognise,
)

if TYPE_CHECKING:
    from .page_drawing import DrawnPages
    from .paged import PagedText

__all__ = [
    "Activity",
    "DocumentReader",
    "Documents",
    "DrawnPages",
    "Ocr",
    "PagedText",
    "PdfLines",
    "image_format",
    "is_zip_archive",
    "markdown_view_format",
    "notebook_format",
    "old_office",
    "plugin_format",
    "recognise",
]
