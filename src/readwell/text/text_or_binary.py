"""Decides by a dialect's rules whether a file is text, in which encoding, or binary; names the kind of a binary one."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from ..errors import BinaryFile
from ..model import Rules
from ..source import Source, as_unreadable
from .decode import UTF8, Encoding, encoding_by_bom, encoding_by_name
from .encoding_detection import detect_encoding, is_plain_ascii, no_pieces, too_many_controls

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"BM", "BMP image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
    (b"\0\0\1\0", "icon"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "empty ZIP archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"\xcf\xfa\xed\xfe", "Mach-O program"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O program"),
    (b"\0asm", "WebAssembly module"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"\xd0\xcf\x11\xe0", "OLE container"),
    (b"PAR1", "Parquet table"),
    (b"ARROW1", "Arrow table"),
    (b"Obj\x01", "Avro table"),
    (b"\x89HDF\r\n\x1a\n", "HDF5 dataset"),
    (b"\x93NUMPY", "NumPy dataset"),
    (b"\0\1\0\0Standard", "Access database"),
    (b"\x04\x22\x4d\x18", "LZ4 archive"),
    (b"\x1f\x9d", "compress archive"),
    (b"!<arch>\n", "ar or Debian archive"),
    (b"\xed\xab\xee\xdb", "RPM archive"),
    (b"8BPS", "Photoshop image"),
    (b"AT&TFORM", "DjVu document"),
    (b"ID3", "MP3 audio"),
    (b"fLaC", "FLAC audio"),
    (b"OggS", "Ogg media"),
    (b"wOFF", "WOFF font"),
    (b"wOF2", "WOFF2 font"),
    (b"\0\1\0\0", "TrueType font"),
    (b"OTTO", "OpenType font"),
)
MAX_ZEROS = 64 << 20
"""Zeros that are read to find what is behind them; holes are passed over."""


def refuse_by_name(source: Source, rules: Rules) -> None:
    """Raises BinaryFile for a name whose extension a dialect refuses whatever the file holds."""
    if rules.refused_extensions and _extension(source.name) in rules.refused_extensions:
        raise BinaryFile(kind_by_first_bytes(source.read_at(0, 16)), source.size)


def encoding_of(source: Source, rules: Rules, asked: str | None) -> Encoding:
    """Returns how the file is to be decoded; raises BinaryFile where it is no text."""
    sample = source.read_at(0, rules.sample_bytes)
    if asked is None and rules.decoding == "detect" and is_plain_ascii(sample):
        return UTF8
    try:
        encoding = _encoding_unless_binary(source, sample, rules, asked)
        if encoding:
            codecs.lookup(encoding.codec)
    except OSError as error:  # Python reads most codecs from files of its own
        raise as_unreadable(error) from error
    if encoding is None:
        raise BinaryFile(kind_by_first_bytes(sample), source.size)
    return encoding


def _encoding_unless_binary(source: Source, sample: bytes, rules: Rules, asked: str | None) -> Encoding | None:
    """Returns the encoding of a file; None where it is binary."""
    if asked is not None:
        return encoding_by_name(asked, sample)
    if rules.decoding != "detect":
        return _utf8_unless_binary(sample, source.size, rules)
    whole = len(sample) == source.size
    if b"\0" in sample:
        if kind_by_first_bytes(sample):
            return None
        sample = _sample_behind_zeros(source, sample)
    return detect_encoding(sample, whole, no_pieces if whole else lambda: _pieces_behind(source, len(sample)))


def _sample_behind_zeros(source: Source, sample: bytes) -> bytes:
    """Returns the first bytes behind zeros, and a few of these: a log that was cut off under its writer begins so."""
    if not sample.startswith(b"\0"):
        return sample
    at, behind = 0, sample
    while behind and not behind.strip(b"\0") and at < MAX_ZEROS:
        at = max(at + len(behind), source.next_data_offset(at + len(behind)) if source.is_sparse else 0)
        behind = source.read_at(at, len(sample))
    return sample if behind is sample or not behind.strip(b"\0") else b"\0" + behind.lstrip(b"\0")


def _pieces_behind(source: Source, length: int) -> Iterator[bytes]:
    """Yields pieces of a file at twice the distance each time, and its last."""
    at = length
    while at < source.size - length:
        yield source.read_at(at, length)
        at *= 2
    yield source.read_at(max(length, source.size - length), length)


def kind_by_first_bytes(sample: bytes) -> str:
    """Names a kind of file by its first bytes; empty where they tell nothing."""
    if sample[:4] == b"RIFF":
        return {b"WEBP": "WebP image", b"WAVE": "WAV audio", b"AVI ": "AVI video"}.get(sample[8:12], "RIFF media")
    if sample[4:8] == b"ftyp":
        return "MP4 or similar media"
    return next((name for start, name in SIGNATURES if sample.startswith(start)), "")


def _utf8_unless_binary(sample: bytes, size: int, rules: Rules) -> Encoding | None:
    """Returns UTF-8, or None where a dialect's rules call the sample binary."""
    mark = encoding_by_bom(sample)
    if mark and mark.unit > 1 and rules.refuse_boms:
        raise BinaryFile(f"{mark.codec} text", size)
    if b"\0" in sample:
        return None
    if rules.control_percent is not None and too_many_controls(sample, rules.control_percent):
        return None
    return mark if mark and mark.unit == 1 else Encoding("utf-8")


def _extension(name: str) -> str:
    """Returns the extension of a name, in lower case and without the dot."""
    return name.rpartition(".")[2].lower() if "." in name else ""
