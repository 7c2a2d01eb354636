"""Runs a part of a test as a user without the superuser's rights, so that what the system refuses is tested as root too."""

import contextlib
import importlib
import os
import tempfile
from pathlib import Path

import pytest

from readwell.documents import converters

NOBODY = 65534


@contextlib.contextmanager
def as_an_ordinary_user(folder: Path | None = None):
    """Gives up the superuser's rights for a while; an ordinary user keeps its own.

    The temporary folders above `folder` can be passed through meanwhile; what they hold stays as it is.
    """
    if os.geteuid() != 0:
        yield
        return
    for parent in _temporary_folders_above(folder):
        parent.chmod(parent.stat().st_mode | 0o011)
    try:
        os.seteuid(NOBODY)
    except OSError:
        pytest.skip("NOT TESTED: the superuser cannot become an ordinary user here")
    try:
        yield
    finally:
        os.seteuid(0)
        # An environment that only the superuser can enter looked empty meanwhile, and imports remember that.
        importlib.invalidate_caches()
        converters._is_installed.cache_clear()


def _temporary_folders_above(folder: Path | None) -> list[Path]:
    top = Path(tempfile.gettempdir()).resolve()
    return [parent for parent in (folder, *folder.resolve().parents) if top in parent.parents] if folder else []
