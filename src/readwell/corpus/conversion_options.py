"""`Options`: how documents are converted, as a value that travels to other processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import cast

from ..policy import Denials
from ..tool import Ocr, PdfLines

DEADLINE_S = 600.0


@dataclass(frozen=True)
class Options:
    """How documents are converted; equal options give equal texts. Can be pickled.

    Args:
        documents: Convert documents; False: only texts are read, a PDF is an error.
        passwords: Passwords of locked documents, by the name of the file or a pattern such as `"*.pdf"`.
        ocr: Which pages of a PDF are recognised: `"auto"`, `"never"` or `"always"`.
        ocr_languages: Languages of scans, such as `("eng", "deu")`.
        pdf_lines: What a line of a PDF is: `"paragraphs"` or `"printed"`.
        deadline_s: Seconds for one document.
        cache_dir: Directory for converted pages that processes of one machine share; None: none is kept.
        roots: Directories and addresses outside of which nothing is read; empty: nothing is confined.
        denials: What may not be read inside the roots.
        audit: File to which a line is appended for each document that was converted or could not be, by its source.
        caller: Name of the caller in that file.
    """

    documents: bool = True
    passwords: Mapping[str, str] | tuple[tuple[str, str], ...] = field(default=(), repr=False)
    ocr: Ocr = "auto"
    ocr_languages: tuple[str, ...] = ()
    pdf_lines: PdfLines = "paragraphs"
    deadline_s: float = DEADLINE_S
    cache_dir: str | None = None
    roots: tuple[str, ...] = ()
    denials: Denials | None = None
    audit: str | None = None
    caller: str | None = None

    def __post_init__(self) -> None:
        """Makes lists, mappings and single words tuples, so that options can be compared and hashed."""
        passwords = self.passwords.items() if isinstance(self.passwords, Mapping) else self.passwords
        object.__setattr__(self, "passwords", tuple((str(name), str(word)) for name, word in passwords))
        for name in ("ocr_languages", "roots"):
            value: str | Iterable[str] = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))

    def password_of(self, source: str) -> str | None:
        """Returns the password of a document: that of the first name or pattern that matches."""
        name = source.rpartition("/")[2]
        pairs = cast("tuple[tuple[str, str], ...]", self.passwords)
        return next((word for pattern, word in pairs if pattern in (name, source) or fnmatchcase(name, pattern)), None)

    def text_shaping_options(self) -> dict[str, object]:
        """Returns those options that change what is written, without passwords."""
        return {
            "documents": self.documents,
            "ocr": self.ocr,
            "ocr_languages": list(self.ocr_languages),
            "pdf_lines": self.pdf_lines,
        }
