"""A corpus on disk: rows in shards, a manifest of what is done, and runs that continue where another ended."""

from .folder import DatasetError
from .run import Job, Summary, run_job

__all__ = ["DatasetError", "Job", "Summary", "run_job"]
