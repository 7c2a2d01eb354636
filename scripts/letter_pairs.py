"""Makes the table of letter pairs that tells old encodings apart: src/readwell/text/letter_pairs.z.

    python scripts/letter_pairs.py FOLDER    # unpacked Debian packages, see scripts/translated_text.py

The table holds statistics only: which letters a language has, and in 24 steps how rare each pair of them is.
"""

import sys
import unicodedata
import zlib
from collections import Counter
from itertools import pairwise
from math import log
from pathlib import Path

from translated_text import TRAINING, texts

from readwell.text.letter_pairs import LEVELS, ODD, STEP, TABLE, general_class, language_from_row

RANKED = {"zh_CN": 1000, "zh_TW": 1000, "ja": 900, "ko": 600}
"""Languages with thousands of characters, and how many of them are listed."""
COLLAPSED = "ru uk bg sr mk be el he ar fa th".split()
MIN_SHARE = 2e-5
MAX_TEXT = 1_500_000
COARSEST = 24
TONES = "\u0300\u0301\u0303\u0309\u0323"


def main(folder: str) -> None:
    """Writes the table."""
    rows = [row_of(name, found) for name, found in sorted(texts(Path(folder), TRAINING, MAX_TEXT).items())]
    packed = zlib.compress("\n".join(rows).encode(), 9)
    TABLE.write_bytes(packed)
    print(f"{len(rows)} languages, {len(packed)} bytes")


def row_of(name: str, text: str) -> str:
    """Returns a language's row: its letters, the levels of their pairs, its commonest characters."""
    if name == "vi":
        text = with_tones_apart(text)
    collapsed = name in COLLAPSED or name in RANKED
    commonest = commonest_of(text, RANKED[name]) if name in RANKED else ""
    letters = "" if commonest else letters_of(text)
    pairs = levels_of_pairs(text, letters, collapsed, commonest)
    return "\t".join((name, str(int(collapsed)), letters, pairs, commonest))


def letters_of(text: str) -> str:
    """Returns the letters and marks beyond ASCII that a language uses, the commonest first."""
    folded = Counter(character.lower()[0] for character in text if character > "\x7f")
    least = MIN_SHARE * len(text)
    return "".join(
        letter
        for letter, count in folded.most_common(90)
        if count >= least and unicodedata.category(letter)[0] in "LM" and general_class(letter) >= 6
    )


def commonest_of(text: str, count: int) -> str:
    """Returns the commonest characters, a level before each."""
    counted = Counter(each for each in text if "\u3000" < each < "\ufffd" and each.isalpha())
    total = counted.total()
    return "".join(f"{level(n / total)}{character}" for character, n in counted.most_common(count))


def levels_of_pairs(text: str, letters: str, collapsed: bool, commonest: str) -> str:
    """Returns a level for each pair of classes, row by row."""
    found = language_from_row(letters, collapsed, "", commonest)
    classes = [found.class_of(character) for character in text]
    single = Counter(classes)
    pairs = Counter(pairwise(classes))
    width, total = found.width, len(classes)
    share = [(single[each] + 0.5) / (total + 0.5 * width) for each in range(width)]
    share[ODD] = min(share[ODD], 1e-6)
    levels: list[str] = []
    for first in range(width):
        for second in range(width):
            chance = (pairs[first, second] + 5 * share[second]) / (single[first] + 5)
            levels.append(level(chance))
    return "".join(levels)


def level(chance: float) -> str:
    """Returns the level of a chance."""
    return LEVELS[min(COARSEST, round(-log(chance) / STEP))]


def with_tones_apart(text: str) -> str:
    """Returns Vietnamese as its old encoding writes it: letters, then their tones."""
    return "".join(_tone_apart(character) if character > "\x7f" else character for character in text)


def _tone_apart(character: str) -> str:
    marks = unicodedata.normalize("NFD", character)
    tone = "".join(mark for mark in marks if mark in TONES)
    return unicodedata.normalize("NFC", "".join(mark for mark in marks if mark not in TONES)) + tone


if __name__ == "__main__":
    main(sys.argv[1])
