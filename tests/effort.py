"""How hard the property tests look: `READWELL_EFFORT=200` looks two hundred times as long."""

import os

EFFORT = int(os.environ.get("READWELL_EFFORT", "1"))


def examples(count: int) -> int:
    """Returns how many examples to try where `count` are enough for every day."""
    return count * EFFORT
