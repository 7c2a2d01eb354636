"""An upper bound of the o200k tokens of a text, far cheaper than counting them.

No token is shorter than a byte. Of ASCII text more is certain; `tests/test_token_bound.py` looks it up.

* Any two neighbours among LETTERS, and a space before one, are a token. Whatever stays apart after merging cannot be
  merged, so of a word no two single letters stay beside each other: n of them are at most (2n + 1) / 3 tokens, which
  is one for each byte less a third for each pair of neighbours. A contraction (`'s`) ends a piece inside a word.
* Digits are taken three at a time, and any three are a token: two thirds less for each pair of neighbours.
* Spaces in a row are one token, or two with the one that belongs to the next word: two less for each four of them.
"""

from stringzilla import count, translate, utf8_count

LETTERS = b"abcdefghilmnoprstuvwy"
MARK = 0x80
"""Not counted by `utf8_count`, which takes it for the continuation of a character."""
WORD_MARKS = bytes(MARK if byte in LETTERS else byte == 0x20 for byte in range(256))
DIGIT_MARKS = bytes(MARK if byte in b"0123456789" else 0 for byte in range(256))
BEGINNING, APOSTROPHE, INDENTED = bytes([0, MARK]), b"'", b"    "


def most_tokens(text: str, enough: int = 0) -> int:
    """Returns a number that the tokens of a text do not exceed; at most its bytes, and no closer than `enough`."""
    raw = text.encode(errors="replace")
    if len(raw) <= enough or not text.isascii():
        return len(raw)
    bound = len(raw) - max(0, _count_pairs(raw, WORD_MARKS) - count(raw, APOSTROPHE)) // 3 - 2 * count(raw, INDENTED)
    return bound if bound <= enough else bound - 2 * _count_pairs(raw, DIGIT_MARKS) // 3


def _count_pairs(raw: bytes, marks: bytes) -> int:
    """Counts marked bytes that directly follow another one; in words also those that follow a space."""
    marked = translate(raw, marks)
    return len(raw) - utf8_count(marked) - count(marked, BEGINNING) - (marked[:1] == b"\x80")
