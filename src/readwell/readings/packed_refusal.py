"""Refuses the view `source` of what is packed: its bytes are no text."""

from ..errors import BinaryFile
from .reading import ReadContext


def refuse_packed_source(context: ReadContext) -> None:
    """Raises BinaryFile for a compressed file."""
    source = context.source
    if source.packing and not source.is_directory:
        raise BinaryFile(f"{source.packing} file", source.identity.size, "unpacked")
