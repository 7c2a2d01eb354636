"""Reads a plain text: the lines of the file itself; and refuses what no reading reads."""

from ..documents import detect_format, image_format, unsupported_ole_kind
from ..errors import BinaryFile
from ..text import open_as_text
from .image import refuse_empty_image
from .reading import ReadContent, ReadContext, unpaged_content


def read_plain(context: ReadContext) -> ReadContent | None:
    """Claims texts; leaves binary files to others and keeps why they are none."""
    source, request = context.source, context.request
    if not source.size:
        refuse_empty_image(context)
    try:
        if request.encoding and not request.view and image_format(source):
            # In an encoding that gives every byte a character an image would be a text. So it is judged as if none
            # were named, and what only begins like an image is still read.
            open_as_text(source, context.rules, None, context.resources.index_cache, context.deadline)
        text = open_as_text(source, context.rules, request.encoding, context.resources.index_cache, context.deadline)
    except BinaryFile as binary:
        context.binary = binary
        return None
    return unpaged_content("file", text, request)


def refuse_binary_file(context: ReadContext) -> None:
    """Raises why it is no text."""
    raise _refusal(context)


def _refusal(context: ReadContext) -> BinaryFile:
    """Returns the refusal, with what the file can be read as instead of its source."""
    # Kept no longer than needed: an error and the frames it has passed hold each other.
    binary, context.binary = context.binary or BinaryFile("", context.source.size), None
    source, rules = context.source, context.rules
    if rules.documents == "convert" and (named := unsupported_ole_kind(source)) and not detect_format(source):
        return BinaryFile(named, source.size)
    if context.request.view != "source":
        return binary
    if rules.documents == "convert" and (format_name := detect_format(source)):
        return BinaryFile(f"{format_name.upper()} document", source.size, "markdown")
    if rules.images and image_format(source):
        return BinaryFile(binary.looks_like, source.size, "image")
    return binary
