"""Token budget: what a reply costs, and when counting can be skipped."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Clip
from ...names import printable
from ...tokens import count_tokens, is_estimate
from .gutter import body
from .settings import Settings

ERROR_PERCENT = 12
"""Safety margin added to an estimate that is compared with a budget."""
FRAME_BYTES = 256
"""Upper bound of a header without its path, a column and the last remark."""
SHORT_PATH = 24
"""Characters kept of a path that does not fit the budget."""


def counted(text: str, settings: Settings) -> tuple[int, int]:
    """Returns the tokens of a text, and the tokens charged to its budget: with a margin if they are estimated."""
    tokens = settings.count_tokens(text)
    return tokens, tokens + (tokens * ERROR_PERCENT // 100 if is_estimate(settings.count_tokens) else 0)


def size_within(text: str, budget: int, settings: Settings) -> int | None:
    """Returns the size of a text in bytes if it is not above the token budget, so that tokens need not be counted.

    Returns None otherwise, and for a counter that the embedder chose: it may count anything.
    """
    if settings.count_tokens is not count_tokens or len(text) > budget or "\0" in text:  # shown as longer characters
        return None
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return size if size <= budget else None


def tokens_of(text: str, budget: int, settings: Settings) -> int:
    """Returns the tokens of a text, or its bytes, an upper bound, if that is within the budget."""
    size = size_within(text, budget, settings)
    return settings.count_tokens(text) if size is None else size


def measured(text: str, budget: int, settings: Settings) -> tuple[int, int]:
    """Returns what a reply costs, or its bytes where no count was needed, and by how much it exceeds its budget."""
    size = size_within(text, budget, settings)
    if size is not None:
        return size, 0
    tokens, charged = counted(text, settings)
    return tokens, charged - budget


def cost(
    settings: Settings,
    budget: int,
    path: str,
    start: int,
    column: int,
    lines: Sequence[str],
    text: str,
    clips: Sequence[Clip],
) -> int:
    """Returns the estimated cost of a reply with these lines, with a typical header and last remark.

    Returns 0 if it surely fits. `start` and `column` are the position of the first line.
    """
    end = start + len(lines)
    if not clips:
        gutters = len(lines) * (max(len(str(start)), len(str(end))) + 1)
        room = budget - gutters - FRAME_BYTES - 4 * len(path)
        if size_within(text, room, settings) is not None:
            return 0
    header = f"[{_usual_path(path, budget)} | lines {start}-{end} of {10 * end} | utf-8 LF | rev 0a1b2c3d4e5f]"
    shown = [header, body(lines, start, column, clips, settings.numbers)]
    if not settings.numbers:
        shown[1:] = ["[text 0a1b2c3d]", shown[1], "[/text 0a1b2c3d]"]
    return counted("\n".join([*shown, f"[more: offset={end} | {budget} token budget reached]"]), settings)[1]


def _usual_path(path: str, budget: int) -> str:
    """Returns a path about as long as it will be shown: relative mostly, by its end where it takes too much."""
    shown = printable("/".join(path.split("/")[-2:]) if path.startswith("/") else path)
    return shown if len(shown) < budget // 2 else shown[-SHORT_PATH:]
