"""Roots beyond this disk: object stores, HTTP servers and fsspec file systems, read in ranges."""

from .environment import files_to_keep_readable
from .opener import RemoteOpener
from .roots import remote_opener

__all__ = ["RemoteOpener", "files_to_keep_readable", "remote_opener"]
