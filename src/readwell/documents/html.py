"""HTML becomes Markdown: on request for files, always for the chapters of books and the parts of mail."""

from __future__ import annotations

import re
from itertools import islice

from ..errors import ConversionFailed, TooLarge
from .clean_markdown import remove_controls
from .contract import Converter
from .declared_encoding import decoded_as_declared
from .guessed_encoding import load_encodings
from .markdown_blocks import TOLD_HIDDEN
from .single_unit import SingleUnit

VERSION = "4"
MAX_BYTES = 64 << 20
MAX_DEPTH = 1024
HEAD = 2048
CHARSET = re.compile(rb"""<\?xml[^>]*\bencoding=["']([\w.:-]+)|<meta[^>]*\bcharset\s*=\s*["']?([\w.:-]+)""", re.I)
HIDING = re.compile(r"(\shidden(?=[\s=>/]))|display\s*:\s*none|visibility\s*:\s*hidden", re.I)
STYLED = re.compile(r"""\sstyle\s*=\s*["'][^"']*$""", re.I)
LONGEST_TAG = 2000
MAX_LOOKED_AT = 1000


def html_markdown(format_name: str, html: str) -> str:
    """Returns the Markdown of a decoded page; images that it carries within itself are named and left out."""
    from html_to_markdown import ConversionOptions, PreprocessingOptions, convert

    if len(html) > MAX_BYTES:
        raise TooLarge(MAX_BYTES)
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
        max_depth=MAX_DEPTH,
        max_input_size=4 * MAX_BYTES,
    )
    result = convert(html, options)
    if any(str(warning.kind) == "depth_limit_exceeded" for warning in result.warnings):
        raise ConversionFailed(format_name, f"its HTML is nested more than {MAX_DEPTH} deep")
    written = remove_controls((result.content or "").strip())
    return f"{written}\n\n{TOLD_HIDDEN}" if _has_hidden_element(html) else written


def _has_hidden_element(html: str) -> bool:
    """Whether an element is hidden by itself: what a style sheet hides is not."""
    return any(_in_a_tag(html, match) for match in islice(HIDING.finditer(html), MAX_LOOKED_AT))


def _in_a_tag(html: str, match: re.Match[str]) -> bool:
    """Says whether a match is in a tag, not in the text or in a quoted value."""
    start = max(0, match.start() - LONGEST_TAG)
    opened = html.rfind("<", start, match.start())
    before = html[opened + 1 : match.start()]
    if opened < 0 or ">" in before:
        return False
    if match[1]:
        return before.count('"') % 2 == before.count("'") % 2 == 0 and not before.startswith(("!", "input"))
    return STYLED.search(before) is not None


def html_bytes_markdown(format_name: str, content: bytes) -> str:
    """Returns the Markdown of a page as it is in a file, below what is told of its encoding."""
    decoded = decoded_as_declared(content, encoding_declared_in(content))
    return "\n\n".join([*decoded.notices, html_markdown(format_name, decoded.text)])


def encoding_declared_in(content: bytes) -> str:
    """Returns the name of the encoding that a page declares; empty where there is none."""
    match = CHARSET.search(content[:HEAD])
    return (match[1] or match[2]).decode() if match else ""


def open_html(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a page."""
    return SingleUnit(html_bytes_markdown("html", content))


HTML = Converter("html", VERSION, open_html, load_encodings)
