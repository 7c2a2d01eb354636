"""What a reply costs, and whether that has to be counted at all."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Clip
from ...names import printable
from ...tokens import count_tokens, is_estimate
from .gutter import body
from .settings import Settings

ERROR_PERCENT = 12
"""What an estimate is taken to be too low by, where a budget depends on it."""
FRAME_BYTES = 256
"""More than a header without its path, a column and the last remark take."""
SHORT_PATH = 24
"""Characters that stay of a path which a budget has no room for."""


def counted(text: str, settings: Settings) -> tuple[int, int]:
    """Returns the tokens of a text, and those that its budget is charged: more where they are only estimated."""
    tokens = settings.count_tokens(text)
    return tokens, tokens + (tokens * ERROR_PERCENT // 100 if is_estimate(settings.count_tokens) else 0)


def size_within(text: str, budget: int, settings: Settings) -> int | None:
    """Returns the bytes of a text where there are no more of them than tokens in its budget; then none need be counted.

    None also where the embedder chose a counter: it may count anything, and its count is wanted.
    """
    if settings.count_tokens is not count_tokens or len(text) > budget or "\0" in text:  # shown as longer characters
        return None
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return size if size <= budget else None


def tokens_of(text: str, budget: int, settings: Settings) -> int:
    """Returns what a text costs, or its bytes, an upper bound, where no count was needed."""
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
    """Returns what a reply with these lines costs, its header and last remark as they usually are."""
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
