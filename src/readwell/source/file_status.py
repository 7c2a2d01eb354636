"""What the operating system says about a file: its kind, its real path, and errors as `Unreadable`."""

from __future__ import annotations

import os
import stat
import sys
from errno import ENAMETOOLONG, ENOENT, ENOTDIR

from ..errors import NotRegularFile, Unreadable
from ..light_typing import Literal
from .contract import Target
from .pseudo_filesystems import is_pseudo_filesystem

DELETED = " (deleted)"
"""What Linux appends to the path of a file that was removed."""
MISSING = (ENOENT, ENOTDIR)
"""Error numbers of a path that does not exist."""


def target_from_status(status: os.stat_result) -> Target:
    """Returns the kind and size of a file."""
    kind = "directory" if stat.S_ISDIR(status.st_mode) else "file" if stat.S_ISREG(status.st_mode) else "other"
    return Target(kind, status.st_size)


def is_readable_kind(status: os.stat_result) -> bool:
    """Whether it is a regular file or a directory."""
    return stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)


def refuse_special(status: os.stat_result, device: int) -> None:
    """Raises NotRegularFile for pipes, devices and pseudo files; `device` is known to have regular files."""
    is_readable = is_readable_kind(status)
    if not is_readable or (status.st_dev != device and is_pseudo_filesystem(status.st_dev)):
        raise NotRegularFile(made_up=is_readable)


def as_unreadable(error: OSError) -> Unreadable:
    """Returns the ReadError for an error of the operating system."""
    number = error.errno or 0
    return Unreadable(number, os.strerror(number) if number else str(error))


def quick_real_path(descriptor: int) -> str:
    """Returns the path of an open file where it is beyond doubt; empty: ask `real_path`, which takes twice as long."""
    try:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
    return "" if path.endswith(DELETED) or not path.startswith("/") else path


def real_path(descriptor: int, fallback: str) -> str:
    """Returns the path of an open file as the kernel knows it; empty where it is too long."""
    try:
        if sys.platform == "darwin":
            import fcntl

            path = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))
            return os.fsdecode(path.rstrip(b"\0"))
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if path.startswith("/") and os.fstat(descriptor).st_nlink:
            return path
    except OSError as error:
        if error.errno == ENAMETOOLONG:  # no rule could be matched with it
            return ""
    return os.path.realpath(fallback)


def kind_of_entry(entry: os.DirEntry[str]) -> Literal["directory", "file", "link", "other"]:
    """Returns the kind of a directory entry, without following links."""
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
