"""Parsing of a call for several files: their paths and patterns, and the budget that they share."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import InvalidRequest
from ...light_typing import cast
from ..dialect import Batch, Share
from .range_params import resolve_range
from .request import clamp, known_params, line_limit, number_param, parse_path
from .settings import Settings

MIN_BATCH_TOKENS = 512
MAX_PATHS = 1000

SINGLE_FILE_PARAMS: dict[str, tuple[object, ...]] = {
    "path": (),
    "offset": (0, 1),
    "column": (1,),
    "pages": (),
    "if_revision": (),
    "after": (),
}
"""Parameters that apply to one file only, and their values that have no effect."""


def parse_paths(params: Mapping[str, object], settings: Settings) -> Batch:
    """Parses a call with `paths`; raises InvalidRequest."""
    given, notices = known_params(params)
    resolve_range(given)
    paths = given.pop("paths")
    for name, nothing in SINGLE_FILE_PARAMS.items():
        if given.pop(name, None) not in (None, *nothing):
            raise InvalidRequest("paths", wants=f"sent without {name}")
    if given.get("view") == "image":
        raise InvalidRequest("paths", wants='sent without view="image": look at one file at a time')
    lines = line_limit(given, settings, notices)
    most = max(MIN_BATCH_TOKENS, settings.max_tokens)
    tokens = clamp(notices, "max_tokens", number_param(given, "max_tokens", most), MIN_BATCH_TOKENS, most)
    each = {name: value for name, value in given.items() if name not in ("limit", "max_tokens")}
    entries = tuple(dict.fromkeys(_path_or_pattern(path, settings.home) for path in paths_in_param(paths)))
    return Batch(
        entries=entries,
        params=each,
        budget=Share(tokens, settings.max_bytes, lines),
        notices=tuple(notices),
        may_list=not given.keys() & {"limit", "max_tokens", "view"},
    )


def paths_in_param(paths: object) -> list[str]:
    """Returns the paths in a list, in a list written as JSON, or a single path; raises InvalidRequest."""
    if isinstance(paths, str):
        import json

        try:
            paths = json.loads(paths) if paths.lstrip().startswith("[") else [paths]
        except (ValueError, RecursionError):
            paths = [paths]
    listed = cast("list[object]", paths) if isinstance(paths, (list, tuple)) else []
    if not 1 <= len(listed) <= MAX_PATHS or not all(isinstance(path, str) for path in listed):
        raise InvalidRequest("paths", wants=f"a list of 1 to {MAX_PATHS} paths or globs")
    return cast("list[str]", listed)


def _path_or_pattern(path: str, home: str | None) -> tuple[str, bool]:
    """Returns a path and whether it may be a pattern; an invalid path is reported when it is read."""
    if not any(mark in path for mark in "*?["):
        return path, False
    try:
        return parse_path(path, home), True
    except InvalidRequest:
        return path, False
