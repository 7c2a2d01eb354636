"""The readings of a source, tried in order; a new view is a new row."""

from collections.abc import Sequence

from .directory import read_directory
from .document import read_document, read_plugin_document
from .image import read_image, read_image_view
from .packed import refuse_packed_source
from .plain import read_plain, refuse
from .reading import ReadContent, ReadContext, Reading, Resources, unpaged_content
from .unchanged import read_unchanged
from .views import read_block, read_outline

READINGS: Sequence[Reading] = (
    refuse_packed_source,
    read_unchanged,
    read_outline,
    read_block,
    read_image_view,
    read_directory,
    read_document,
    read_plain,
    read_plugin_document,
    read_image,
    refuse,
)
"""The last one raises for a source that no other reads."""

__all__ = ["READINGS", "ReadContent", "ReadContext", "Reading", "Resources", "unpaged_content"]
