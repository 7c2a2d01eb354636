"""Roots beyond this disk: object stores, HTTP servers and fsspec file systems, read in ranges."""

from .remote_opener import RemoteOpener
from .root_addresses import opener_with_remote_roots, remote_opener
from .sdk_settings import files_to_keep_readable

__all__ = ["RemoteOpener", "files_to_keep_readable", "opener_with_remote_roots", "remote_opener"]
