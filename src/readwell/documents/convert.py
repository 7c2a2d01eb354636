"""A document becomes lines."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConversionFailed, ConverterMissing, ReadError, TooLarge
from ..model import Text, Traits
from ..source import Source
from ..text import HeldText, split_lines

Converter = Callable[[bytes, str], str]
"""(content, base name) -> Markdown."""

MOST_BYTES = 256 << 20
INSTALL = 'pip install "readwell[documents]"'


def convert(source: Source, kind: str, converter: Converter | None) -> Text:
    """Converts the whole document with the caller's own converter."""
    if converter is None:
        raise ConverterMissing(kind, INSTALL)
    if source.size > MOST_BYTES:
        raise TooLarge(MOST_BYTES)
    content = source.read_at(0, source.size)
    try:
        markdown = converter(content, source.name)
    except ReadError:
        raise
    except Exception as error:  # a foreign parser may raise anything
        raise ConversionFailed(kind, str(error).strip().rstrip(".") or type(error).__name__) from error
    if not isinstance(markdown, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConversionFailed(kind, f"the converter returned {type(markdown).__name__}, not str")
    markdown = markdown.encode(errors="replace").decode()
    return HeldText(split_lines(markdown), Traits(encoding="utf-8", newline="lf"))
