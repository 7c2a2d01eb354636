"""Characters of the fonts Symbol and Wingdings by number, as DOCX and RTF name them."""

GREEK = dict(zip("ABGDEZHQIKLMNXOPRSTUFCYW", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True))
SIGNS = {
    "symbol": {
        0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x40: "≅", 0x5E: "⊥", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←",
        0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•",
        0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCD: "⊆",
        0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨",
        0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
    },
    "wingdings": {
        0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "☐", 0x76: "❖", 0x9F: "•",
        0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗",
        0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
    },
    "wingdings 2": {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x54: "☒", 0xA3: "☐"},
}  # fmt: skip
UNKNOWN = "\ufffd"


def symbol(font: str, code: str) -> str:
    """Returns the character; U+FFFD where the font or the number is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return UNKNOWN
    if not 0xF000 <= number <= 0xF0FF and number > 0xFF:
        return chr(number) if number < 0xD800 else UNKNOWN
    number &= 0xFF
    sign = SIGNS.get(font.lower(), {}).get(number)
    if sign is None and font.lower() == "symbol" and 0x20 <= number < 0x7F:
        letter = chr(number)
        greek = GREEK.get(letter.upper(), letter)
        return greek if letter.isupper() else greek.lower()
    return sign or UNKNOWN
