"""Decodes bytes with a known encoding; byte order marks, and the codecs that a caller may ask for."""

from __future__ import annotations

import codecs
from functools import cache

from ..errors import InvalidRequest
from ..light_typing import Literal
from ..named_tuple import NamedTuple
from .line_ends import END, with_line_feeds

Guess = Literal["sure", "guessed", "damaged", "forced"]

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

MARKS = tuple(mark for mark, _ in BOMS)

CODECS = frozenset(
    (
        "utf-8 utf-16-le utf-16-be utf-32-le utf-32-be ascii iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5"
        " iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15"
        " iso8859-16 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865"
        " cp866 cp869 cp874 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 koi8-r koi8-t"
        " koi8-u kz1048 ptcp154 tis-620 mac-cyrillic mac-greek mac-iceland mac-latin2 mac-roman mac-turkish"
        " shift_jis shift_jis_2004 shift_jisx0213 cp932 euc_jp euc_jis_2004 euc_jisx0213 gb2312 gbk gb18030 big5"
        " big5hkscs cp950 euc_kr cp949 johab iso2022_jp iso2022_jp_2 hz utf-7"
    ).split()
)
"""Codecs in which a byte 0A or 0D (or a unit of that value) is always a terminator; damage is kept to its line."""


UNITS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
"""Bytes in the smallest unit of the codecs where that is not one."""
LINE_BY_LINE = frozenset(
    (
        "shift_jis shift_jis_2004 shift_jisx0213 cp932 euc_jp euc_jis_2004 euc_jisx0213 gb2312 gbk gb18030 big5"
        " big5hkscs cp950 euc_kr cp949 johab iso2022_jp iso2022_jp_2 hz utf-7"
    ).split()
)
"""Codecs whose damaged characters can swallow the terminator after them, or whose state is reset in each line."""
STATEFUL = frozenset(("iso2022_jp", "iso2022_jp_2", "hz", "utf-7"))
"""Codecs in which the meaning of a byte depends on all bytes before it in its line."""

VALIDATED_AT_ONCE = 1 << 16
"""Decoding is fastest in pieces that stay in the processor's cache."""


class Encoding(NamedTuple):
    """How a file is decoded: the codec, the length of its byte order mark, how it was found."""

    codec: str
    bom: int = 0
    guess: Guess = "sure"
    runner_up: str = ""
    """The second-best codec, where the text would be different in it."""

    @property
    def unit(self) -> int:
        """Bytes in the smallest unit of the codec."""
        return UNITS.get(self.codec, 1)

    @property
    def is_big_endian(self) -> bool:
        """Whether the high byte of a unit comes first."""
        return self.codec.endswith("be")


UTF8 = Encoding("utf-8")


def encoding_by_bom(sample: bytes) -> Encoding | None:
    """Returns the encoding that a byte order mark names."""
    if not sample.startswith(MARKS):
        return None
    for mark, codec in BOMS:
        if sample.startswith(mark):
            return Encoding(codec, len(mark))
    return None


def encoding_by_name(name: str, sample: bytes) -> Encoding:
    """Returns the encoding a caller asked for; its own byte order mark is not shown."""
    marked = encoding_by_bom(sample)
    codec = _codec_named(name)
    if codec in ("utf-16", "utf-32"):
        codec = marked.codec if marked and marked.codec.startswith(codec) else f"{codec}-le"
    if codec == "utf-8-sig":
        codec = "utf-8"
    if codec not in CODECS:
        raise InvalidRequest("encoding", name, "a text encoding such as utf-8, utf-16-le, cp1252, shift_jis, gb18030")
    return Encoding(codec, marked.bom if marked and marked.codec == codec else 0, "forced")


def _codec_named(name: str) -> str:
    """Returns the canonical name of a codec; `codecs.lookup` alone would cache every unknown name for ever."""
    import re
    from encodings.aliases import aliases

    plain = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
    module = aliases.get(plain, plain)
    names = {codec.replace("-", "_") for codec in CODECS} | {"utf_8_sig", "utf_16", "utf_32", "latin_1"}
    return codecs.lookup(module).name if module in names else ""


MARK = "\U0010fffe"
"""Marks bytes that cannot be decoded until they are counted: a character that no text may contain."""


@cache
def marking_handler() -> str:
    """Returns the name of an error handler that marks what cannot be decoded."""
    codecs.register_error("readwell.mark", lambda error: (MARK, getattr(error, "end", 0)))
    return "readwell.mark"


def decoded_text(raw: bytes, codec: str) -> str:
    """Returns whole lines as text with line feeds; bytes that cannot be decoded become `MARK`."""
    if codec in LINE_BY_LINE:
        import re

        return "\n".join([_decode_with_marks(piece, codec) for piece in re.split(END, raw)])
    return with_line_feeds(_decode_with_marks(raw, codec))


def _decode_with_marks(raw: bytes, codec: str) -> str:
    """Returns the text; bytes that are not valid become marks that can be counted."""
    try:
        return without_forged_ends(raw.decode(codec), codec)
    except UnicodeDecodeError:
        return without_forged_ends(raw.decode(codec, marking_handler()), codec)


def without_forged_ends(text: str, codec: str) -> str:
    """Replaces the terminators and lone surrogates that UTF-7 can encode inside a line."""
    if codec != "utf-7":
        return text
    import re

    return re.sub("[\r\n\ud800-\udfff]", MARK, text)


def replace_marks(line: str) -> tuple[str, list[int]]:
    """Returns a line with replacement characters instead of marks, and their positions."""
    return line.replace(MARK, "\ufffd"), [position for position, character in enumerate(line) if character == MARK]


class Utf8Validator:
    """Checks whether bytes are UTF-8, piece by piece and without copying them."""

    def __init__(self) -> None:
        self.broken = False
        self.pending = b""
        """The beginning of a character that the next piece must complete."""

    @property
    def is_valid(self) -> bool:
        """Whether all bytes so far are UTF-8."""
        return not self.broken and not self.pending

    def feed(self, piece: memoryview) -> None:
        """Checks the next piece."""
        if self.broken:
            return
        try:
            start = self._complete_cut_character(piece)
            while start < len(piece):
                chunk = piece[start : start + VALIDATED_AT_ONCE]
                used = codecs.utf_8_decode(chunk, "strict", False)[1]
                if start + len(chunk) == len(piece):
                    self.pending = bytes(chunk[used:])
                    break
                start += used
        except UnicodeDecodeError:
            self.broken = True

    def _complete_cut_character(self, piece: memoryview) -> int:
        """Completes a character that was cut; returns how many bytes of the piece that took."""
        taken = 0
        while self.pending and taken < len(piece):
            self.pending += bytes(piece[taken : taken + 1])
            taken += 1
            self.pending = self.pending[codecs.utf_8_decode(self.pending, "strict", False)[1] :]
        return taken
