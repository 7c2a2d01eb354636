"""What is said of a path that leads nowhere: what is missing, and the next step."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import NotFound
from ...path_names import name_as_listed, printable, quoted


def describe_missing_path(error: NotFound, path: str, lookalikes: int | None = None) -> tuple[str, str]:
    """Returns what is said of a path that leads nowhere, and the next step."""
    what = f"File '{path}' does not exist."
    nearest = printable(error.nearest).rstrip("/")
    if error.unmatched:
        return f"No file matches '{path}'.", "Check the pattern, or read a directory to see what is there."
    if error.through_file:
        return f"{what[:-1]}: '{nearest}' is a file.", f"Read '{nearest}'."
    if error.unlisted:
        return what, "Check the path: its root is an HTTP server, which cannot be listed."
    if re.search(r"[*?]", path):
        return what, f'Send a pattern in paths: paths=["{path}"].'
    if error.nearest:
        return what, f"Nor does its directory; the nearest that does is '{nearest}/'. Read it to see what is there."
    return what, _did_you_mean(error.lookalikes[:lookalikes], path)


def _did_you_mean(lookalikes: Sequence[str], path: str) -> str:
    """Returns the hint for a missing path, with similar names."""
    folder, slash, _ = path.rstrip("/").rpartition("/")
    if not lookalikes:
        return "Check the path, or read its directory to see what is there."
    return f"Did you mean: {', '.join(quoted(folder + slash + name_as_listed(name)) for name in lookalikes)}?"
