"""Recognises documents and images by content; by name only where a container is damaged."""

from __future__ import annotations

from ..errors import InvalidRequest
from ..import_guard import ImportPath
from ..source import Source, exact_size

EXTENSIONS = frozenset(["pdf", "docx", "pptx", "xlsx", "xls", "ods", "odt", "odp", "epub", "doc", "ppt", "msg"])
SQLITE, ARROW, PARQUET = TABLE_STARTS = (b"SQLite format 3\0", b"ARROW1\0\0", b"PAR1")
ZIP, PDF, OLE = b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0"
STARTS = (*TABLE_STARTS, ZIP, PDF, OLE)
RENDERED = {
    "htm": "html",
    "html": "html",
    "ipynb": "ipynb",
    "eml": "eml",
    "csv": "csv",
    "tsv": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "rtf": "rtf",
}
"""Extensions of texts that can be shown as Markdown, and their formats."""
ARCHIVES = frozenset(["zip", "jar", "war", "whl", "apk", "cbz", "xpi", "kmz", "nupkg"])
TAIL = 66_000
"""A ZIP's directory record is at most 65,557 bytes from the end."""
DIRECTORY_SAMPLE = 1 << 20
OLD_OFFICE = (("WordDocument", "doc"), ("PowerPoint Document", "ppt"), ("Workbook", "xls"), ("Book", "xls"))
"""Streams of Office files of the old kind, and their formats."""
MESSAGE = "__substg1.0_"
LOCKED = "locked Office document"
UNREAD_OFFICE = (("EncryptedPackage", LOCKED), ("VisioDocument", "Visio drawing"))
"""Streams of such files that are not read, and what has them."""
RTF = b"{\\rtf"
NOTEBOOK_END = 1 << 16
"""Bytes at either end of a notebook, one of which says its version."""

IMAGE_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)
IMAGE_EXTENSIONS = {"png": "png", "jpg": "jpeg", "jpeg": "jpeg", "gif": "gif", "webp": "webp"}
IMAGES = frozenset(IMAGE_EXTENSIONS.values())
"""The formats of images that are shown."""
MEMBERS = ((b"word/document", "docx"), (b"ppt/presentation", "pptx"), (b"xl/workbook", "xlsx"))
MIMETYPES = (
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.presentation", "odp"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"application/epub+zip", "epub"),
)


def detect_format(source: Source) -> str | None:
    """Returns the format of a document (`pdf`, `docx`, …), None for anything else."""
    head = source.read_at(0, 128)
    if not head.startswith(STARTS):
        return None
    if head.startswith(TABLE_STARTS):
        return _table_format(source, head)
    exact_size(source)
    if head.startswith(PDF):
        format_name = "pdf" if b"startxref" in source.read_at(max(0, source.size - 2048), 2048) else None
    elif head.startswith(ZIP):
        format_name = _zip_format(source, head)
    else:
        format_name = _ole_format(source)
    return format_name or _format_by_extension(source.name)


def is_zip_archive(source: Source) -> bool:
    """Says whether a ZIP is an archive and no document; a damaged one is where its name says so."""
    if detect_format(source):
        return False
    return _zip_directory_bytes(source) is not None or _extension(source.name) in ARCHIVES


def _table_format(source: Source, head: bytes) -> str | None:
    """Tells tables apart; what begins like Parquet may be a text, unless it ends so, too."""
    if not head.startswith(PARQUET):
        return "sqlite" if head.startswith(SQLITE) else "arrow"
    ends_so = source.read_at(exact_size(source) - len(PARQUET), len(PARQUET)) == PARQUET
    return "parquet" if ends_so or _extension(source.name) == "parquet" else None


def image_format(source: Source) -> str | None:
    """Returns `png`, `jpeg`, `gif` or `webp` by the first bytes; by name only for a file that has none."""
    head = source.read_at(0, 12)
    if not head:
        return IMAGE_EXTENSIONS.get(_extension(source.name))
    if head.startswith(b"RIFF"):
        return "webp" if head.endswith(b"WEBP") else None
    return next((format_name for start, format_name in IMAGE_STARTS if head.startswith(start)), None)


def markdown_view_format(source: Source, import_path: ImportPath) -> str | None:
    """Returns the format of a text that can be shown as Markdown; None for Markdown itself; raises InvalidRequest."""
    extension = _extension(source.name)
    if extension in ("md", "markdown"):
        return None
    is_rtf = source.read_at(0, len(RTF)) == RTF  # many a .doc is one
    format_name = "rtf" if is_rtf else RENDERED.get(extension) or plugin_format(source, import_path)
    if format_name:
        return format_name
    raise InvalidRequest("view", "markdown", "left out: this file has no Markdown view")


def notebook_format(source: Source) -> str | None:
    """Returns `ipynb` for a file of that extension whose JSON has a format version; None for others."""
    if _extension(source.name) != "ipynb" or not source.read_at(0, 64).lstrip().startswith(b"{"):
        return None
    ends = source.read_at(0, NOTEBOOK_END), source.read_at(max(0, exact_size(source) - NOTEBOOK_END), NOTEBOOK_END)
    return "ipynb" if any(b'"nbformat"' in end for end in ends) else None


def plugin_format(source: Source, import_path: ImportPath) -> str | None:
    """Returns the format of a file that a plug-in in one of these directories converts; None for others."""
    from .converters import plugin_converters

    extension = _extension(source.name)
    return extension if extension in plugin_converters(import_path) else None


def _format_by_extension(name: str) -> str | None:
    """Returns the format of a name's extension."""
    extension = _extension(name)
    return extension if extension in EXTENSIONS else None


def _extension(name: str) -> str:
    """Returns the extension of a name, in lower case and without the dot."""
    stem, _, extension = name.rpartition(".")
    return extension.lower() if stem.strip(".") else ""  # the first dots of `.bashrc` begin no extension


def _zip_format(source: Source, head: bytes) -> str | None:
    """Returns the format of a ZIP by its members; None for any other archive."""
    names = _zip_directory_bytes(source)
    if names is None:
        return None
    if head[30:38] == b"mimetype":
        return next((format_name for mime, format_name in MIMETYPES if head[38:].startswith(mime)), None)
    return next((format_name for name, format_name in MEMBERS if name in names), None)


def _zip_directory_bytes(source: Source) -> bytes | None:
    """Returns the bytes of the ZIP's central directory, which contain the names; None where it is damaged."""
    tail = source.read_at(max(0, source.size - TAIL), TAIL)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return None
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    offset = int.from_bytes(tail[at + 16 : at + 20], "little")
    names = source.read_at(offset, min(length, DIRECTORY_SAMPLE))
    return names if names.startswith(b"PK\x01\x02") else None


def _ole_format(source: Source) -> str | None:
    """Recognises a file by the names in the container; a message is full of those of properties."""
    names = _ole_directory_bytes(source)
    office_format = next(
        (format_name for stream, format_name in OLD_OFFICE if stream.encode("utf-16-le") in names), None
    )
    return office_format or ("msg" if MESSAGE.encode("utf-16-le") in names else None)


def unsupported_ole_kind(source: Source) -> str:
    """Names what an OLE container that is no known document is, by its streams or extension; empty for other files."""
    if not source.read_at(0, 4).startswith(OLE):
        return ""
    names = _ole_directory_bytes(source)
    by_name = "Visio drawing" if _extension(source.name) == "vsd" else "OLE container"
    return next((kind for stream, kind in UNREAD_OFFICE if stream.encode("utf-16-le") in names), by_name)


def _ole_directory_bytes(source: Source) -> bytes:
    """Returns the first bytes of an OLE container's directory, which contain names; nothing where it is damaged."""
    header = source.read_at(0, 512)
    if len(header) < 512 or header[30] not in (9, 12):
        return b""
    sector = 1 << header[30]
    start = (int.from_bytes(header[48:52], "little") + 1) * sector
    return source.read_at(start, 4096)
