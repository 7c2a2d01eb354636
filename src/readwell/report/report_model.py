"""The data types of a report, without logic: files, what each caller read of them and what it cost, failures."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from ..named_tuple import NamedTuple
from .line_set import EquallyShownRun, equally_shown_runs


class Cost(NamedTuple):
    """So many calls, and their tokens."""

    calls: int = 0
    tokens: int = 0

    def plus(self, other: Sequence[int]) -> Cost:
        """Returns the sum."""
        return Cost(self.calls + other[0], self.tokens + other[1])


class File(NamedTuple):
    """A file of the record or of the project."""

    path: str
    """As it is shown: relative to the root, or to the folder that most relative paths start at."""
    kind: str = ""
    lines: int | None = None
    page_total: int | None = None
    size: int | None = None
    """Bytes on the disk; None if it is not there, or nobody looked."""
    revision: str = ""
    revisions: int = 0
    """How many different revisions the calls met."""


class FileReading(NamedTuple):
    """What was shown of a file: to one caller, or to all."""

    calls: int
    tokens: int
    lines_read: int
    pages_read: int
    windows: array[int]
    """First and last lines shown, in turn."""
    last_line: int | None
    repeated: Cost = Cost()
    whole_for_one_match: Cost = Cost()

    def equally_shown_runs(self) -> list[EquallyShownRun]:
        """Returns how often which lines were shown; not kept, since that takes more memory than all else."""
        return equally_shown_runs(self.windows, self.last_line)


class RepeatedFailure(NamedTuple):
    """The same path that failed with the same tool in the same way, more than once for one caller; `times` of all."""

    tool: str
    path: str
    outcome: str
    times: int


class CallerView(NamedTuple):
    """What one caller did; or all, where `caller` is None."""

    caller: str | None
    calls: int
    tokens: int
    ms: float
    tools: Mapping[str, int]
    outcomes: Mapping[str, int]
    readings: Mapping[int, FileReading]
    """What was shown, by the number of the file."""
    repeated: Cost
    whole_for_one_match: Cost
    """Reads of a whole file after a search had shown one match in it."""
    repeated_failure_count: int
    repeated_failures: Sequence[RepeatedFailure]
    share_read: float | None = None
    """How much of the project was read, weighted by size; None without a project."""
    project_files_read: int | None = None
    """Files of the project among those that were read; None without one."""
