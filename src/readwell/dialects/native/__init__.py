"""The dialect `native`: readwell's own, the fewest tokens and the exact next call."""

from __future__ import annotations

from functools import partial

from ...model import Rules
from ..dialect import Batching, Dialect, Share
from .failures import render_error
from .request import LEAST_TOKENS, PROPERTIES, REMARKS, parse, parse_batch
from .settings import Settings
from .several import batch_notices, piece_text, render_batch
from .words import render

MOST_ENTRIES = 100_000
LEAST_BYTES = 256
USUAL_REMARKS = 32
"""Tokens of a header and the way on."""


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
            notebooks=chosen.documents,
            directories="sizes",
            entries_sorted=MOST_ENTRIES,
            revision=True,
            hidden=True,
            images=chosen.images,
            tell_changes=True,
            repair_names=True,
            thin_listings=True,
        ),
        parse=partial(parse, settings=chosen),
        render=partial(render, settings=chosen),
        render_error=render_error,
        numbers=(("limit", chosen.limit), ("line_length", chosen.line_length), ("max_tokens", chosen.max_tokens)),
        batching=Batching(
            parse=partial(parse_batch, settings=chosen),
            least=Share(LEAST_TOKENS, min(LEAST_BYTES, chosen.max_bytes), 1),
            set_aside=max(0, chosen.count_tokens(REMARKS) - USUAL_REMARKS),
            within=partial(_within, chosen),
            piece_text=partial(piece_text, settings=chosen),
            count_tokens=chosen.count_tokens,
            notices=batch_notices,
            render=partial(render_batch, settings=chosen),
        ),
    )


def _within(settings: Settings, share: Share) -> Dialect:
    narrowed = settings._replace(max_tokens=share.tokens, max_bytes=share.bytes, limit=share.lines, images=False)
    return dialect(narrowed)


__all__ = ["Settings", "dialect"]
