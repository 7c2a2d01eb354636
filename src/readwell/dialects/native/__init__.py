"""The dialect `native`: readwell's own, the fewest tokens and the exact next call."""

from __future__ import annotations

from functools import partial

from ...model import Rules
from ..dialect import Dialect
from .failures import render_error
from .request import PROPERTIES, parse
from .settings import Settings
from .words import render

MOST_ENTRIES = 100_000


def dialect(settings: Settings | None = None) -> Dialect:
    """Returns the dialect with its settings."""
    chosen = settings or Settings()
    return Dialect(
        name="native",
        tool="read",
        summary="Everything the engine can do, at the lowest token cost, and always the exact next call.",
        properties=PROPERTIES,
        rules=Rules(
            documents="convert" if chosen.documents else "ignore",
            directories="sizes",
            entries_sorted=MOST_ENTRIES,
            revision=True,
            hidden=True,
            tell_changes=True,
            repair_names=True,
            thin_listings=True,
        ),
        parse=partial(parse, settings=chosen),
        render=partial(render, settings=chosen),
        render_error=render_error,
        numbers=(("limit", chosen.limit), ("line_length", chosen.line_length), ("max_tokens", chosen.max_tokens)),
    )


__all__ = ["Settings", "dialect"]
