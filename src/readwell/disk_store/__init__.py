"""A bounded folder of checksummed entries on disk, shared by any number of processes."""

from .file_lock import FileLock
from .store import Store

__all__ = ["FileLock", "Store"]
