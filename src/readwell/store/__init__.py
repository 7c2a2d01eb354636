"""A bounded folder of checksummed entries on disk, shared by any number of processes."""

from .store import Store

__all__ = ["Store"]
