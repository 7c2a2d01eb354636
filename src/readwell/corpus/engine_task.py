"""`convert_batch`, the function that an engine runs in its processes: what it is given, and what it returns."""

from __future__ import annotations

import os

from ..named_tuple import NamedTuple
from .conversion_options import Options
from .convert_one import KnownVersion, convert_unless_known, lost_document
from .converted import Converted, Failure


class Task(NamedTuple):
    """A document to convert: its number among all, its path or name, its content where it is no path."""

    number: int
    source: str
    content: bytes | None = None
    known: KnownVersion | None = None
    folder: str = ""
    """What a relative path is below: the process may be in another directory. Empty: below its roots."""


Batch = tuple[Task, ...]
Outcome = tuple[int, Converted]


def convert_batch(options: Options, batch: Batch) -> list[Outcome]:
    """Converts some documents one after the other; runs in the processes of an engine."""
    return [(task.number, _convert_task(options, task)) for task in batch]


def current_directory_or_empty() -> str:
    """Returns the directory of this process; empty where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _path_here(task: Task) -> str:
    if not task.folder or "://" in task.source or task.folder == current_directory_or_empty():
        return task.source
    return os.path.join(task.folder, task.source)


def _convert_task(options: Options, task: Task) -> Converted:
    try:
        if task.content is None:
            return convert_unless_known(_path_here(task), task.source, options, task.known)
        return convert_unless_known(task.content, task.source, options, task.known)
    except Exception as defect:  # noqa: BLE001 - a defect of readwell costs one row, not the documents beside it
        lost = lost_document(task.source, "")
        message = f"'{lost.source}' was not converted: {type(defect).__name__}: {defect}. Report this as a bug."
        return lost._replace(error=Failure("DEFECT", message))
