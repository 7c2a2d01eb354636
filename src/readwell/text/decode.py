"""Which encoding the bytes are in, and the bytes as text: the ladder that every read climbs.

BOM, strict UTF-8, UTF-16 by its NULs, damaged UTF-8, a statistical guess, UTF-8 with replacements.
It is decided from the first bytes alone, so no window depends on another.
"""

import codecs
import re
from functools import cache
from typing import Literal, NamedTuple

from ..errors import InvalidRequest
from .split import END, with_line_feeds

Guess = Literal["sure", "guessed", "damaged", "forced"]

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

MARKS = tuple(mark for mark, _ in BOMS)
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
"""Codecs in which a byte 0A or 0D (or a unit of that value) is always a terminator; damage is kept to its line."""


UNITS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
"""Bytes in the smallest unit of the codecs where that is not one."""
LINE_BY_LINE = frozenset(
    (
        "shift_jis shift_jis_2004 shift_jisx0213 cp932 euc_jp euc_jis_2004 euc_jisx0213 gb2312 gbk gb18030 big5"
        " big5hkscs cp950 euc_kr cp949 johab"
    ).split()
)
"""Codecs whose damaged characters can swallow the terminator behind them."""

JUDGED_AT_ONCE = 1 << 16
"""Decoding is fastest in pieces that stay in the processor's cache."""
USUAL = "cp1252"
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
        return UNITS.get(self.codec, 1)

    @property
    def big(self) -> bool:
        """Whether the high byte of a unit comes first."""
        return self.codec.endswith("be")


UTF8 = Encoding("utf-8")


def bom_of(sample: bytes) -> Encoding | None:
    """Returns the encoding that a byte order mark names."""
    if not sample.startswith(MARKS):
        return None
    for mark, codec in BOMS:
        if sample.startswith(mark):
            return Encoding(codec, len(mark))
    return None


def named_encoding(name: str, sample: bytes) -> Encoding:
    """Returns the encoding a caller asked for; its own byte order mark is not shown."""
    found = bom_of(sample)
    codec = _codec_called(name)
    if codec in ("utf-16", "utf-32"):
        codec = found.codec if found and found.codec.startswith(codec) else f"{codec}-le"
    if codec == "utf-8-sig":
        codec = "utf-8"
    if codec not in CODECS:
        raise InvalidRequest("encoding", name, "a text encoding such as utf-8, utf-16-le, cp1252, shift_jis, gb18030")
    return Encoding(codec, found.bom if found and found.codec == codec else 0, "forced")


def _codec_called(name: str) -> str:
    """Returns the codec's own name; Python would remember every name it does not know for ever."""
    from encodings.aliases import aliases

    plain = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
    module = aliases.get(plain, plain)
    names = {codec.replace("-", "_") for codec in CODECS} | {"utf_8_sig", "utf_16", "utf_32", "latin_1"}
    return codecs.lookup(module).name if module in names else ""


def text_encoding(sample: bytes, whole: bool) -> Encoding | None:
    """Climbs the ladder on the first bytes of a file; None: binary."""
    found = bom_of(sample)
    if found:
        return found
    if sample.startswith(CONTAINERS):
        return None
    if b"\0" in sample:
        return _wide_without_mark(sample, whole)
    return _narrow(sample, whole)


def _narrow(sample: bytes, whole: bool) -> Encoding | None:
    if sample.isascii():
        return UTF8
    decoder = codecs.getincrementaldecoder("utf-8")
    try:
        decoder("strict").decode(sample, whole)
    except UnicodeDecodeError:
        pass
    else:
        return UTF8
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


def _wide_without_mark(sample: bytes, whole: bool) -> Encoding | None:
    """Tells UTF-16 without a mark by NULs that stand in every other byte and nowhere else."""
    if len(sample) < 2 or (whole and len(sample) % 2):
        return None
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
    results = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample)
    best = results.best()
    if best is None:
        return None
    # Western European text often fits several codecs alike; then it is the usual one.
    usual = next((found for found in results if found.encoding == USUAL), None)
    if USUAL in best.could_be_from_charset or (
        usual and (usual.chaos, -usual.coherence) <= (best.chaos, -best.coherence)
    ):
        return USUAL
    codec = codecs.lookup(best.encoding).name
    return codec if codec in CODECS and not codec.startswith("utf-") else None


MARK = "\U0010fffe"
"""Stands for bytes that are no characters until they have been counted: no text may hold this one."""


@cache
def marking() -> str:
    """Returns the name of an error handler that marks what cannot be decoded."""
    codecs.register_error("readwell.mark", lambda error: (MARK, getattr(error, "end", 0)))
    return "readwell.mark"


def decoded_text(raw: bytes, codec: str) -> str:
    """Returns whole lines as text with line feeds; bytes that are no characters stand marked in it."""
    if codec in LINE_BY_LINE:
        return "\n".join([_decoded(piece, codec) for piece in re.split(END, raw)])
    return with_line_feeds(_decoded(raw, codec))


def _decoded(raw: bytes, codec: str) -> str:
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return raw.decode(codec, marking())


def unmarked(line: str) -> tuple[str, list[int]]:
    """Returns a line as it is shown, and where in it replacements stand."""
    return line.replace(MARK, "\ufffd"), [place for place, character in enumerate(line) if character == MARK]


class Utf8Judge:
    """Judges whether bytes are UTF-8, piece by piece and without copying them."""

    def __init__(self) -> None:
        self.broken = False
        self.rest = b""
        """The beginning of a character that the next piece must complete."""

    @property
    def valid(self) -> bool:
        """Whether all bytes so far are UTF-8."""
        return not self.broken and not self.rest

    def feed(self, piece: memoryview) -> None:
        """Judges the next piece."""
        if self.broken:
            return
        try:
            start = self._complete(piece)
            while start < len(piece):
                chunk = piece[start : start + JUDGED_AT_ONCE]
                used = codecs.utf_8_decode(chunk, "strict", False)[1]
                if start + len(chunk) == len(piece):
                    self.rest = bytes(chunk[used:])
                    break
                start += used
        except UnicodeDecodeError:
            self.broken = True

    def _complete(self, piece: memoryview) -> int:
        """Completes a character that was cut; returns how many bytes of the piece that took."""
        taken = 0
        while self.rest and taken < len(piece):
            self.rest += bytes(piece[taken : taken + 1])
            taken += 1
            self.rest = self.rest[codecs.utf_8_decode(self.rest, "strict", False)[1] :]
        return taken
