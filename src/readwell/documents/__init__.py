"""Files that are read by converting them: which ones, by what, and what is kept of them."""

from __future__ import annotations

from ..light_typing import TYPE_CHECKING
from .documents import Activity, DocumentReader, Documents, Ocr, PdfLines
from .format_detection import (
    detect_format,
    image_format,
    is_zip_archive,
    markdown_view_format,
    notebook_format,
    plugin_format,
    unsupported_ole_kind,
)

if TYPE_CHECKING:
    from .paged_text import PagedText
    from .requested_page_images import DrawnPages

__all__ = [
    "Activity",
    "DocumentReader",
    "Documents",
    "DrawnPages",
    "Ocr",
    "PagedText",
    "PdfLines",
    "detect_format",
    "image_format",
    "is_zip_archive",
    "markdown_view_format",
    "notebook_format",
    "plugin_format",
    "unsupported_ole_kind",
]
