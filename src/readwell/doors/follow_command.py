"""`readwell FILE --follow`: prints lines as they are added, until it is interrupted."""

from __future__ import annotations

from ..errors import IsDirectory, ReadError
from ..following import Following
from ..light_typing import cast
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
        write_error(f"readwell: {_describe(tool, params, error)}")
        return FAILED
    return 0


def _describe(tool: Tool, params: dict[str, object], error: ReadError) -> str:
    """Returns an error in the tool's words, with a step of this command where the tool's own leads nowhere."""
    refused = tool.refuse(params, error)
    if not isinstance(error, IsDirectory):
        return refused.text
    failure = cast("dict[str, str]", refused.data["error"])
    return f"[error {failure['code']}] {failure['message']} Leave out --follow to list it."


def _print_windows(tool: Tool, path: str, offset: int, deadline_s: float | None) -> None:
    """Prints windows as they come."""
    with Following(tool, path, offset, deadline_s) as windows:
        for window in windows:
            if window.from_start:
                write(REPLACED)
            write("\n".join(f"{number}\t{line}" for number, line in enumerate(window.lines, window.start)))
