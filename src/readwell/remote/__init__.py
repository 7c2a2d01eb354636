"""Roots beyond this disk: object stores, HTTP servers and fsspec file systems, read in ranges."""

from .opener import RemoteOpener
from .roots import remote_opener

__all__ = ["RemoteOpener", "remote_opener"]
