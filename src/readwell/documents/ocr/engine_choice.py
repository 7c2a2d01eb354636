"""Which converter recognises scans, by the settings and by what is installed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...import_guard import ImportPath
from ...named_tuple import NamedTuple
from ..converters import ConverterSpec
from ..documents import Ocr
from . import find_installed_engine, find_language_data

VERSION = "3"


class OcrSettings(NamedTuple):
    """Whether pages are recognised, and in which languages; none: those that are installed."""

    mode: Ocr = "auto"
    languages: Sequence[str] = ()

    def checked(self) -> OcrSettings:
        """Returns the settings; raises ValueError if they are invalid."""
        if self.mode not in ("auto", "never", "always"):
            raise ValueError(f'ocr must be "auto", "never" or "always", not {self.mode!r}')
        if any(not name.replace("_", "").isalnum() for name in self.languages):
            raise ValueError(f"ocr_languages must be names such as eng and deu, not {list(self.languages)!r}")
        return self


@lru_cache
def find_recogniser(settings: OcrSettings, printed: bool, import_path: ImportPath) -> ConverterSpec | None:
    """Returns the converter that recognises pages; None where they are not to be, or nothing is installed for it."""
    if settings.mode == "never":
        return None
    engine, data = find_installed_engine(import_path), find_language_data(import_path, settings.languages)
    if engine is None or data is None:
        return None
    languages = "+".join((*data.folders, *data.missing))
    sources = " ".join([*dict.fromkeys(data.folders.values()), data.orientation or "-"])
    lines, pages = "printed" if printed else "paragraphs", "always" if settings.mode == "always" else "auto"
    return ConverterSpec(engine.module, f"{lines},{pages},{languages}", engine.needs, f"{VERSION} {sources}")
