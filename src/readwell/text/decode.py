"""Which encoding the bytes are in, and the bytes as text: the ladder that every read climbs.

BOM, strict UTF-8, UTF-16 by its NULs, damaged UTF-8, a statistical guess, UTF-8 with replacements.
It is decided from the first bytes alone, so no window depends on another.
"""

import codecs
from typing import Literal, NamedTuple

from ..errors import InvalidRequest

Guess = Literal["sure", "guessed", "damaged", "forced"]

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

CONTAINERS = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0")
"""First bytes of document containers: a damaged one may hold no NUL and is still no text."""

CODECS = frozenset(
    (
        "utf-8 utf-16-le utf-16-be utf-32-le utf-32-be ascii iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5"
        " iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15"
        " iso8859-16 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865"
        " cp866 cp869 cp874 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 koi8-r koi8-t"
        " koi8-u kz1048 ptcp154 tis-620 mac-cyrillic mac-greek mac-iceland mac-latin2 mac-roman mac-turkish"
        " shift_jis shift_jis_2004 shift_jisx0213 cp932 euc_jp euc_jis_2004 euc_jisx0213 gb2312 gbk gb18030 big5"
        " big5hkscs cp950 euc_kr cp949 johab"
    ).split()
)
"""Codecs in which a byte 0A or 0D (or a unit of that value) is a terminator and nothing else."""


MOSTLY = 90
"""Percent of high bytes that are NUL in what is taken for UTF-16 without a mark."""


class Encoding(NamedTuple):
    """How bytes become characters: the codec, the bytes of its mark, how it was found."""

    codec: str
    bom: int = 0
    guess: Guess = "sure"

    @property
    def unit(self) -> int:
        """Bytes in the smallest unit of the codec."""
        return {"utf-16": 2, "utf-32": 4}.get(self.codec[:6], 1)

    @property
    def big(self) -> bool:
        """Whether the high byte of a unit comes first."""
        return self.codec.endswith("be")


def bom_of(sample: bytes) -> Encoding | None:
    """Returns the encoding that a byte order mark names."""
    for mark, codec in BOMS:
        if sample.startswith(mark):
            return Encoding(codec, len(mark))
    return None


def named_encoding(name: str, sample: bytes) -> Encoding:
    """Returns the encoding a caller asked for; its own byte order mark is not shown."""
    found = bom_of(sample)
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if codec in ("utf-16", "utf-32"):
        codec = found.codec if found and found.codec.startswith(codec) else f"{codec}-le"
    if codec == "utf-8-sig":
        codec = "utf-8"
    if codec not in CODECS:
        raise InvalidRequest("encoding", name, "a text encoding such as utf-8, utf-16-le, cp1252, shift_jis, gb18030")
    return Encoding(codec, found.bom if found and found.codec == codec else 0, "forced")


def text_encoding(sample: bytes, whole: bool) -> Encoding | None:
    """Climbs the ladder on the first bytes of a file; None: binary."""
    found = bom_of(sample)
    if found:
        return found
    if sample.startswith(CONTAINERS):
        return None
    if b"\0" in sample:
        return _wide_without_mark(sample)
    return _narrow(sample, whole)


def _narrow(sample: bytes, whole: bool) -> Encoding | None:
    decoder = codecs.getincrementaldecoder("utf-8")
    try:
        decoder("strict").decode(sample, whole)
    except UnicodeDecodeError:
        pass
    else:
        return Encoding("utf-8")
    kept = decoder("ignore").decode(sample, whole)
    replaced = decoder("replace").decode(sample, whole)
    beyond_ascii = len(kept) - len(kept.encode("ascii", "ignore"))
    if beyond_ascii >= len(replaced) - len(kept):
        return Encoding("utf-8", guess="damaged")
    guessed = _statistical_guess(sample)
    if guessed:
        return Encoding(guessed, guess="guessed")
    if too_many_controls(sample, 30):
        return None
    return Encoding("utf-8", guess="damaged")


def too_many_controls(sample: bytes, percent: int) -> bool:
    """Whether more than so many percent of the bytes are control bytes (below 9, or 14 to 31)."""
    controls = len(sample) - len(sample.translate(None, bytes([*range(9), *range(14, 32)])))
    return controls * 100 > percent * len(sample)


def _wide_without_mark(sample: bytes) -> Encoding | None:
    """Tells UTF-16 without a mark by NULs that stand in every other byte and nowhere else."""
    even, odd = sample[0::2], sample[1::2]
    for codec, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if b"\0" in low or high.count(0) * 100 < MOSTLY * len(high):
            continue
        text = codecs.getincrementaldecoder(codec)("replace").decode(sample)
        if "\ufffd" not in text and not too_many_controls(text.encode(errors="replace"), 5):
            return Encoding(codec)
    return None


def _statistical_guess(sample: bytes) -> str | None:
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    # A character cut by the end of the sample would speak against the right codec.
    best = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample).best()
    codec = codecs.lookup(best.encoding).name if best else ""
    return codec if codec in CODECS and not codec.startswith("utf-") else None


def decode(raw: bytes, codec: str) -> tuple[str, bool]:
    """Returns the text, and whether bytes that are no characters had to be replaced."""
    try:
        return raw.decode(codec), False
    except UnicodeDecodeError:
        return raw.decode(codec, "replace"), True


def genuine_marks(raw: bytes, codec: str) -> int:
    """Returns how many U+FFFD the bytes themselves hold."""
    try:
        return raw.count("\ufffd".encode(codec))
    except UnicodeEncodeError:
        return 0
