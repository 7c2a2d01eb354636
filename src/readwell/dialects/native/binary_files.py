"""What is said of a file that is not read as text: what it is, and the next step."""

from __future__ import annotations

from ...errors import BinaryFile
from ...path_names import readable_size

LOOK_AT_IT = 'Look at it with view="image", if your client shows images.'
NEXT_STEPS = {
    "archive": "Unpack it with another program, and read what comes out.",
    "audio": "Have it transcribed, and read the text.",
    "database": "Export its tables as CSV, and read those.",
    "dataset": "Export it as CSV, and read that.",
    "document": "Save it as PDF, and read that.",
    "drawing": "Save it as PDF, and read that.",
    "font": "It shapes letters and holds none: read another file.",
    "icon": "Save it as PNG, and look at that.",
    "image": "Save it as PNG, and look at that.",
    "media": "Have it transcribed, and read the text.",
    "module": "Read the source that it was made from.",
    "program": "Read the source that it was made from.",
    "table": "Export it as CSV, and read that.",
    "video": "Have it transcribed, and read the text.",
}
"""What to do with a file that is not read, by what it is."""
SAVED_AS = {
    "locked Office document": "Name it by its kind (.docx, .xlsx, .pptx), and give the password.",
    "OLE container": "Save it in a newer format (.docx, .xlsx, .pptx, .pdf), and read that.",
    "PDF document": "It is damaged: read another file.",
    "ZIP archive": "It is damaged, or cannot be opened here: unpack it, and read what comes out.",
    **dict.fromkeys(("GIF image", "JPEG image", "PNG image", "WebP image"), LOOK_AT_IT),
}
SPOKEN_WITH_A_VOWEL = (*"aeioAEIOX", "HDF5", "LZ4", "MP3", "MSG", "RPM", "xz")
"""How kinds of files begin that follow "an"."""
TEXT_ALL_THE_SAME = "If it is text all the same, name its encoding: encoding=utf-8, utf-16-le, …"


def next_step_for_binary(error: BinaryFile) -> str:
    """Returns the hint for a binary file, by what it looks like."""
    if error.looks_like:
        kind = error.looks_like.rpartition(" ")[2]
        return SAVED_AS.get(error.looks_like) or NEXT_STEPS.get(kind, "Read another file.")
    return TEXT_ALL_THE_SAME


def describe_binary_file(error: BinaryFile, path: str) -> str:
    """Says what a binary file is, and its size."""
    what = error.looks_like or "binary file"
    article = "an" if what.startswith(SPOKEN_WITH_A_VOWEL) else "a"
    return f"'{path}' is {article} {what}, {readable_size(error.size)}."
