"""How hard the property tests look: `READWELL_EFFORT=200` looks two hundred times as long, `quick` a quarter as long."""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_ASKED = os.environ.get("READWELL_EFFORT", "1")
QUICK = _ASKED == "quick"
EFFORT = 1 if QUICK else int(_ASKED)


def examples(count: int) -> int:
    """Returns how many examples to try where `count` are enough for every day."""
    return max(1, count // 4) if QUICK else count * EFFORT


def some_of(cases: Iterable[T], step: int) -> list[T]:
    """Returns the cases of a large table, of which the quick tests take only every `step`-th."""
    return list(cases)[::step] if QUICK else list(cases)
