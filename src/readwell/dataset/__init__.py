"""A corpus on disk: rows in shards, a manifest of what is done, and runs that continue where another ended."""

from .dataset_run import Job, Summary, run_job
from .output_folder import DatasetError

__all__ = ["DatasetError", "Job", "Summary", "run_job"]
