"""A plain text: the lines of the file itself; and the refusal of what no reading reads."""

from ..documents import image_format, recognise
from ..errors import BinaryFile
from ..text import plain_text
from .image import refuse_empty_image
from .reading import Case, Found, found_lines


def read_plain(case: Case) -> Found | None:
    """Claims texts; leaves binary files to others and keeps why they are none."""
    source, request = case.source, case.request
    if not source.size:
        refuse_empty_image(case)
    try:
        if request.encoding and not request.view and image_format(source):
            # In an encoding that gives every byte a character an image would be a text. So it is judged as if none
            # were named, and what only begins like an image is still read.
            plain_text(source, case.rules, None, case.means.index_cache, case.watch)
        text = plain_text(source, case.rules, request.encoding, case.means.index_cache, case.watch)
    except BinaryFile as binary:
        case.binary = binary
        return None
    return found_lines("file", text, request)


def refuse(case: Case) -> None:
    """Raises why it is no text."""
    raise _refusal(case)


def _refusal(case: Case) -> BinaryFile:
    """Returns the refusal, with what the file can be read as instead of its source."""
    # Kept no longer than needed: an error and the frames it has passed hold each other.
    binary, case.binary = case.binary or BinaryFile(size=case.source.size), None
    source, rules = case.source, case.rules
    if case.request.view != "source":
        return binary
    if rules.documents == "convert" and (format_name := recognise(source)):
        return BinaryFile(f"{format_name.upper()} document", source.size, "markdown")
    if rules.images and image_format(source):
        return BinaryFile(binary.looks_like, source.size, "image")
    return binary
