"""Roots beyond this disk: object stores, HTTP servers and fsspec file systems, read in ranges."""

from .environment import files_to_keep_readable
from .opener import RemoteOpener
from .roots import opener_beside, remote_opener

__all__ = ["RemoteOpener", "files_to_keep_readable", "opener_beside", "remote_opener"]
