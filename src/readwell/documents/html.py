"""HTML becomes Markdown: on request for files, always for the chapters of books and the parts of mail."""

from __future__ import annotations

import codecs
import re

from ..errors import ConversionFailed, TooLarge
from .contract import Converter
from .markdown import plain_ends
from .whole import Whole

VERSION = "1"
MOST_BYTES = 64 << 20
MOST_DEPTH = 1024
HEAD = 2048
CHARSET = re.compile(rb"""<\?xml[^>]*\bencoding=["']([\w.:-]+)|<meta[^>]*\bcharset\s*=\s*["']?([\w.:-]+)""", re.I)
BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def html_markdown(kind: str, html: str) -> str:
    """Returns the Markdown of a page; images that it carries within itself are named and left out."""
    from html_to_markdown import ConversionOptions, PreprocessingOptions, convert

    if len(html) > MOST_BYTES:
        raise TooLarge(MOST_BYTES)
    options = ConversionOptions(
        extract_metadata=False,
        compact_tables=True,
        br_in_tables=True,
        autolinks=False,
        bullets="-",
        sub_symbol="<sub>",
        sup_symbol="<sup>",
        preprocessing=PreprocessingOptions(enabled=False),
        inline_data_media="alt_text_only",
        max_depth=MOST_DEPTH,
        max_input_size=4 * MOST_BYTES,
    )
    result = convert(html, options)
    if any(str(warning.kind) == "depth_limit_exceeded" for warning in result.warnings):
        raise ConversionFailed(kind, f"its HTML is nested more than {MOST_DEPTH} deep")
    return plain_ends((result.content or "").strip())


def decoded(content: bytes) -> str:
    """Returns HTML as text: by its byte order mark, by what it declares, as UTF-8, as Windows-1252."""
    match = CHARSET.search(content[:HEAD])
    return text_of(content, (match[1] or match[2]).decode() if match else "utf-8")


def text_of(content: bytes, declared: str = "utf-8") -> str:
    """Returns bytes as text in the first encoding that fits; `declared` counts only if it names one for text."""
    named = next((name for mark, name in BOMS if content.startswith(mark)), None)
    for encoding in (named or declared, "utf-8"):
        try:
            return content.decode(encoding)
        except (ValueError, LookupError):
            continue
    return content.decode("cp1252", "replace")


def open_html(content: bytes, password: str | None, prepared: bytes) -> Whole:  # noqa: ARG001
    """Opens a page."""
    return Whole(html_markdown("html", decoded(content)))


HTML = Converter("html", VERSION, open_html)
