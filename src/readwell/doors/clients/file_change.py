"""A change to a user's file: shown as a difference, backed up, and written so that the file is never half there."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress

from .errors import NotEditable

MAX_BYTES = 4 << 20


class FileChange:
    """The new text of a file, not written yet."""

    def __init__(self, path: str, edit: Callable[[str], str]) -> None:
        """Reads the file and edits its text; a file that does not exist counts as empty.

        Links are followed first: a file that is kept elsewhere and linked here is edited there.
        """
        self.path = os.path.realpath(path)
        self._before = _read(self.path)
        before = self._before or ""
        after = edit(before.replace("\r\n", "\n"))
        self._after = after.replace("\n", "\r\n") if "\r\n" in before else after

    @property
    def is_needed(self) -> bool:
        """Whether the file would differ."""
        return self._after != (self._before or "")

    def difference(self) -> str:
        """Returns a unified difference."""
        before, after = (self._before or "").splitlines(), self._after.splitlines()
        return "\n".join(difflib.unified_diff(before, after, self.path, self.path, lineterm=""))

    def write(self) -> str | None:
        """Writes the file, or deletes it if nothing is left; returns the path of the backup of what was there."""
        backup = None
        if self._before is not None:
            backup = _free_name(f"{self.path}.bak")
            _write_whole(backup, self._before, self.path)
        if self._after:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            _write_whole(self.path, self._after, self.path)
        elif self._before is not None:
            os.unlink(self.path)
        return backup


def _read(path: str) -> str | None:
    """Returns the text of a file; None where there is none; raises NotEditable for others."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise NotEditable("it is not an ordinary configuration file")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise NotEditable("it is not UTF-8") from None


def _free_name(path: str) -> str:
    """Returns a name that no file has yet."""
    number, name = 0, path
    while os.path.lexists(name):
        number += 1
        name = f"{path}{number}"
    return name


def _write_whole(path: str, text: str, like: str) -> None:
    """Writes a file beside its name and moves it there, with the permissions of another if that exists."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".readwell-")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(like).st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
