"""Control words of RTF that are alike: characters, marks, groups that are left out."""

from .font_encodings import OTHERWISE

MARKS = {"b": "b", "i": "i", "strike": "s", "striked": "s", "super": "^", "sub": "_"}
TEXTS = {
    "tab": "\t", "line": "\n", "softline": "\n", "bullet": "•", "emdash": "—", "endash": "–", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f",
}  # fmt: skip
IGNORED = frozenset(
    "colortbl info nonshppict shprslt xe tc rxe "
    "bkmkstart bkmkend nonesttables revtbl listtable listoverridetable filetbl template private comment operator "
    "ftnsep ftnsepc aftnsep aftnsepc ftncn aftncn objdata objclass objname themedata colorschememapping datastore "
    "generator rsidtbl latentstyles".split()
)
"""Groups whose text is not that of the document, or stands elsewhere, too."""
QUIET = frozenset("shppict shpinst picprop sp do upr object shp field objattph".split())
"""Groups that have no text of their own, but groups inside that do."""
HEADERS, FOOTERS = (frozenset(f"{name}{which}" for which in ("", "l", "r", "f")) for name in ("header", "footer"))
ENCODINGS = {"ansi": OTHERWISE, "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
