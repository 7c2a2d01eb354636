"""The encoding of a text that a converter reads: detected, and named in a comment where it is guessed."""

from __future__ import annotations

import encodings
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from ..errors import ConversionFailed
from ..text.decode import Encoding
from ..text.encoding_detection import detect_encoding

HEAD = 1 << 16
"""Bytes from which an encoding is detected."""


def encoding_of(format_name: str, content: bytes) -> Encoding:
    """Returns the encoding of a text; raises ConversionFailed for what is none."""
    encoding = detect_encoding(content[:HEAD], len(content) <= HEAD, lambda: (content[HEAD : 16 * HEAD],))
    if encoding is None:
        raise ConversionFailed(format_name, "it is no text")
    return encoding


def guess_notice(encoding: Encoding) -> list[str]:
    """Returns a comment that names an encoding that was guessed; as text, the file can be read in another one."""
    if encoding.guess != "guessed":
        return []
    other = f"encoding={encoding.runner_up}" if encoding.runner_up else "encoding=NAME"
    return [f"<!-- encoding guessed: {encoding.codec}; if letters look wrong, read it with view=source {other} -->"]


def load_encodings() -> bytes:
    """Loads all encodings, and what guessing one needs, before the cage shuts; returns no sample."""
    for module in iter_modules(encodings.__path__, "encodings."):
        with suppress(ImportError):  # those of other systems
            import_module(module.name)
    detect_encoding("имя и размер".encode("cp1251"), True)
    return b""
