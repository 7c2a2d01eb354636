"""Detects the encoding of a sample of bytes, or that it is binary, whatever the dialect.

Tried in order: BOM, strict UTF-8, wide characters by their NULs, damaged UTF-8, the likeliest legacy encoding, UTF-8
with replacements. Every window is judged by the same bytes, so that no window depends on another.
"""

import codecs
from collections.abc import Callable, Iterable
from itertools import islice, repeat

from stringzilla import find, find_first_of

from .decode import UNITS, UTF8, Encoding, encoding_by_bom

CONTAINERS = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0")
"""First bytes of document containers: a damaged one may contain no NUL and is still no text."""
CONTROLS = bytes([*range(9), *range(14, 32)])
BEYOND_ASCII = bytes(range(0x80, 0x100))
UNUSUAL = bytes([*range(1, 9), 11, *range(14, 27), *range(28, 32), 127])
"""Control bytes that no log contains; escape sequences may occur."""
CUT_CHARACTER = (
    rb"(?:(?<![A-Z])[\xc2-\xd6\xd8-\xde]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]?|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?)\Z"
)
"""How UTF-8 ends within a character. One byte alone counts where most encodings have a capital there, and no capital
is before it: `caf\\xc3` is cut, `caf\\xe9` and `S\\xc3` are words of Latin-1."""
MOSTLY = 90
"""Percent of high bytes that are NUL in what is taken for Latin text in UTF-16 without a mark."""
OUTWEIGHS = 10
"""How many characters of UTF-8 after the sample outweigh one invalid byte."""
FEW_NULS = 200
"""Bytes of text for each NUL that is tolerated among them."""
SHORTEST_WITH_NULS = 16
MIN_WIDE = 3
"""Characters of four bytes that are not taken for numbers."""
MIN_IDEOGRAPHS = 6
"""Ideographs of two bytes that are not taken for chance."""
SPELLINGS = (b"\x1b$", b"~{", b"+A", b"+B", b"+M", b"+T")
"""How other letters begin where ASCII spells them: ISO-2022, HZ, and UTF-7 for most letters."""
SPELLING_STARTS = bytes({spelling[0] for spelling in SPELLINGS})
NUL_OR_SPELLING_STARTS = b"\0" + SPELLING_STARTS
SHIFTED = rb"\+[A-Za-z0-9+/]{3,128}(?:-|(?=\s))"
"""Letters as UTF-7 spells them."""
MAX_SHIFTED = 20
NARROWER = {"cp932": "shift_jis"}
"""Encodings with more characters than the standard, and the standard, which has other signs for a few: it is taken
where the whole file is in it."""

Pieces = Callable[[], Iterable[bytes]]


def no_pieces() -> tuple[bytes, ...]:
    """Returns no pieces: the sample is the whole file."""
    return ()


def is_plain_ascii(sample: bytes) -> bool:
    """Says whether a sample is text in ASCII beyond doubt: the quick answer for most files."""
    return sample.isascii() and find_first_of(sample, NUL_OR_SPELLING_STARTS) < 0 and not sample.startswith(CONTAINERS)


def detect_encoding(sample: bytes, whole: bool, following: Pieces = no_pieces) -> Encoding | None:
    """Returns the encoding of a file by its first bytes, and by pieces of what follows them; None: binary.

    `whole`: the sample is the whole file.
    """
    marked = encoding_by_bom(sample)
    if marked:
        is_damaged = marked.codec == "utf-8" and not _is_utf8(sample, whole)
        return marked._replace(guess="damaged") if is_damaged else marked
    if sample.startswith(CONTAINERS):
        return None
    if b"\0" in sample:
        return _detect_wide(sample, whole) or _detect_with_stray_nuls(sample, whole)
    return _detect_narrow(sample, whole, following)


def too_many_controls(sample: bytes, percent: int) -> bool:
    """Whether more than so many percent of the bytes are control bytes (below 9, or 14 to 31)."""
    return (len(sample) - len(sample.translate(None, CONTROLS))) * 100 > percent * len(sample)


def _detect_narrow(sample: bytes, whole: bool, following: Pieces) -> Encoding | None:
    """Returns the encoding of text whose characters are single bytes or UTF-8."""
    if sample.isascii():
        return _detect_seven_bits(sample) if find_first_of(sample, SPELLING_STARTS) >= 0 else UTF8
    if _is_utf8(sample, whole):
        return UTF8
    if _is_damaged_utf8(sample, whole, following):
        return Encoding("utf-8", guess="damaged")
    from .legacy_encodings import detect_legacy

    legacy = detect_legacy(sample if whole else _without_cut_line(sample))
    if legacy:
        codec = NARROWER.get(legacy.codec) if whole else None
        codec = codec if codec and _decodes_strictly(sample, codec) else legacy.codec
        return Encoding(codec, guess="guessed", runner_up=legacy.runner_up)
    return None if too_many_controls(sample, 30) else Encoding("utf-8", guess="damaged")


def _without_cut_line(sample: bytes) -> bytes:
    """Drops the last line, where a cut character would mislead, unless most that is beyond ASCII stands there."""
    lines = sample[: sample.rfind(b"\n") + 1]
    return sample if 2 * _count_beyond_ascii(lines) < _count_beyond_ascii(sample) else lines


def _count_beyond_ascii(raw: bytes) -> int:
    return len(raw) - len(raw.translate(None, BEYOND_ASCII))


def _is_utf8(sample: bytes, whole: bool) -> bool:
    """Says whether a sample is valid UTF-8; its end may cut a character."""
    try:
        codecs.utf_8_decode(sample, "strict", whole)
    except UnicodeDecodeError:
        return False
    return True


def _decodes_strictly(sample: bytes, codec: str) -> bool:
    """Says whether a sample is valid in a codec."""
    try:
        sample.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged_utf8(sample: bytes, whole: bool, following: Pieces) -> bool:
    """Whether valid UTF-8 outweighs invalid bytes: in the sample, or by far together with what follows it."""
    valid, broken = _count_characters_and_invalid(sample, whole)
    if valid >= broken or (whole and _is_ascii_but_for_cut_character(sample)):
        return True
    for piece in following():
        more = _count_characters_and_invalid(piece.lstrip(bytes(range(0x80, 0xC0))), False)
        valid, broken = valid + more[0], broken + more[1]
    return valid >= OUTWEIGHS * broken


def _is_ascii_but_for_cut_character(sample: bytes) -> bool:
    """Whether all is ASCII but for a UTF-8 character that the end cuts: likelier than a letter of another encoding."""
    import re

    match = re.search(CUT_CHARACTER, sample)
    return match is not None and sample[: match.start()].isascii()


def _count_characters_and_invalid(raw: bytes, whole: bool) -> tuple[int, int]:
    """Counts characters beyond ASCII, and invalid bytes."""
    kept = codecs.utf_8_decode(raw, "ignore", whole)[0]
    replaced = codecs.utf_8_decode(raw, "replace", whole)[0]
    return len(kept) - len(kept.encode("ascii", "ignore")), len(replaced) - len(kept)


def _detect_seven_bits(sample: bytes) -> Encoding:
    """Detects encodings that use ASCII bytes only. UTF-7 is only named as runner-up: plain text can look like it."""
    if max(map(find, repeat(sample), SPELLINGS)) < 0:
        return UTF8
    import re

    for mark, codec in ((b"\x1b$", "iso2022_jp"), (b"\x1b$", "iso2022_jp_2"), (b"~{", "hz")):
        if mark in sample and _decodes_to_a_language(sample, codec):
            return Encoding(codec, guess="guessed")
    shifted = b" ".join(match[0] for match in islice(re.finditer(SHIFTED, sample), MAX_SHIFTED))
    return Encoding("utf-8", runner_up="utf-7") if shifted and _may_be_utf7(shifted) else UTF8


def _may_be_utf7(shifted: bytes) -> bool:
    """Whether decoding as UTF-7 gives common letters, and too many of them for chance."""
    from .letter_pairs import is_common_letter

    try:
        letters = "".join(shifted.decode("utf-7").split())
    except UnicodeDecodeError:
        return False
    if not letters:  # shifted spaces alone, such as a separator of lines
        return False
    few_can_be = min(letters) < "\u0590" or len(letters) >= MIN_WIDE
    return few_can_be and all(map(is_common_letter, letters))


def _decodes_to_a_language(sample: bytes, codec: str) -> bool:
    """Whether a codec decodes it to a text that is likely in some language."""
    from .legacy_encodings import MAX_SURPRISE_WIDE, surprise_in_any_language

    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return False
    beyond = "".join(line for line in text.split("\n") if not line.isascii())
    return beyond != "" and surprise_in_any_language(beyond) <= MAX_SURPRISE_WIDE


def _detect_wide(sample: bytes, whole: bool) -> Encoding | None:
    """Detects UTF-32 and UTF-16 without a byte order mark by the text that they decode to."""
    for codec in ("utf-32-le", "utf-32-be"):
        text = _wide_text(sample, codec, whole)
        unprintable = sum(not each.isprintable() for each in "".join(text.split()))
        if len(text) >= MIN_WIDE and unprintable * 20 <= len(text):
            return Encoding(codec)
    texts = {codec: text for codec in ("utf-16-le", "utf-16-be") if (text := _wide_text(sample, codec, whole))}
    for codec in texts:
        low, high = (sample[0::2], sample[1::2]) if codec == "utf-16-le" else (sample[1::2], sample[0::2])
        if b"\0" not in low and high.count(0) * 100 >= MOSTLY * len(high):
            return Encoding(codec)
    return _likelier_byte_order(texts)


def _wide_text(sample: bytes, codec: str, whole: bool) -> str:
    """Returns the text decoded by a wide codec; empty where that fails."""
    if whole and len(sample) % UNITS[codec]:
        return ""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return ""
    return "" if "\0" in text or too_many_controls(text.encode(), 5) else text


def _likelier_byte_order(texts: dict[str, str]) -> Encoding | None:
    """Chooses the byte order that gives an ordinary text, or one of ideographs only."""
    if not texts:
        return None
    import re

    from .legacy_encodings import MAX_SURPRISE_WIDE, surprise_in_any_language

    surprise, codec = min((surprise_in_any_language(text), codec) for codec, text in texts.items())
    if surprise <= MAX_SURPRISE_WIDE:
        return Encoding(codec, guess="guessed")
    text = texts[codec]
    others = len(re.sub("[\\s -~\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]", "", text))
    # Two letters of ASCII are an ideograph, too; in real ones the low byte is any.
    beyond_ascii = len(re.sub("[\\x00-\\x7f]", "", text.encode(codec).decode("latin-1")))
    few_others = len(text) >= MIN_IDEOGRAPHS and others * 20 <= len(text) <= beyond_ascii * 4
    return Encoding(codec, guess="guessed") if few_others else None


def _detect_with_stray_nuls(sample: bytes, whole: bool) -> Encoding | None:
    """Accepts a log with a stray NUL, or with zeros where it was truncated under its writer."""
    text = sample.replace(b"\0", b"")
    nuls = len(sample) - len(text)
    few = nuls * FEW_NULS <= len(text) or sample.strip(b"\0") == text
    if not few or len(text) < SHORTEST_WITH_NULS or b"\n" not in text:
        return None
    is_text = _is_utf8(text, whole) and len(text.translate(None, UNUSUAL)) == len(text)
    return UTF8 if is_text else None
