"""The dialect `native`: readwell's own, with the fewest tokens and the exact next call in every reply."""

from __future__ import annotations

from functools import partial

from ...light_typing import Any
from ...model import Rules
from ..dialect import Batching, Dialect, DialectTool, Setting, Share, description_loader, loaded_when_called
from . import search_request
from .rendering import render, render_if_over_budget
from .request import MIN_TOKENS, PROPERTIES, parse, parse_batch
from .settings import Settings

MAX_SORTED_ENTRIES = 100_000
MIN_BYTES = 256
PATH_NAMES = ("path", "file_path", "filePath", "paths")
MIN_SIDE, MAX_SIDE = 28, 4096
"""Pixels of the longest side of an image: of one patch, and of the largest that is drawn."""
SETTINGS = (
    Setting("max_bytes", "count", "bytes of file text in one reply"),
    Setting("line_length", "count", "characters shown of one line"),
    Setting("numbers", "switch", "yes or no: line numbers, or a fence around the text"),
    Setting("total", ("auto", "exact", "lazy"), "auto, exact or lazy: count all lines of a huge file?"),
    Setting("documents", "switch", "yes or no: convert documents"),
    Setting("images", "switch", "yes or no: images as images, where they can be carried (in mcp: yes)", extra="images"),
    Setting("image_side", "count", "pixels of the longest side of an image (default 1568, at most 4096)"),
    Setting("count_tokens", "counter", "auto, estimate or o200k: how tokens are counted (auto: exactly if it can be)"),
    Setting("limit", "count", "limit of one reply at most", is_param=True),
    Setting("max_tokens", "count", "max_tokens of one reply at most", is_param=True),
    Setting("home", "home"),
)


_LATE = (
    "batch_rendering",
    "batch_request",
    "error_messages",
    "image_rendering",
    "search_rendering",
    "shortening",
    "brief_data",
)
LATE_MODULES = tuple(f"{__name__}.{name}" for name in _LATE)
_later = partial(loaded_when_called, __name__)


def dialect(settings: Settings | None = None) -> Dialect:
    """Returns the dialect with these settings, or the default ones."""
    return Dialect(
        name="native",
        summary="Everything the engine can do, at the lowest token cost, and always the exact next call.",
        tools=(_read_tool(settings or Settings()), _search_tool(settings or Settings())),
        settings=SETTINGS,
        configured=_dialect_from_settings,
        late_modules=LATE_MODULES,
        remote_roots=True,
    )


def _dialect_from_settings(**settings: Any) -> Dialect:
    """Builds the dialect from settings by name, as doors have them."""
    return dialect(Settings(**settings))


def _rules(chosen: Settings) -> Rules:
    """Returns what the engine does for this dialect."""
    return Rules(
        documents="convert" if chosen.documents else "ignore",
        notebooks=chosen.documents,
        directories="sizes",
        max_sorted_entries=MAX_SORTED_ENTRIES,
        revision=True,
        find_invisible=True,
        images=chosen.images,
        image_side=min(max(chosen.image_side, MIN_SIDE), MAX_SIDE),
        tell_changes=True,
        repair_names=True,
        skip_ignored=True,
        unpack=True,
    )


def _search_tool(chosen: Settings) -> DialectTool:
    """Builds the tool `search`."""
    return DialectTool(
        name="search",
        template=description_loader("native/search"),
        properties=search_request.PROPERTIES,
        rules=_rules(chosen),
        parse=partial(search_request.parse, settings=chosen),
        render=partial(_later("search_rendering.render"), settings=chosen),
        render_error=partial(_later("error_messages.render_search_error"), settings=chosen),
        required=("pattern",),
        path_names=PATH_NAMES,
        brief=_later("search_rendering.brief"),
    )


def _read_tool(chosen: Settings) -> DialectTool:
    """Builds the tool `read`."""
    return DialectTool(
        name="read",
        template=description_loader("native/read"),
        properties=PROPERTIES,
        rules=_rules(chosen),
        parse=partial(parse, settings=chosen),
        render=partial(render, settings=chosen),
        render_error=partial(_later("error_messages.render_error"), settings=chosen),
        placeholders=(("limit", chosen.limit), ("line_length", chosen.line_length), ("max_tokens", chosen.max_tokens)),
        brief=_later("brief_data.brief"),
        measure=partial(render_if_over_budget, settings=chosen),
        path_names=PATH_NAMES,
        batching=Batching(
            parse=partial(parse_batch, settings=chosen),
            minimum=Share(MIN_TOKENS, min(MIN_BYTES, chosen.max_bytes), 1),
            limited_to=partial(_read_tool_within, chosen),
            piece_text=partial(_later("batch_rendering.piece_text"), settings=chosen),
            count_tokens=chosen.count_tokens,
            notices=_later("batch_rendering.batch_notices"),
            render=partial(_later("batch_rendering.render_batch"), settings=chosen),
            render_list=partial(_later("batch_rendering.render_list"), settings=chosen),
        ),
    )


def _read_tool_within(settings: Settings, share: Share) -> DialectTool:
    """Returns the tool `read` with the limits of one file of a batch."""
    narrowed = settings._replace(max_tokens=share.tokens, max_bytes=share.bytes, limit=share.lines, images=False)
    return _read_tool(narrowed)


__all__ = ["Settings", "dialect"]
