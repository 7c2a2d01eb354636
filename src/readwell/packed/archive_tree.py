"""`ArchiveTree`: the members of an archive as a tree of folders, from the child's listing. Names are only data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ..errors import ConversionFailed
from ..model import Notice
from ..named_tuple import NamedTuple
from .archive_listing import decode_listing

FOLDER = -1
"""Stands for a folder where a member has a number."""
Kind = Literal["directory", "file", "link", "other"]
SPARSE = ord("s")
KINDS: dict[int, Kind] = {ord("f"): "file", SPARSE: "file", ord("l"): "link", ord("o"): "other"}
FILE, FOLDER_KIND = ord("f"), ord("d")
NO_NAMES, SHORT = ("", ".", ".."), 60
LEADS_NOWHERE = re.compile(r"(?:^|/)\.{1,2}(?:/|$)|//|\0|^/|^$")
"""Parts that a name in an archive must not have: whoever unpacked it could be led out of a folder."""
LEFT_OUT = "members-left-out"
LONGEST_PART, LONGEST_NAME = 255, 4000
LONG_PART = re.compile(r"[^/]{86}")
"""A part that is shorter has no more than 255 bytes."""


class ArchiveTree(NamedTuple):
    """The members of an archive, by number; each folder maps names to numbers, or to `FOLDER`."""

    folders: dict[str, dict[str, int]]
    kinds: bytes
    sizes: Sequence[int]
    locations: Sequence[Sequence[int]]
    """Columns of what the unpacker needs to find each."""
    remarks: tuple[Notice, ...]

    def kind_of(self, number: int) -> Kind:
        """Says what a member is."""
        return "directory" if number == FOLDER else KINDS[self.kinds[number]]

    def remarks_in(self, folder: str) -> Sequence[Notice]:
        """Returns what is said of it in a folder: what is left out of it is said at its top alone."""
        return [each for each in self.remarks if not folder or each.code != LEFT_OUT]

    def find(self, names: Sequence[str]) -> tuple[int, int] | None:
        """Returns the first member on a path, or `FOLDER`, and how many names lead to it; None: it leads nowhere."""
        folder = ""
        for taken, name in enumerate(names, 1):
            number = self.folders[folder].get(name)
            if number is None:
                return None
            if number != FOLDER:
                return number, taken
            folder = f"{folder}/{name}" if folder else name
        return FOLDER, len(names)


def archive_from_listing(encoded: bytes, damage: str, packing: str) -> ArchiveTree:
    """Returns an archive as a child listed it; raises ConversionFailed where that is no listing."""
    try:
        names, kinds, (sizes, *locations) = decode_listing(encoded)
    except ValueError as error:
        raise ConversionFailed(packing, "the unpacker sent what is no listing") from error
    folders, left_out = _folder_tree(names, kinds)
    remarks: list[Notice] = []
    if damage:
        remarks.append(Notice("damaged", f"{damage}: what is listed is what could be read"))
    if left_out:
        what = f"{left_out} member{'s' * (left_out != 1)} left out: their names lead out of the archive, or stand twice"
        remarks.append(Notice(LEFT_OUT, what))
    return ArchiveTree(folders, kinds, sizes, locations=locations, remarks=tuple(remarks))


def _folder_tree(names: list[str], kinds: bytes) -> tuple[dict[str, dict[str, int]], int]:
    """Returns the folders, and how many members are in none of them."""
    if flat := _flat_folder(names, kinds):
        return {"": flat}, 0
    folders: dict[str, dict[str, int]] = {"": {}}
    left_out = 0
    for number, name in enumerate(names):
        folder, _, base = name.rpartition("/")
        entries = folders.get(folder)
        # Most members are plain files in a folder that was met before, and need not be looked at twice.
        is_new = entries is not None and base not in entries and base not in NO_NAMES and name[0] != "/"
        if entries is not None and is_new and len(name) < SHORT and kinds[number] == FILE:
            entries[base] = number
            continue
        left_out += not _enter_member(folders, number, name, kinds[number])
    return folders, left_out


def _flat_folder(names: list[str], kinds: bytes) -> dict[str, int]:
    """Returns the one folder of an archive of files without folders, made at once; empty where it is not so simple."""
    together = "/".join(names)
    if together.count("/") != len(names) - 1 or kinds.strip(b"f") or max(map(len, names)) >= SHORT:
        return {}
    entries = dict(zip(names, range(len(names)), strict=True))
    return entries if len(entries) == len(names) and not any(name in entries for name in NO_NAMES) else {}


def _enter_member(folders: dict[str, dict[str, int]], number: int, name: str, kind: int) -> bool:
    """Enters a member; False where its name leads nowhere, or something else has it. The last of two files counts."""
    name = name.removeprefix("./")
    is_folder = kind == FOLDER_KIND or name.endswith("/")
    path = name.rstrip("/")
    if is_folder and path in ("", "."):
        return True
    if LEADS_NOWHERE.search(path) or _is_too_long(path):
        return False
    folder, _, base = path.rpartition("/")
    if not _make_folders(folders, folder):
        return False
    entries = folders[folder]
    if is_folder:
        return _make_folders(folders, path)
    before = entries.get(base)
    if before == FOLDER:
        return False
    entries[base] = number
    return before is None


def _is_too_long(path: str) -> bool:
    """Says whether a name is longer than any path may be."""
    if len(path) <= LONGEST_PART // 4:
        return False
    if len(path.encode(errors="surrogateescape")) > LONGEST_NAME:
        return True
    return LONG_PART.search(path) is not None and any(
        len(part.encode(errors="surrogateescape")) > LONGEST_PART for part in path.split("/")
    )


def _make_folders(folders: dict[str, dict[str, int]], path: str) -> bool:
    """Makes a folder and those above it; False where a file has its name."""
    missing: list[str] = []
    while path not in folders:
        missing.append(path)
        path = path.rpartition("/")[0]
    for each in reversed(missing):
        folder, _, base = each.rpartition("/")
        if folders[folder].setdefault(base, FOLDER) != FOLDER:
            return False
        folders[each] = {}
    return True
