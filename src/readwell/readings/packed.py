"""What is packed has no source to show: its bytes are no text."""

from ..errors import BinaryFile
from .reading import ReadContext


def refuse_packed_source(context: ReadContext) -> None:
    """Raises BinaryFile where the source of a compressed file is asked for."""
    source = context.source
    if source.packing and not source.is_directory and context.request.view == "source":
        raise BinaryFile(f"{source.packing} file", source.identity.size, "unpacked")
