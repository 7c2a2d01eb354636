"""A caller's params become a search: aliases, defaults, and what had to be clamped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ...errors import InvalidRequest
from ...model.search import Ending, FileMatches, SearchPosition, SearchRequest
from ..params import as_mapping
from .budget import bound_within, count_and_charge
from .entry_names import unescape_entry
from .rendering import escape_header_path
from .request import MIN_TOKENS, clamp, known_params, number_param, parse_path, text_param
from .settings import Settings

LIMIT = 100
MAX_AROUND = 50
HERE = "."
FOR_REMARKS = 150
"""Tokens set aside for header, notices and the way on."""
USUAL_POSITION_TOKENS = 60
"""Tokens of these for the position to go on at, which names a file."""

PROPERTIES: dict[str, dict[str, object]] = {
    "pattern": {"type": "string"},
    "path": {"type": "string", "default": HERE},
    "paths": {"type": "array", "items": {"type": "string"}, "description": "Instead: several, globs"},
    "literal": {"type": "boolean", "description": "pattern is plain text"},
    "ignore_case": {"type": "boolean"},
    "glob": {"type": "string", "description": "*.py, src/**/*.ts"},
    "around": {"type": "integer", "description": "Lines of context"},
    "only": {"type": "string", "enum": ["files"]},
    "everything": {"type": "boolean", "description": "Hidden and ignored files, too"},
    "limit": {"type": "integer", "default": LIMIT},
    "after": {"type": "string"},
    "max_tokens": {"type": "integer"},
}
ALIASES = {
    "file_path": "path",
    "filePath": "path",
    "query": "pattern",
    "regex": "pattern",
    "context": "around",
    "case_insensitive": "ignore_case",
    "include": "glob",
    "head_limit": "limit",
    "max_results": "limit",
}
"""What callers also say."""
NAMES = {**ALIASES, **{name: name for name in PROPERTIES}}


def parse(params: object, settings: Settings) -> SearchRequest:
    """Returns the request; raises InvalidRequest for what cannot be meant."""
    given, notices = known_params(as_mapping(params), NAMES)
    pattern = text_param(given, "pattern")
    if pattern is None:
        raise InvalidRequest("pattern", wants="what to search for")
    limit = number_param(given, "limit", min(LIMIT, settings.limit))
    if limit < 1:
        raise InvalidRequest("limit", limit, "at least 1")
    tokens = number_param(given, "max_tokens", settings.max_tokens)
    tokens = clamp(notices, "max_tokens", tokens, MIN_TOKENS, max(MIN_TOKENS, settings.max_tokens))
    only_files = _only_files(given)
    around = clamp(notices, "around", number_param(given, "around", 0), 0, MAX_AROUND)
    return SearchRequest(
        pattern=pattern,
        paths=_parse_paths(given, settings.home),
        limit=clamp(notices, "limit", limit, 1, settings.limit),
        fits=partial(_exceeded_budget, settings, tokens, only_files, around > 0),
        literal=_parse_boolean(given, "literal"),
        ignore_case=_parse_boolean(given, "ignore_case"),
        glob=text_param(given, "glob"),
        around=0 if only_files else around,
        only_files=only_files,
        everything=_parse_boolean(given, "everything"),
        after=_parse_position(given),
        notices=tuple(notices),
        max_tokens=tokens,
    )


def _parse_paths(given: Mapping[str, object], home: str | None) -> tuple[tuple[str, bool], ...]:
    """Returns the paths to search, each with whether it is a glob."""
    if "paths" not in given or given["paths"] == []:
        return ((parse_path(given.get("path", HERE), home), False),)
    if "path" in given:
        raise InvalidRequest("paths", wants="sent without path")
    from .batch_request import paths_in_param

    paths = dict.fromkeys(parse_path(path, home) for path in paths_in_param(given["paths"]))
    return tuple((path, any(mark in path for mark in "*?[")) for path in paths)


def _parse_boolean(given: Mapping[str, object], name: str) -> bool:
    """Returns a boolean param, also where it was sent as text."""
    value = given.get(name, False)
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise InvalidRequest(name, value, "true or false")


def _only_files(given: Mapping[str, object]) -> bool:
    """Says whether only the names of files are wanted."""
    if given.get("only") not in (None, "files"):
        raise InvalidRequest("only", given["only"], '"files" or left out')
    return "only" in given


def _parse_position(given: Mapping[str, object]) -> SearchPosition | None:
    """Returns the position after which to continue; raises InvalidRequest for another form."""
    after = text_param(given, "after")
    if after is None:
        return None
    import re

    match = re.fullmatch(r"(?s)(.+):([0-9]{1,18})(\*?)", after)
    if not match:
        raise InvalidRequest("after", after, 'a place that a reply named, such as "src/b.py:120"')
    return SearchPosition(unescape_entry(match[1]), int(match[2]), match[3] == "*")


def _exceeded_budget(
    settings: Settings, tokens: int, only_files: bool, marked: bool, files: Sequence[FileMatches]
) -> Ending | None:
    """Says which budget the files exceed as they are shown."""
    from .search_rendering import result_lines

    text = "\n".join(result_lines(files, only_files, marked))
    if len(text) > settings.max_bytes or len(text.encode()) > settings.max_bytes:
        return "bytes"
    room = tokens - FOR_REMARKS - _extra_tokens_of_position(files[-1].path, settings)
    return (
        "tokens" if bound_within(text, room, settings) is None and count_and_charge(text, settings)[1] > room else None
    )


def _extra_tokens_of_position(path: str, settings: Settings) -> int:
    """Returns the tokens of a position in a file beyond those that are set aside for it."""
    shown = escape_header_path(path)
    if len(shown.encode()) <= USUAL_POSITION_TOKENS:
        return 0
    return max(0, count_and_charge(shown, settings)[1] - USUAL_POSITION_TOKENS)
