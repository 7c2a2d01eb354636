"""Estimates the tokens of a text from the characters that stand together; for where no tokenizer is installed.

The text is split as o200k splits it, and each piece is priced by its characters, its pairs and its threes of them. The
prices are made by `scripts/token_prices.py` and hold statistics only; they are loaded with the first estimate.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import groupby, pairwise
from pathlib import Path

from ..named_tuple import NamedTuple

TABLE = Path(__file__).with_name("token_prices.z")
SLOTS = 65521
"""Prices of pairs and threes: a prime number, so that neighbours fall far apart."""
BLOCK = 7
"""Characters share a price of their own by blocks of so many bits."""
BLOCKS = 0x110000 >> BLOCK
STEP, BLOCK_STEP = 0.01, 0.02
LARGE_SCRIPTS = 0x2E80
"""From here on scripts have so many characters that each is priced instead of threes of them."""
SCANNED = 0x3000
LATER_LETTERS = (
    "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\ua48c\ua4d0-\uabff\uac00-\ud7fb\uf900-\ufaff\ufb13-\ufdfb\ufe70-\ufefc\uff66-\uff9f"
    "\U00010000-\U0001cfff\U0001e000-\U0001efff\U00020000-\U0003ffff"
)
"""Letters beyond those whose category is looked up."""
SHORT = 32
"""Characters of a piece whose price is remembered."""
LONG_RUN = 32
"""Characters of a line drawn with one of RULERS that are surely more than a token."""
SPACES = re.compile(
    r"(\t| {4}| {8}| {12})\n(?:\1\n){1,3}|(\t{2,4}\n)\2?|( {1,2}\n)\3?|\n {1,24}\n{1,2}"
    r"|(?: {1,44}|\t{1,10})(?:\r\n|\n{1,2})|(?:\r\n){1,4}|\n{1,16}|\t{1,8} {1,8}| {1,4}\t{1,6}|\t{1,16}| {1,79}|\r{1,2}"
    r"|\u3000{1,16}|\xa0{1,8}|\u2002{1,2}| \xa0|\s"
)
"""White space as far as it is one token, nearly always; each of RARE_SPACES is two, or three."""
RARE_SPACES = re.compile("[\x85\u1680\u2000\u2001\u2004\u2006-\u2008\u2029\u205f]")
RULERS = "#%*+-./=_~─━═"
SHORTEST_RUN = 5
RUN = r"([!-/:-@\[-`{-~─━═])\1{4,}"


class Prices(NamedTuple):
    """What pairs and threes of characters add to a price, and what characters cost by block."""

    grams: list[float]
    blocks: list[float]


def estimate(text: str) -> int:
    """Estimates the o200k tokens of a text, rounded up; never more than it has bytes in UTF-8."""
    price = sum(
        count * (_known_price if len(piece) < SHORT else _price)(piece) for piece, count in count_pieces(text).items()
    )
    return min(-int(-price // 1), len(text.encode(errors="surrogatepass")))


def count_pieces(text: str) -> Counter[str]:
    """Returns the pieces that no token crosses, and how often each occurs."""
    return Counter(_splitter().findall(text))


def _price(piece: str) -> float:
    known = tokens_outside_table(piece)
    if known:
        return known
    short, more = shorten_run(piece)
    blocks, grams = price_indexes(short)
    prices = _prices()
    return more + max(1.0, sum(map(prices.blocks.__getitem__, blocks)) + sum(map(prices.grams.__getitem__, grams)))


_known_price = lru_cache(maxsize=8192)(_price)


def tokens_outside_table(piece: str) -> int:
    """Returns the tokens of what the table does not price: up to three digits, and white space; 0 for other pieces."""
    if piece.isascii() and piece.isdigit():
        return 1
    if not piece.isspace():
        return 0
    tokens = sum(1 for _ in SPACES.finditer(piece))
    return tokens if piece.isascii() else tokens + len(RARE_SPACES.findall(piece)) + piece.count("\u1680")


def shorten_run(piece: str) -> tuple[str, int]:
    """Returns punctuation without the rest of a long run of one character, and what that rest costs."""
    if len(piece) < SHORTEST_RUN or piece[-1].isalpha():
        return piece, 0
    rests = [(run[1], len(run[0]) - SHORTEST_RUN + 1) for run in re.finditer(RUN, piece)]
    return re.sub(RUN, r"\1\1\1\1", piece), sum(rest // (LONG_RUN if sign in RULERS else 3) for sign, rest in rests)


def price_indexes(piece: str) -> tuple[list[int], list[int]]:
    """Returns the indexes of the prices of a piece in the table: of its characters, and of its pairs and threes."""
    codes = [1, *map(ord, piece), 0]
    grams = [(31337 * first + 4099 * second) % SLOTS for first, second in pairwise(codes[1:])]
    if codes[-2] < LARGE_SCRIPTS:
        threes = zip(codes, codes[1:], codes[2:], strict=False)
        grams += [(20011 * first + 7368 * second + 515 * third) % SLOTS for first, second, third in threes]
    else:
        grams += [(521 * code) % SLOTS for code in codes[1:-1]]
    return [code >> BLOCK for code in codes[1:-1]], grams


@cache
def _prices() -> Prices:
    packed = zlib.decompress(TABLE.read_bytes())
    return Prices([(each - 128) * STEP for each in packed[:SLOTS]], [each * BLOCK_STEP for each in packed[SLOTS:]])


@cache
def _splitter() -> re.Pattern[str]:
    """Returns o200k's own way to split, in the words of `re`."""
    by_category: dict[str, str] = defaultdict(str)
    for kind, run in groupby(map(chr, range(SCANNED)), _merged_category):
        alike = [*run]
        by_category[kind] += f"{re.escape(alike[0])}-{re.escape(alike[-1])}"
    other = by_category["L"] + by_category["M"] + LATER_LETTERS
    capital, small, number = by_category["Lu"] + other, by_category["Ll"] + other, by_category["N"]
    letter = capital + by_category["Ll"]
    ends = "(?:'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD]))?"
    before = rf"[^\r\n{letter}{number}]?"
    return re.compile(
        rf"{before}[{capital}]*[{small}]+{ends}|{before}[{capital}]+[{small}]*{ends}|[{number}]{{1,3}}"
        rf"| ?[^\s{letter}{number}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+|."
    )


def _merged_category(character: str) -> str:
    category = unicodedata.category(character)
    return category if category in ("Lu", "Ll") else category[0]
