"""What a text costs a model, estimated by kind of character; for where no tokenizer is installed.

The text is split much as o200k splits it, and each kind of piece has a price. Prices were fitted to exact counts of
texts in forty languages, of code, logs, tables and random letters.
"""

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import groupby, pairwise

LATIN = "a-z\u00df-\u024f\u1e00-\u1eff"
WORD = rf"[^\r\nA-Z{LATIN}0-9]?(?:[A-Z]*[{LATIN}]+|[A-Z]+)"
SPACE = r"\s*[\r\n]+|\s+(?!\S)"
MARKS = r"[ ]?[!-/:-@\[-`{-\x7f]+[\r\n/]*"
SCRIPT = rf"[ ]?[^\x00-\x7f{LATIN}]+"
PIECES = rf"(?s:{WORD}|[0-9]{{1,3}}|{SPACE}|{SCRIPT}|{MARKS}|\s+|.)"
"""Words with the character before them, digits, white space, other scripts, punctuation."""
LONG_RUN = 32
"""Characters of white space, or of a line drawn with one of RULERS, that are surely more than a token."""
RULERS = "#%*+-./=_~"
BOX_RULERS = "─━═"
SHORT = 32
"""Characters of a piece whose price is remembered."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PAIRS = (
    "53336514454233737131555215",
    "46673776628166268344477758",
    "46462683361248165350466735",
    "46732648457267379545547725",
    "45535346777453452334755158",
    "46753358489456379364586739",
    "88683843598273667365567955",
    "57982896577575497561778668",
    "42233436734242015332847471",
    "58654786741786456839448968",
    "53872733696688678764686969",
    "45753367465346359744565818",
    "43661969486337039746587668",
    "58333323565655069532638754",
    "64456248665353449253463674",
    "46742783596237257152578738",
    "87997977889479985477397889",
    "57442638576743355444665537",
    "67482362576575405522564826",
    "56463651495646439344684335",
    "54231436455223727131847326",
    "49870937375686386576865678",
    "48852773488772379256844547",
    "46574888699958849884889436",
    "78796978886366549543975785",
    "69784996588974589886696746",
)
"""What a pair of letters adds to the price of a word, in steps of 0.15 from -0.3: least where it is common."""
OTHER_PAIR = 0.66
SCRIPT_PIECE = 0.6
SCRIPTS = (
    (0x00BF, 0.97),  # signs of Latin-1
    (0x036F, 0.77),
    (0x03FF, 0.33),  # Greek
    (0x044F, 0.22),  # Cyrillic, letters of Russian
    (0x052F, 0.85),  # Cyrillic of others
    (0x05FF, 0.37),  # Armenian, Hebrew
    (0x0655, 0.265),  # Arabic
    (0x077F, 0.5),  # Arabic script of others
    (0x08FF, 0.9),
    (0x097F, 0.285),  # Devanagari
    (0x09FF, 0.34),  # Bengali
    (0x0A7F, 0.57),  # Gurmukhi
    (0x0B7F, 0.37),
    (0x0BFF, 0.41),  # Tamil
    (0x0CFF, 0.44),  # Telugu, Kannada
    (0x0DFF, 0.34),  # Malayalam, Sinhala
    (0x0EFF, 0.43),  # Thai, Lao
    (0x109F, 0.9),
    (0x10FF, 0.3),  # Georgian
    (0x1FFF, 1.5),
    (0x206F, 0.93),  # quotation marks, dashes
    (0x24FF, 2.0),  # arrows, mathematics
    (0x257F, 1.0),  # boxes
    (0x25FF, 1.5),
    (0x2DFF, 1.3),
    (0x303F, 0.93),  # punctuation of CJK
    (0x33FF, 0.72),  # kana
    (0x9FFF, 0.76),  # Han
    (0xABFF, 2.6),
    (0xD7AF, 0.53),  # Hangul
    (0xFE0F, 1.0),
    (0xFFFF, 0.8),  # full width
    (0x1EFFF, 3.5),
    (0x1FAFF, 1.95),  # emoji
    (0x10FFFF, 3.5),
)
"""The last character of a range and the price of each in it."""


def estimate(text: str) -> int:
    """Estimates the o200k tokens of a text, rounded up; never more than it has bytes in UTF-8."""
    pieces = Counter(re.findall(PIECES, text))
    price = sum(count * (_known_price if len(piece) < SHORT else _price)(piece) for piece, count in pieces.items())
    return min(-int(-price // 1), len(text.encode(errors="surrogatepass")))


def _price(piece: str) -> float:
    last = piece[-1]
    if last.isdigit() or piece.isspace():
        return 1.0 + len(piece) // LONG_RUN
    if re.fullmatch(WORD, piece):
        return _word_price(piece)
    return _script_price(piece) if last > "\x7f" else _marks_price(piece)


@lru_cache(maxsize=8192)
def _known_price(piece: str) -> float:
    return _price(piece)


@cache
def _pair_prices() -> dict[str, float]:
    steps = (
        (first + second, PAIRS[row][column])
        for row, first in enumerate(LETTERS)
        for column, second in enumerate(LETTERS)
    )
    return {pair: (int(step) - 2) * 0.15 for pair, step in steps}


def _word_price(piece: str) -> float:
    """Prices a word and the character before it: a space is part of most words, another sign seldom."""
    price = 0.57 if piece[0].isalpha() else 0.16 if piece[0] == " " else 0.79
    word = piece if piece[0].isalpha() else piece[1:]
    capitals = sum(map(str.isupper, word[1:]))
    price += capitals * (0.1 if capitals == len(word) - 1 else 0.5)
    prices = _pair_prices()
    price += sum(prices.get(first + second, OTHER_PAIR) for first, second in pairwise(word.lower()))
    return max(1.0, price)


def _marks_price(piece: str) -> float:
    """Prices punctuation by how often it changes."""
    core = piece.strip()
    runs = 1 + sum(first != second for first, second in pairwise(core))
    return max(0.85 + 0.15 * runs, 0.65 * runs - 0.5) + (len(core) - runs) // (LONG_RUN if core[-1:] in RULERS else 3)


def _script_price(piece: str) -> float:
    """Prices characters of other scripts; lines of boxes are paid by the run."""
    price = SCRIPT_PIECE
    for character, run in groupby(piece.lstrip()):
        length = sum(1 for _ in run)
        price += _character_price(character) * (1 + length // LONG_RUN if character in BOX_RULERS else length)
    return price


@lru_cache(maxsize=8192)
def _character_price(character: str) -> float:
    code = ord(character)
    return next(price for last, price in SCRIPTS if code <= last)
