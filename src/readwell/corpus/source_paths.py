"""Sources of a corpus: files, folders to their bottom, globs and remote folders, as paths in a lasting order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import partial

from ..deadline import Deadline
from ..dialects.params import check_path
from ..errors import InvalidRequest, NotFound, ReadError, WrongKind
from ..path_names import entry_path, is_remote_root, without_user_info
from ..source import Opener, Source, SourceExtras
from .conversion_options import Options
from .process_tools import WILDCARDS, deadline_after, opener_for

ANY_DEPTH = "**"
LISTING_S = 24 * 3600.0
"""Seconds that listing one source may take."""
ASKED_AT_ONCE = 16
"""Objects whose servers are asked at the same time whether they have changed."""


LeftOut = Callable[[int], None]
"""Told how many entries of a folder stand for nothing, because no path leads there."""


def find_sources(*given: str, options: Options | None = None, left_out: LeftOut = lambda _: None) -> list[str]:
    """Returns the files that some paths, folders, globs and addresses stand for, each once, in order.

    A folder stands for every regular file below it, by the order of their paths; links to folders are not followed, and
    what the policy denies is left out. A path that does not exist stays, so that its failure is told.
    `left_out` is called with the number of entries of a remote folder that no path leads to.
    """
    options = options or Options()
    paths: dict[str, None] = {}
    for each in given:
        paths.update(dict.fromkeys(_sources_of(each, options, left_out)))
    return list(paths)


def is_folder(path: str, options: Options) -> bool:
    """Says whether a path is a directory, here or in a store."""
    if not _is_valid_path(path):
        return False
    opener, deadline = opener_for(path, options), deadline_after(LISTING_S)
    target = opener.target_of(opener.locate(path), deadline)
    return target is not None and target.kind == "directory"


def _is_valid_path(path: str) -> bool:
    try:
        check_path(path)
    except InvalidRequest:
        return False
    return True


def check_addresses(paths: Iterable[str]) -> None:
    """Raises ValueError for addresses that can never be read, such as one with a password in it."""
    addresses = [path for path in paths if "://" in path]
    for address in addresses:
        if without_user_info(address) != address:
            scheme = address.partition("://")[0]
            raise ValueError(f"a source must not contain user info: {scheme}://…; set credentials in the environment")
    origins = {tuple(path.split("/", 3)[:3]): path for path in addresses if is_remote_root(path)}
    for address in origins.values():
        opener_for(address, Options())


def current_stamps(addresses: Sequence[str], options: Options) -> list[str]:
    """Returns the stamps of objects as their servers tell them now; empty where there is none."""
    with ThreadPoolExecutor(ASKED_AT_ONCE) as threads:
        return list(threads.map(partial(_current_stamp, options=options), addresses))


def _current_stamp(address: str, options: Options) -> str:
    try:
        opener = opener_for(address, options)
        target = opener.target_of(opener.locate(address), deadline_after(options.deadline_s))
    except ReadError:
        return ""
    return target.stamp if target else ""


def _sources_of(path: str, options: Options, left_out: LeftOut) -> Iterator[str]:
    if not _is_valid_path(path):
        yield path
        return
    opener, deadline = opener_for(path, options), deadline_after(LISTING_S)
    target = opener.target_of(opener.locate(path), deadline)
    if target is not None and target.kind == "directory":
        yield from _files_below(path.rstrip("/") or path, opener, deadline, left_out)
    elif target is None and re.search(WILDCARDS, path):
        yield from _paths_matching(path, opener, deadline, left_out)
    else:
        yield path


def _paths_matching(pattern: str, opener: Opener, deadline: Deadline, left_out: LeftOut) -> Iterator[str]:
    """Yields the files that match a glob, and folders that may hold some but cannot be listed; else the pattern."""
    names = pattern.split("/")
    first = next(number for number, name in enumerate(names) if re.search(WILDCARDS, name))
    folder = "/".join(names[:first]) or ("/" if pattern.startswith("/") else ".")
    parts = [*names[first:], "*"] if names[-1] == ANY_DEPTH else names[first:]
    skipped = len(folder) + (not folder.endswith("/"))
    any_found = False

    def may_hold(path: str) -> bool:
        return _may_hold_match(parts, path[skipped:].split("/"))

    for path, is_directory in _files_and_unlistable_folders(folder, opener, deadline, may_hold, left_out):
        if is_directory or _glob_matches(parts, path[skipped:].split("/")):
            any_found = True
            yield path if names[:first] or path == folder else path[skipped:]
    if not any_found:
        yield pattern


def _glob_matches(parts: Sequence[str], names: Sequence[str]) -> bool:
    """Says whether the names of a path match the parts of a glob; a wildcard matches no leading dot."""
    if not parts:
        return not names
    if parts[0] == ANY_DEPTH and _glob_matches(parts[1:], names):
        return True
    if not names or (names[0].startswith(".") and not parts[0].startswith(".")):
        return False
    if parts[0] == ANY_DEPTH:
        return _glob_matches(parts, names[1:])
    return fnmatchcase(names[0], parts[0]) and _glob_matches(parts[1:], names[1:])


def _may_hold_match(parts: Sequence[str], names: Sequence[str]) -> bool:
    """Says whether a folder may hold something that matches the parts of a glob."""
    if not parts or not names:
        return bool(parts)
    if parts[0] == ANY_DEPTH and _may_hold_match(parts[1:], names):
        return True
    if names[0].startswith(".") and not parts[0].startswith("."):
        return False
    if parts[0] == ANY_DEPTH:
        return _may_hold_match(parts, names[1:])
    return fnmatchcase(names[0], parts[0]) and _may_hold_match(parts[1:], names[1:])


def _files_below(folder: str, opener: Opener, deadline: Deadline, left_out: LeftOut) -> Iterator[str]:
    """Yields the regular files below a folder, and folders that cannot be listed, so that their failure is a row."""
    for path, _ in _files_and_unlistable_folders(folder, opener, deadline, lambda _: True, left_out):
        yield path


def _files_and_unlistable_folders(
    folder: str, opener: Opener, deadline: Deadline, is_wanted: Callable[[str], bool], left_out: LeftOut
) -> Iterator[tuple[str, bool]]:
    """Yields files in the order of their paths, and those of the wanted folders that cannot be listed, with True."""
    ahead = [(folder, True)]
    while ahead:
        path, is_directory = ahead.pop()
        if not is_directory:
            yield path, False
            continue
        try:
            with opener.open(opener.locate(path), deadline) as source:
                entries = sorted(_shown_entries(source)) if source.is_directory else []
                left_out(SourceExtras(source).unnamed_keys)
        except (NotFound, WrongKind):
            continue
        except ReadError:
            yield path, True
            continue
        below = [(entry_path(path, name), is_folder) for name, is_folder in reversed(entries)]
        ahead += [(path, is_folder) for path, is_folder in below if not is_folder or is_wanted(path)]


def _shown_entries(source: Source) -> Iterator[tuple[str, bool]]:
    """Yields the names of files and folders, and whether each is a folder."""
    visibility_of = source.listing_filter(skip_ignored=False)
    for name in SourceExtras(source).objects_beside_folders:
        yield name, False
    for entry in source.entries():
        if visibility_of is not None and visibility_of(entry) != "shown":
            continue
        kind = entry.kind
        if kind == "link":
            target = source.target_of(entry.name)
            kind = "file" if target and target.kind == "file" else "other"
        if kind in ("file", "directory"):
            yield entry.name, kind == "directory"
