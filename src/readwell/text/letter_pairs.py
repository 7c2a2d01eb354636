"""How common pairs of letters are in each language: what tells old encodings apart.

The table is made by `scripts/letter_pairs.py` and holds statistics only. It is loaded when a file is neither UTF-8 nor
marked, which is rare.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..named_tuple import NamedTuple

TABLE = Path(__file__).with_name("letter_pairs.z")
LEVELS = "0123456789abcdefghijklmnopqrstuv"
"""A level is the surprise of a pair in steps of half a nat; the last stands for whatever is rarer."""
STEP = 0.5

SPACE, DIGIT, SIGN, QUOTE, HARD_SPACE, SYMBOL, FOREIGN, ODD, LATIN = range(9)
FIRST_LETTER = 8
"""Classes of characters; the letters of a language come behind them, in other scripts behind one class for a to z."""
A_TO_Z = "abcdefghijklmnopqrstuvwxyz"
QUOTES = frozenset("‘’‚“”„«»‹›–—…•·、。，；：？！（）「」『』《》・ー־״׳،؛؟")
SYMBOLS = frozenset("§°€©®™×±²³¹½¼¾µ¿¡ºª№£¥¢¬¶÷¦")
LISTED, UNLISTED = LATIN + 1, LATIN + 2
"""Classes of characters of a language with thousands of them: the commonest, and the others."""
SAME_LETTER = {"ș": "ş", "ț": "ţ"}
"""Romanian letters with a comma, and with the cedilla that most old encodings have in its place."""
WITHIN = {DIGIT: 4, SIGN: 5, QUOTE: 4, SYMBOL: 6, FOREIGN: 9, ODD: 10}
"""How surprising one character of a class is among the others of it, as a level."""
WITHIN_LATIN, WITHIN_UNLISTED = 6, 17


class Language(NamedTuple):
    """A language: its letters, the surprise of each pair of classes, and of each of its commonest characters."""

    classes: dict[str, int]
    width: int
    pairs: bytes
    commonest: dict[str, int]

    def class_of(self, character: str) -> int:
        """Returns the class of a character, in whatever case."""
        if len(character) != 1:
            return FOREIGN
        number = self.classes.get(character)
        if number is None:
            number = self.classes[character] = self._class_of(character)
        return number

    def _class_of(self, character: str) -> int:
        """Returns the class of a character, by which its pairs are counted."""
        if self.commonest and "\u3000" < character < "\ufffd" and character.isalpha():
            return UNLISTED
        folded = character.lower()[0]
        return self.classes[folded] if folded in self.classes else general_class(character)


def general_class(character: str) -> int:
    """Returns the class of a character that is no letter of the language."""
    if character in " \n\t\r\f":
        return SPACE
    if "0" <= character <= "9":
        return DIGIT
    if "!" <= character <= "~":
        return SIGN
    if character in QUOTES:
        return QUOTE
    if character in "\xa0\u3000":
        return HARD_SPACE
    if character in SYMBOLS:
        return SYMBOL
    return FOREIGN if character.isalpha() else ODD


def language_from_row(letters: str, collapsed: bool, pairs: str, commonest: str) -> Language:
    """Returns a language from a row of the table."""
    classes = dict.fromkeys(A_TO_Z, LATIN) if collapsed else {}
    own = letters if collapsed else A_TO_Z + letters
    first = FIRST_LETTER + collapsed
    classes.update({letter: first + number for number, letter in enumerate(own)})
    classes.update({written: classes[letter] for letter, written in SAME_LETTER.items() if letter in classes})
    ranks = {character: LEVELS.index(level) for level, character in zip(commonest[::2], commonest[1::2], strict=True)}
    classes.update(dict.fromkeys(ranks, LISTED))
    width = first + len(own) if not ranks else UNLISTED + 1
    within = {**WITHIN, LATIN: WITHIN_LATIN} if collapsed else WITHIN
    if ranks:
        within = {**within, UNLISTED: WITHIN_UNLISTED}
    surprises = bytes(LEVELS.index(level) + within.get(at % width, 0) for at, level in enumerate(pairs))
    return Language(classes, width, surprises, ranks)


def is_common_letter(character: str) -> bool:
    """Whether a character is a letter of any language, or one of the commonest where there are thousands."""
    for spoken in languages().values():
        number = spoken.class_of(character)
        if character in spoken.commonest or (number >= FIRST_LETTER and not spoken.commonest):
            return True
    return character in QUOTES or character in SYMBOLS


@cache
def languages() -> dict[str, Language]:
    """Returns every language of the table."""
    from zlib import decompress

    rows = [row.split("\t") for row in decompress(TABLE.read_bytes()).decode().split("\n")]
    return {name: language_from_row(letters, collapsed == "1", *rest) for name, collapsed, letters, *rest in rows}
