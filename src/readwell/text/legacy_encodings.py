"""Detects legacy encodings: the one in which pairs of letters are as frequent as in some language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from re import finditer

from ..named_tuple import NamedTuple
from .letter_pairs import languages

WEST = "en fr de es pt it nl sv da nb fi is ca gl sq".split()
CENTRAL = "pl cs sk hu sl hr ro sq".split()
BALTIC = "lt lv et".split()
CYRILLIC = "ru uk bg sr mk be".split()
SINGLE_BYTE: tuple[tuple[str, int, Sequence[str]], ...] = (
    ("cp1252", 0, WEST),
    ("iso8859-15", 4, WEST),
    ("cp850", 10, WEST),
    ("mac-roman", 10, WEST),
    ("cp437", 12, WEST),
    ("cp1250", 0, CENTRAL),
    ("iso8859-2", 2, CENTRAL),
    ("iso8859-16", 4, ["ro"]),
    ("cp852", 10, CENTRAL),
    ("mac-latin2", 12, CENTRAL),
    ("cp1257", 0, BALTIC),
    ("iso8859-13", 2, BALTIC),
    ("iso8859-4", 4, BALTIC),
    ("cp775", 10, BALTIC),
    ("cp1254", 0, ["tr"]),
    ("cp857", 10, ["tr"]),
    ("mac-turkish", 12, ["tr"]),
    ("iso8859-3", 2, ["eo"]),
    ("cp1251", 0, CYRILLIC),
    ("koi8-r", 2, ["ru", "bg"]),
    ("koi8-u", 3, ["uk", "be", "ru"]),
    ("iso8859-5", 2, CYRILLIC),
    ("cp866", 8, CYRILLIC),
    ("mac-cyrillic", 10, CYRILLIC),
    ("cp855", 12, CYRILLIC),
    ("cp1253", 0, ["el"]),
    ("iso8859-7", 2, ["el"]),
    ("cp737", 10, ["el"]),
    ("cp869", 12, ["el"]),
    ("mac-greek", 12, ["el"]),
    ("cp1255", 0, ["he"]),
    ("iso8859-8", 2, ["he"]),
    ("cp862", 10, ["he"]),
    ("cp1256", 0, ["ar", "fa"]),
    ("iso8859-6", 2, ["ar", "fa"]),
    ("cp720", 10, ["ar", "fa"]),
    ("cp874", 0, ["th"]),
    ("cp1258", 2, ["vi"]),
)
"""Encodings of one byte a character, how unlikely each is from the start, and the languages written in it."""
SEVERAL_BYTES: tuple[tuple[str, int, Sequence[str]], ...] = (
    ("gb18030", 0, ["zh_CN", "zh_TW"]),
    ("big5hkscs", 0, ["zh_TW"]),
    ("cp932", 0, ["ja"]),
    ("euc_jp", 0, ["ja"]),
    ("cp949", 0, ["ko"]),
)
REPLACED = 30
"""How surprising a byte is that an encoding does not have."""
BYTES_RANKED, BYTES_REFINED = 1 << 13, 1 << 16
"""Bytes by which all encodings are ranked, and those by which the encodings of one language are told apart."""
AROUND = 200
"""Bytes of a long line that are looked at on either side of one beyond ASCII."""
PLAIN_WEIGHT = 0.4
"""What a pair of ASCII letters counts: it says something of the language, and markup and code say it wrongly."""
MAX_SURPRISE, MAX_SURPRISE_WIDE = 10, 12
"""For each byte, or each character of two or four bytes; what is more surprising than that is no text. Measured: text
2 to 8 and 2 to 9, random bytes 14 and more."""
WIDE_RANKED = 500
"""Characters by which an encoding of two or four bytes is judged."""
USUAL, NEARLY = "cp1252", 12
NO_CASE, LOWER, UPPER, CONTROL = range(4)
CASES = ((0, 0, 3, 20), (0, 0, 10, 20), (0, 1, 2, 20), (0, 0, 0, 20))
"""How surprising a case is behind another, and a control character of ISO encodings behind anything."""

Pairs = list[tuple[int, int, int]]
"""Two bytes and how often they stand together."""


class RankedEncoding(NamedTuple):
    """An encoding, and how surprising the text would be in it, as a language."""

    surprise: float
    codec: str
    language: str


class LegacyDetection(NamedTuple):
    """The likeliest encoding, and the likeliest in which the text would read otherwise; empty where there is none."""

    codec: str
    runner_up: str


def detect_legacy(sample: bytes) -> LegacyDetection | None:
    """Returns the encoding in which a text is least surprising; None where no encoding makes text of it."""
    telling = part_beyond_ascii(sample, BYTES_RANKED)
    best, *others = rank_encodings(telling)
    if best.surprise > MAX_SURPRISE * len(telling):
        return None
    codec = _prefer_most_usual(best, others, telling)
    if len(telling) == BYTES_RANKED and codec in {each for each, _, _ in SINGLE_BYTE}:
        codec = _refine_by_more_text(best.language, part_beyond_ascii(sample, BYTES_REFINED))
    text = telling.decode(codec, "replace")
    readings = ((each.codec, telling.decode(each.codec, "replace")) for each in others)
    differing = (each for each, reading in readings if reading != text and "\ufffd" not in reading)
    return LegacyDetection(codec, next(differing, ""))


def _prefer_most_usual(best: RankedEncoding, others: list[RankedEncoding], text: bytes) -> str:
    """Returns the best encoding; the most usual one where that reads the same and is nearly as likely."""
    near = [each.codec for each in others if each.surprise - best.surprise < NEARLY]
    same = USUAL in near and text.decode(USUAL, "replace") == text.decode(best.codec, "replace")
    return USUAL if same else best.codec


def surprise_in_any_language(text: str) -> float:
    """Returns how surprising a character of the text is on average, in the language where it is least so."""
    piece = text[:WIDE_RANKED]
    return min(_text_surprise(piece, name) for name in languages()) / max(1, len(piece))


def rank_encodings(text: bytes) -> list[RankedEncoding]:
    """Returns the encodings that a text may be in, the least surprising first."""
    plain, beyond = _count_pairs(text)
    known = {name: PLAIN_WEIGHT * _pairs_surprise("ascii", name, plain) for name in languages()}
    candidates = [
        RankedEncoding(unlikely + known[name] + _non_ascii_surprise(codec, name, beyond), codec, name)
        for codec, unlikely, spoken in SINGLE_BYTE
        for name in spoken
    ]
    for codec, unlikely, spoken in SEVERAL_BYTES:
        decoded = text.decode(codec, "replace")
        candidates += [RankedEncoding(unlikely + _text_surprise(decoded, name), codec, name) for name in spoken]
    return sorted(candidates)


def _refine_by_more_text(name: str, text: bytes) -> str:
    """Returns the encoding of a known language, by more of the text: rare letters tell some of them apart."""
    _, beyond = _count_pairs(text)
    rows = [
        (unlikely + _non_ascii_surprise(codec, name, beyond), codec)
        for codec, unlikely, spoken in SINGLE_BYTE
        if name in spoken
    ]
    return min(rows)[1]


def part_beyond_ascii(sample: bytes, most: int) -> bytes:
    """Returns what stands around bytes beyond ASCII, up to so many bytes of it."""
    if len(sample) <= most:
        return b"\n".join(_without_utf8([line for line in sample.split(b"\n") if not line.isascii()]))
    pieces: list[bytes] = []
    length = 0
    for match in finditer(rb"[^\n]{0,%d}[\x80-\xff][^\n]{0,%d}" % (AROUND, AROUND), sample):
        pieces.append(match[0])
        length += len(match[0]) + 1
        if length > most:
            break
    return b"\n".join(_without_utf8(pieces))[:most]


def _without_utf8(pieces: list[bytes]) -> list[bytes]:
    """Leaves out what is UTF-8 by itself, in a text where encodings are mixed."""
    return [piece for piece in pieces if not _is_utf8(piece)] or pieces


def _is_utf8(piece: bytes) -> bool:
    """Says whether bytes are valid UTF-8."""
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _count_pairs(text: bytes) -> tuple[Pairs, Pairs]:
    """Counts the pairs of bytes: those of ASCII, and all others."""
    counted = Counter(zip(b"\n" + text, text + b"\n", strict=True)).items()
    plain = [(first, second, count) for (first, second), count in counted if first < 128 > second]
    beyond = [(first, second, count) for (first, second), count in counted if first > 127 or second > 127]
    return plain, beyond


def _non_ascii_surprise(codec: str, name: str, pairs: Pairs) -> int:
    """Returns how unusual the pairs with a non-ASCII letter are, in upper and lower case too."""
    cases = _cases(codec)
    in_cases = sum(count * CASES[cases[first]][cases[second]] for first, second, count in pairs)
    return in_cases + _pairs_surprise(codec, name, pairs)


def _pairs_surprise(codec: str, name: str, pairs: Pairs) -> int:
    """Returns how unusual pairs of bytes are in a language, when read in a codec."""
    (rows, classes), surprises = _rows_and_columns(codec, name), languages()[name].pairs
    return sum(count * surprises[rows[first] + classes[second]] for first, second, count in pairs)


@cache
def _rows_and_columns(codec: str, name: str) -> tuple[list[int], list[int]]:
    """Returns for each byte its row in a language's table, and its column."""
    spoken = languages()[name]
    classes = [spoken.class_of(character) for character in _characters(codec)]
    return [number * spoken.width for number in classes], classes


@cache
def _cases(codec: str) -> list[int]:
    """Returns for each byte of a codec whether it is an upper or lower case letter, or a control character."""
    return [_case(each) for each in _characters(codec)]


def _case(character: str) -> int:
    if "\x80" <= character <= "\x9f":
        return CONTROL
    return UPPER if character.isupper() else LOWER if character.islower() else NO_CASE


@cache
def _characters(codec: str) -> str:
    """Returns the character of each byte of a codec."""
    return bytes(range(256)).decode(codec, "replace")


def _text_surprise(text: str, name: str) -> float:
    """Returns how unusual a decoded text is in a language."""
    spoken = languages()[name]
    width, class_of, pairs, commonest = spoken.width, spoken.class_of, spoken.pairs, spoken.commonest
    plain = beyond = 0
    for (first, second), count in Counter(zip("\n" + text, text + "\n", strict=True)).items():
        surprise = count * (pairs[class_of(first) * width + class_of(second)] + commonest.get(second, 0))
        if first > "\x7f" or second > "\x7f":
            beyond += surprise
        else:
            plain += surprise
    return PLAIN_WEIGHT * plain + beyond + REPLACED * text.count("\ufffd")
