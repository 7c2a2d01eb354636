"""Roots beyond this disk: object stores, HTTP servers and fsspec file systems, read in ranges."""

from .cloud_environment import files_to_keep_readable
from .remote_opener import RemoteOpener
from .root_addresses import opener_beside, remote_opener

__all__ = ["RemoteOpener", "files_to_keep_readable", "opener_beside", "remote_opener"]
