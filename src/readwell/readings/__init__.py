"""What a source can be read as, by view: directory, document, image, text, outline, block; the first that fits."""

from collections.abc import Mapping, Sequence

from ..model import View
from .directory import read_directory
from .document import read_document, read_plugin_document
from .image import read_image, read_image_view
from .packed_refusal import refuse_packed_source
from .plain_text import read_plain, refuse_binary_file
from .reading import ReadContent, ReadContext, Reading, Resources, unpaged_content
from .unchanged import read_unchanged
from .views import read_block, read_outline

AS_LINES = (read_directory, read_document, read_plain, read_plugin_document, read_image, refuse_binary_file)
"""The last one raises for a source that no other reads."""
READINGS: Mapping[View | None, Sequence[Reading]] = {
    None: (read_unchanged, *AS_LINES),
    "markdown": (read_unchanged, *AS_LINES),
    "source": (refuse_packed_source, read_unchanged, *AS_LINES),
    "outline": (read_unchanged, read_outline),
    "block": (read_unchanged, read_block),
    "image": (read_unchanged, read_image_view),
}

__all__ = ["READINGS", "ReadContent", "ReadContext", "Reading", "Resources", "unpaged_content"]
