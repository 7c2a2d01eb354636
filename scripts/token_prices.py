"""Makes the prices that tokens are estimated by: src/readwell/tokens/token_prices.z.

    uv run --with scipy --extra tokens scripts/token_prices.py FOLDER    # unpacked Debian packages

Of Debian 12: those of scripts/translated_text.py and fortunes-*; in many more languages libreoffice-l10n-* (MPL-2.0)
and iso-codes (LGPL-2.1+); source code and data of adwaita-icon-theme, git-doc, golang-1.19-src, libjs-bootstrap, -d3,
-jquery, -jquery-ui, -underscore, librust-regex-dev, -serde-dev, -syn-dev, linux-libc-dev,
node-caniuse-db, node-typescript, php-symfony-http-kernel, python3-django, python3-pygments, ruby-activerecord. In many
scripts also words that no language has: what a pair of letters costs that no text has is then what its letters cost.

The prices are the least squares of two errors: of each piece that o200k splits a text into, and of each text as a
whole in relation to its tokens. The table holds statistics only.
"""

import sys
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

import numpy as np  # pyright: ignore[reportMissingImports]
import scipy.sparse as sparse  # pyright: ignore[reportMissingImports]
from scipy.sparse.linalg import lsmr  # pyright: ignore[reportMissingImports]
from token_texts import kinds

from readwell.tokens import o200k_counter
from readwell.tokens.estimate import (
    BLOCK,
    BLOCK_STEP,
    BLOCKS,
    SLOTS,
    STEP,
    TABLE,
    count_pieces,
    price_indexes,
    shorten_run,
    tokens_outside_table,
)

COUNT = o200k_counter()
MOST, PART = 90_000, 15_000
"""Characters in each language, and of a text whose error as a whole is made small."""
OF_PIECES = 0.25
"""The weight of errors of pieces beside those of whole texts."""
OFTEN_READ = ("file ", "help en", "messages en", "manual en")
"""Kinds that count three times."""
RARE_BLOCKS = {0x1000: 0.92}
"""Blocks (Myanmar) of which few packages have text, and what part of the price fitted to random words is taken."""
DAMPING, ROUNDS, STEPS = 2e-4, 4, 80


class Texts:
    """The pieces of all texts: where their prices stand, what they cost, and how often each text has them."""

    def __init__(self, folder: Path) -> None:
        self.names: list[str] = []
        self.exact: list[int] = []
        self.given: list[int] = []
        self._numbers: dict[str, int] = {}
        self._costs: list[int] = []
        self._places, self._counts = ([], [], []), ([], [], [])
        for kind in kinds(folder, 1, MOST):
            for start in range(0, len(kind.text) - PART // 8, PART):
                self._add(kind.name, kind.text[start : start + PART])
        size = SLOTS + BLOCKS
        self.costs = np.array(self._costs, float)
        self.places = _matrix(self._places, (len(self._costs), size))
        self.counts = _matrix(self._counts, (len(self.names), len(self._costs)))

    def _add(self, name: str, text: str) -> None:
        pieces = count_pieces(text)
        for piece, count in pieces.items():
            if not tokens_outside_table(piece):
                _put(self._counts, len(self.names), self._number(piece), count)
        self.given.append(sum(count * tokens_outside_table(piece) for piece, count in pieces.items()))
        self.names.append(name)
        self.exact.append(COUNT(text))

    def _number(self, piece: str) -> int:
        if piece not in self._numbers:
            number = self._numbers[piece] = len(self._costs)
            short, more = shorten_run(piece)
            blocks, grams = price_indexes(short)
            for place in (*grams, *(SLOTS + block for block in blocks)):
                _put(self._places, number, place, 1)
            self._costs.append(COUNT(piece) - more)
        return self._numbers[piece]


def _put(triples, row, column, value):
    for values, value_of in zip(triples, (row, column, value), strict=True):
        values.append(value_of)


def _matrix(triples, shape):
    rows, columns, values = triples
    return sparse.csr_matrix((np.array(values, float), (rows, columns)), shape=shape)


def own_prices():
    """Returns what characters cost alone, on average of their block; where there is none, three tokens."""
    costs, known = np.zeros(BLOCKS), np.zeros(BLOCKS)
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs") and (code < 0x20000 or code % 50 == 0):
            costs[code >> BLOCK] += COUNT(chr(code))
            known[code >> BLOCK] += 1
    return np.where(known, costs / np.maximum(known, 1), 3.0)


def fit(texts: Texts):
    """Returns the prices; a piece costs no less than a token, so a lower price of one is no error."""
    often = Counter(texts.names)
    weights = np.array([(3 if name.startswith(OFTEN_READ) else 1) / often[name] ** 0.7 for name in texts.names])
    weights /= weights.sum()
    of_texts = sparse.diags(1 / np.array(texts.exact)) @ texts.counts
    of_pieces = np.asarray((sparse.diags(weights) @ of_texts).sum(0)).ravel()
    both = sparse.vstack(
        [OF_PIECES * sparse.diags(np.sqrt(of_pieces / of_pieces.sum())), sparse.diags(np.sqrt(weights)) @ of_texts]
    ).tocsr()
    prices = np.concatenate([np.zeros(SLOTS), own_prices()])
    system, wanted = (both @ texts.places).tocsr(), texts.costs
    for _ in range(ROUNDS):
        wrong = both @ (wanted - texts.places @ prices)
        prices += lsmr(system, wrong, damp=DAMPING, maxiter=STEPS, atol=0, btol=0)[0]
        found = texts.places @ prices
        wanted = np.where((texts.costs <= 1) & (found < 1), found, texts.costs)
        tell(texts, prices)
    return prices


def tell(texts: Texts, prices) -> None:
    """Prints how exact and estimated tokens of the texts compare."""
    ratios = texts.exact / (texts.counts @ np.maximum(1, texts.places @ prices) + texts.given)
    print(
        len(ratios),
        "texts: least, a tenth, median, nine tenths, most:",
        np.quantile(ratios, [0, 0.1, 0.5, 0.9, 1]).round(3),
    )


def main(folder: str) -> None:
    """Writes the table."""
    prices = fit(Texts(Path(folder)))
    for first, share in RARE_BLOCKS.items():
        prices[SLOTS + (first >> BLOCK)] *= share
    grams = np.clip(np.round(prices[:SLOTS] / STEP), -128, 127) + 128
    blocks = np.clip(np.round(prices[SLOTS:] / BLOCK_STEP), 0, 255)
    packed = zlib.compress(np.concatenate([grams, blocks]).astype(np.uint8).tobytes(), 9)
    TABLE.write_bytes(packed)
    print(len(packed), "bytes")


if __name__ == "__main__":
    main(sys.argv[1])
