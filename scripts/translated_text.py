"""Translated text from unpacked Debian packages, by language: manual pages, help pages, messages of programs.

    apt-get download PACKAGE …; dpkg-deb -x PACKAGE.deb FOLDER/PACKAGE

Packages of Debian 12 and their licences:

* manpages-cs -da -de -el -es -fi -fr -hu -it -mk -nb -nl -pl -pt-br -ro -ru -sr -sv -uk -vi (GPL-3+, and those of the
  pages), manpages-ja, manpages-tr, manpages-zh (GPL, MIT, BSD, GFDL)
* gnome-user-docs (CC-BY-SA-3.0)
* messages of apt, aptitude-common, bash, coreutils, debconf-i18n, dpkg, epiphany-browser-data, evince-common,
  evolution-common, gedit-common, gettext, gimp-data, gnome-control-center-data, gnucash-common, gnumeric-common,
  gnupg-l10n, inkscape, libc-l10n, libglib2.0-data, libgtk-3-common, nautilus-data, pidgin-data, rhythmbox-data,
  synaptic, totem-common, transmission-common, vim-runtime, wget (GPL, LGPL; debconf BSD; vim's own)

Each text falls into one of two halves by a hash of its name, or of the original message: one for the table, one that
stays unseen.
"""

import gettext
import gzip
import hashlib
import html
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast

LANGUAGES = frozenset(
    (
        "en fr de es pt it nl sv da nb fi is ca gl pl cs sk hu sl hr ro sq lt lv et tr ru uk bg sr mk be el he ar fa"
        " th vi ja zh_CN zh_TW ko eo"
    ).split()
)
SAME = {"pt_BR": "pt", "nn": "nb", "no": "nb", "en_GB": "en", "C": "en"}
TRAINING, UNSEEN = 0, 1
SHORTEST = 60
CATALOGUES = (
    "*/usr/share/locale",
    "*/usr/lib/libreoffice/program/resource",
    "*/usr/share/games/wesnoth/*/locale",
)


class Document(NamedTuple):
    """A text in a language, where it comes from, and the half it belongs to."""

    language: str
    origin: str
    name: str
    half: int
    text: str


def documents(folder: Path) -> Iterator[Document]:
    """Yields every text of the packages in one of LANGUAGES."""
    return (found for found in documents_of_all(folder) if found.language in LANGUAGES)


def documents_of_all(folder: Path) -> Iterator[Document]:
    """Yields every text of the packages in whatever language."""
    for found in (*_manual_pages(folder), *_help_pages(folder), *_messages(folder)):
        if len(found.text) >= SHORTEST:
            yield found


def texts(folder: Path, half: int, most: int) -> dict[str, str]:
    """Returns a long text in each language, an equal share from each origin as far as it goes."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for document in documents(folder):
        if document.half == half:
            found[document.language][document.origin].append(document.text)
    return {
        language: "\n".join("\n".join(each)[: most // len(origins)] for each in origins.values())
        for language, origins in found.items()
    }


def half_of(name: str) -> int:
    """Returns the half of a name."""
    return hashlib.sha256(name.encode()).digest()[0] & 1


def _language(name: str) -> str:
    name = name.partition(".")[0]
    return SAME.get(name, name)


def _manual_pages(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.glob("manpages-*/usr/share/man/*/man*/*.gz")):
        raw = b"" if path.is_symlink() else gzip.decompress(path.read_bytes())
        try:
            yield Document(_language(path.parts[-3]), "manual", path.name, half_of(path.name), raw.decode())
        except UnicodeDecodeError:
            continue


def _help_pages(folder: Path) -> Iterator[Document]:
    english = {line for path in folder.glob("*/usr/share/help/C/*/*.page") for line in _lines(path)}
    for path in sorted(folder.glob("*/usr/share/help/*/*/*.page")):
        language = _language(path.parts[-3])
        lines = [line for line in _lines(path) if language == "en" or line not in english]
        yield Document(language, "help", path.name, half_of(path.name), "\n".join(lines))


def _lines(path: Path) -> list[str]:
    text = re.sub(r"<(info|credit)\b.*?</\1>", "", path.read_text(), flags=re.DOTALL)
    stripped = (line.strip() for line in html.unescape(re.sub("<[^>]*>", "", text)).split("\n"))
    return [line for line in stripped if line]


def _messages(folder: Path) -> Iterator[Document]:
    told: set[tuple[str, str]] = set()
    for path in sorted(found for place in CATALOGUES for found in folder.glob(f"{place}/*/LC_MESSAGES/*.mo")):
        language = _language(path.parts[-3])
        halves: tuple[list[str], list[str]] = ([], [])
        for original, translated in _catalogue(path):
            if (language, original) not in told and (original != translated or language == "en"):
                told.add((language, original))
                halves[half_of(original)].append(re.sub("<[^>]*>|[_&]", "", translated))
        for half, lines in enumerate(halves):
            yield Document(language, "messages", path.name, half, "\n".join(lines))


def _catalogue(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with path.open("rb") as file:
            catalogue: dict[object, str] = vars(gettext.GNUTranslations(file))["_catalog"]
    except (ValueError, IndexError, OSError):
        return
    for key, translated in catalogue.items():
        original = str(cast("tuple[object, ...]", key)[0] if isinstance(key, tuple) else key).rpartition("\x04")[2]
        if original and len(translated) >= 12:
            yield original, translated
