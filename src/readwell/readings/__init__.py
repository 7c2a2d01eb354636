"""What a thing can be read as: a table of readings, asked in order; a new view is a new row."""

from collections.abc import Sequence

from .directory import read_directory
from .document import read_document, read_plugin_document
from .image import read_image
from .plain import read_plain, refuse
from .reading import Case, Found, Means, Reading, found_lines
from .unchanged import read_unchanged
from .views import read_block, read_outline

READINGS: Sequence[Reading] = (
    read_unchanged,
    read_outline,
    read_block,
    read_directory,
    read_document,
    read_plain,
    read_plugin_document,
    read_image,
    refuse,
)
"""The last of them answers for all that no other reads."""

__all__ = ["READINGS", "Case", "Found", "Means", "Reading", "found_lines"]
