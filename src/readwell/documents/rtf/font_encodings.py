"""The fonts of an RTF: which encoding decodes the bytes of a text set in each; symbol fonts."""

from __future__ import annotations

import codecs

from ..docx.symbols import UNKNOWN, symbol

CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp437",
}  # fmt: skip
CODE_PAGES = {65001: "utf-8", 10000: "mac_roman", 932: "cp932", 936: "gbk", 949: "cp949", 950: "big5", 1361: "johab"}
SYMBOLS = 2
OTHERWISE = "cp1252"


class Font:
    """A font: its name, and its character set."""

    def __init__(self) -> None:
        self.name, self.encoding, self.is_symbols = "", "", False

    def set_charset(self, number: int) -> None:
        """Notes the character set."""
        self.encoding, self.is_symbols = CHARSETS.get(number, ""), number == SYMBOLS

    def set_code_page(self, number: int) -> None:
        """Notes the code page."""
        self.encoding = encoding_of(number)

    def text_of(self, raw: bytes, encoding: str) -> str:
        """Returns bytes as text; `encoding` is that of the document."""
        if self.is_symbols:
            return "".join(_symbol_character(self.name, code) for code in raw)
        return decoded(raw, self.encoding or encoding)

    def character(self, number: int) -> str:
        """Returns the character of a number: that of a symbol font has a place of its own in Unicode."""
        return _symbol_character(self.name, number & 0xFF) if 0xF000 <= number <= 0xF0FF else chr(number)


def encoding_of(code_page: int) -> str:
    """Returns the encoding of a code page; empty where there is none."""
    name = CODE_PAGES.get(code_page, f"cp{code_page}")
    try:
        return codecs.lookup(name).name if code_page > 0 else ""
    except LookupError:
        return ""


def decoded(raw: bytes, encoding: str) -> str:
    """Returns bytes as text; one that the encoding does not have is what Latin-1 has."""
    if raw.isascii():
        return raw.decode("ascii")
    try:
        return raw.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return (
            "".join(_decode_byte(raw[at : at + 1], encoding) for at in range(len(raw)))
            if encoding == OTHERWISE
            else (raw.decode(encoding, "replace"))
        )


def _decode_byte(byte: bytes, encoding: str) -> str:
    """Returns the character of a single byte."""
    try:
        return byte.decode(encoding)
    except UnicodeDecodeError:
        return byte.decode("latin-1")


def _symbol_character(name: str, code: int) -> str:
    """Returns the character that a symbol font shows for a code."""
    sign = symbol(name, f"{code:x}")
    return chr(code) if sign == UNKNOWN and code < 0x20 else "•" if sign == UNKNOWN else sign
