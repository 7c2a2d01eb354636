"""`readwell FILE --follow`: prints lines as they are added, until it is interrupted."""

from __future__ import annotations

from ..errors import ReadError
from ..following import Following
from ..tool import Tool
from .terminal import write, write_error

FAILED = 1
REPLACED = "[note: the file was replaced]"


def follow(tool: Tool, params: dict[str, object], deadline_s: float | None = None) -> int:
    """Prints windows as they come; returns the exit status."""
    offset = params.get("offset")
    try:
        _print_windows(tool, str(params["path"]), offset if isinstance(offset, int) else -10, deadline_s)
    except ReadError as error:
        write_error(f"readwell: {tool.refuse(params, error).text}")
        return FAILED
    return 0


def _print_windows(tool: Tool, path: str, offset: int, deadline_s: float | None) -> None:
    """Prints windows as they come."""
    with Following(tool, path, offset, deadline_s) as windows:
        for window in windows:
            if window.from_start:
                write(REPLACED)
            write("\n".join(f"{number}\t{line}" for number, line in enumerate(window.lines, window.start)))
