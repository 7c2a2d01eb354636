"""Texts that name their encoding themselves, as web pages and mail do; a wrong or missing name is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..named_tuple import NamedTuple
from ..text.decode import MARK, decoded_text, encoding_by_bom
from ..text.encoding_detection import detect_encoding
from .guessed_encoding import HEAD

CODEC_NAMES = {
    "ansi": "cp1252", "gb2312": "gb18030", "gb_2312-80": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252",
    "iso-8859-11": "cp874", "iso-8859-8-i": "iso8859-8", "iso-8859-9": "cp1254", "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949", "latin1": "cp1252", "shift-jis": "cp932", "shift_jis": "cp932", "sjis": "cp932",
    "tis-620": "cp874", "unicode-1-1-utf-8": "utf-8", "utf8mb4": "utf-8", "windows-874": "cp874", "x-gbk": "gb18030",
    "x-mac-cyrillic": "mac_cyrillic", "x-mac-roman": "mac_roman", "x-sjis": "cp932",
}  # fmt: skip
"""Names that Python does not know, or reads as fewer characters than those who write them, and browsers, mean."""
NOT_BY_THEIR_NAME = re.compile("utf-?(?:16|32)(?:-?[lb]e)?|ucs-?[24].*|us-ascii|ascii")
"""Encodings that are recognised or not there: a declaration that can be read is not in UTF-16, ASCII needs no name."""
NAME = re.compile(r"[\w.:-]{1,40}", re.ASCII)
SURELY_UTF8 = 5
"""Characters beyond ASCII that are UTF-8 by no chance."""
OUTWEIGHS = 10
"""How many characters beyond ASCII outweigh a place that cannot be decoded, in the encoding that is declared."""


class DecodedText(NamedTuple):
    """A text, and comments on how it was decoded."""

    text: str
    notices: list[str]


def decoded_as_declared(content: bytes, declared: str = "") -> DecodedText:
    """Returns a text by its byte order mark, by the encoding that it declares if that fits, or by a guess."""
    marked = encoding_by_bom(content)
    if marked:
        return _decoded(content[marked.bom :], marked.codec)
    declared = declared.strip()
    codec = _codec_of(declared)
    if not codec:
        return _detected(content, _why_not_as_declared(declared))
    if codec != "utf-8" and _is_surely_utf8(content):
        return _decoded(content, "utf-8", [f"<!-- read as utf-8, not as {declared}, which is declared -->"])
    decoded = _decoded(content, codec)
    return decoded if _fits(decoded.text) else _detected(content, f"{declared} is declared and does not fit")


def _codec_of(declared: str) -> str:
    """Returns the codec of a declared name; empty where it is unknown, or says nothing."""
    name = declared.lower()
    if not NAME.fullmatch(name) or NOT_BY_THEIR_NAME.fullmatch(name):
        return ""
    codec = CODEC_NAMES.get(name, name)
    try:
        return codec if b"<a1>".decode(codec) == "<a1>" else ""
    except (LookupError, ValueError):
        return ""


def _why_not_as_declared(declared: str) -> str:
    """Returns why a name says nothing of the encoding."""
    if not NAME.fullmatch(declared):
        return "none is declared"
    is_unfit = NOT_BY_THEIR_NAME.fullmatch(declared.lower())
    return f"{declared} is declared and {'does not fit' if is_unfit else 'is not known'}"


def _is_surely_utf8(content: bytes) -> bool:
    """Whether all is UTF-8, with more characters beyond ASCII than chance would make of another encoding."""
    if content.isascii():
        return False
    try:
        return _count_beyond_ascii(content.decode()) >= SURELY_UTF8
    except UnicodeDecodeError:
        return False


def _fits(text: str) -> bool:
    """Whether what cannot be decoded is rare beside characters that ASCII does not have."""
    broken = text.count("\ufffd")
    return not broken or _count_beyond_ascii(text) - broken >= OUTWEIGHS * broken


def _count_beyond_ascii(text: str) -> int:
    """Returns how many characters of a text are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _detected(content: bytes, reason: str) -> DecodedText:
    """Returns a text in the encoding that is found in it; a guess is told, and why it was needed."""
    found = detect_encoding(content[:HEAD], len(content) <= HEAD, lambda: (content[HEAD : 16 * HEAD],))
    if found is None or found.guess != "guessed":
        return _decoded(content, found.codec if found else "utf-8")
    other = f" (or {found.runner_up})" if found.runner_up else ""
    return _decoded(content, found.codec, [f"<!-- encoding guessed: {found.codec}{other}; {reason} -->"])


def _decoded(content: bytes, codec: str, notices: Sequence[str] = ()) -> DecodedText:
    """Returns a text in an encoding, and adds how much of it cannot be decoded."""
    text = decoded_text(content, codec)
    if broken := text.count(MARK):
        places = "1 place that is" if broken == 1 else f"{broken:,} places that are"
        notices = [*notices, f"<!-- {places} no {codec}: shown as \ufffd -->"]
    return DecodedText(text.replace(MARK, "\ufffd"), list(notices))
