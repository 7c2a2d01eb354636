"""A caller's params become a request: aliases, defaults, and what had to be clamped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, cast

from ...errors import InvalidRequest
from ...model import Notice, ReadRequest, Span, new_limits, new_request
from ...names import printable
from ..dialect import Batch, Share
from ..params import as_mapping, checked_path, whole_number
from .budget import Cost
from .ranges import NAMES as RANGES
from .ranges import resolve_range
from .rendering import SHORT_PATH
from .settings import Settings, Total

LEAST_TOKENS = 256
LEAST_OF_BATCH = 512
MOST_PATHS = 1000
EXACT_UP_TO = {"auto": 1 << 30, "exact": None, "lazy": 0}
UNKNOWN_NAMED = 3
MOST_PAGES = 10**9
LONGEST_NAMED = 24

ALIASES = {"file_path": "path", "filePath": "path", "start_line": "offset", "num_lines": "limit", "n_lines": "limit"}
"""What callers also say."""

PROPERTIES: dict[str, dict[str, object]] = {
    "path": {"type": "string", "description": "File, directory or document (PDF, DOCX, …)"},
    "paths": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Instead of path: several files or globs (src/**/*.py) sharing one budget; "
        "not with offset, column, pages, if_revision",
    },
    "offset": {"type": "integer", "description": "First line, from 1; -50: the last 50 lines", "default": 1},
    "limit": {"type": "integer", "description": "Lines at most"},
    "column": {"type": "integer", "description": "Start inside line `offset`, to continue a cut line", "default": 1},
    "max_tokens": {"type": "integer", "description": "Budget for this reply"},
    "pages": {"type": "string", "description": "Of a document: 3, 3-7, -2 (the last two); not with offset"},
    "view": {
        "type": "string",
        "enum": ["source", "markdown"],
        "description": "Default: documents as markdown",
    },
    "encoding": {"type": "string", "description": "Overrides detection, e.g. cp1252"},
    "total": {"type": "string", "enum": ["exact", "lazy"], "description": "lazy: do not count a huge file"},
    "if_revision": {"type": "string", "description": "rev of this very window if you hold it; never with a new offset"},
}


NAMES = {**ALIASES, **RANGES, **{name: name for name in PROPERTIES}}


ALONE: dict[str, tuple[object, ...]] = {"path": (), "offset": (0, 1), "column": (1,), "pages": (), "if_revision": ()}
"""Parameters that one file is read with, and the values of them that ask for nothing."""


def parse_batch(params: object, settings: Settings) -> Batch | None:
    """Returns what a call for several files asks for; None where it asks for one."""
    asked = as_mapping(params)
    if asked.get("paths") in (None, "") or (asked["paths"] == [] and "path" in known_params(asked)[0]):
        return None
    given, notices = known_params(asked)
    resolve_range(given)
    paths = given.pop("paths")
    for name, nothing in ALONE.items():
        if given.pop(name, None) not in (None, *nothing):
            raise InvalidRequest("paths", wants=f"sent without {name}")
    lines = _lines(given, settings, notices)
    most = max(LEAST_OF_BATCH, settings.max_tokens)
    tokens = _clamped(notices, "max_tokens", _number(given, "max_tokens", most), LEAST_OF_BATCH, most)
    each = {name: value for name, value in given.items() if name not in ("limit", "max_tokens")}
    entries = tuple(dict.fromkeys(_entry(path, settings.home) for path in _listed(paths)))
    return Batch(entries, each, Share(tokens, settings.max_bytes, lines), tuple(notices))


def _listed(paths: object) -> list[str]:
    """Returns the paths of a list, of a list written as JSON, or the one path that stands alone."""
    if isinstance(paths, str):
        import json

        try:
            paths = json.loads(paths) if paths.lstrip().startswith("[") else [paths]
        except (ValueError, RecursionError):
            paths = [paths]
    found = cast("list[object]", paths) if isinstance(paths, (list, tuple)) else []
    if not 1 <= len(found) <= MOST_PATHS or not all(isinstance(path, str) for path in found):
        raise InvalidRequest("paths", wants=f"a list of 1 to {MOST_PATHS} paths or globs")
    return cast("list[str]", found)


def _entry(path: str, home: str | None) -> tuple[str, bool]:
    """Returns a path and whether it may be a pattern; what is wrong with it is said where it is read."""
    if not re.search(r"[*?[]", path):
        return path, False
    try:
        return _path(path, home), True
    except InvalidRequest:
        return path, False


def parse(params: object, settings: Settings) -> ReadRequest:
    """Returns the request; raises InvalidRequest for what cannot be meant."""
    given, notices = known_params(as_mapping(params))
    resolve_range(given)
    offset = _number(given, "offset", 1)
    lines = _lines(given, settings, notices)
    column = _clamped(notices, "column", _number(given, "column", 1), 1, None) if "column" in given else 1
    tokens = _number(given, "max_tokens", settings.max_tokens)
    tokens = _clamped(notices, "max_tokens", tokens, LEAST_TOKENS, max(LEAST_TOKENS, settings.max_tokens))
    path = _path(given.get("path"), settings.home)
    limits = new_limits(
        lines=lines,
        bytes=settings.max_bytes,
        line_length=settings.line_length,
        tokens=tokens,
        cost=Cost(settings, tokens, _usual_path(path, tokens)),
        columns=True,
    )
    start, last = (1, -offset) if offset < 0 else (offset or 1, None)
    return new_request(
        path=path,
        limits=limits,
        start=start,
        last=last,
        column=column,
        exact_up_to=_exact_up_to(given, settings.total),
        encoding=_text(given, "encoding"),
        if_revision=_text(given, "if_revision"),
        pages=_pages(given, offset),
        view=_view(given),
        notices=tuple(notices),
        max_tokens=tokens,
        may_wait=True,
    )


def _usual_path(path: str, tokens: int) -> str:
    """Returns a path about as long as it will be shown: relative mostly, by its end where it takes too much."""
    shown = printable("/".join(path.split("/")[-2:]) if path.startswith("/") else path)
    return shown if len(shown) < tokens // 2 else shown[-SHORT_PATH:]


def known_params(params: Mapping[str, object]) -> tuple[dict[str, object], list[Notice]]:
    """Returns the params by their own names, without nulls and empty strings, and a notice of those that are none."""
    given: dict[str, object] = {}
    unknown: list[str] = []
    for name, value in params.items():
        own = NAMES.get(name)
        if own is None:
            unknown.append(_named(name))
        elif value is not None and value != "" and (own == name or own not in given):
            given[own] = value
    return given, [_unknown(unknown)] if unknown else []


def _unknown(names: list[str]) -> Notice:
    more = f" and {len(names) - UNKNOWN_NAMED} more" if len(names) > UNKNOWN_NAMED else ""
    return Notice("unknown-parameter", f"unknown parameter ignored: {', '.join(names[:UNKNOWN_NAMED])}{more}")


def _named(name: object) -> str:
    return ascii(name)[1:-1][:LONGEST_NAMED] if isinstance(name, str) else type(name).__name__


def _clamped(notices: list[Notice], name: str, value: int, least: int, most: int | None) -> int:
    """Returns the value within its bounds and notes where it was not."""
    if value >= least and (most is None or value <= most):
        return value
    verb, bounded = ("raised", least) if most is None or value < least else ("lowered", most)
    notices.append(Notice("clamped", f"{name} {_brief(value)} {verb} to {bounded}"))
    return bounded


def _number(given: Mapping[str, object], name: str, default: int) -> int:
    return whole_number(name, given[name]) if name in given else default


def _lines(given: Mapping[str, object], settings: Settings, notices: list[Notice]) -> int:
    lines = _number(given, "limit", settings.limit)
    if lines < 1:
        raise InvalidRequest("limit", lines, "at least 1")
    return _clamped(notices, "limit", lines, 1, settings.limit)


def _exact_up_to(given: Mapping[str, object], default: Total) -> int | None:
    value = given.get("total", default)
    if not isinstance(value, str) or value not in EXACT_UP_TO:
        raise InvalidRequest("total", value, '"exact", "lazy" or "auto"')
    return EXACT_UP_TO[value]


def _pages(given: Mapping[str, object], offset: int) -> Span | None:
    pages = given.get("pages")
    if pages is None:
        return None
    if offset not in (0, 1):
        raise InvalidRequest("pages", pages, "sent without offset")
    shown = str(pages) if isinstance(pages, str) or (isinstance(pages, int) and abs(pages) < MOST_PAGES) else ""
    asked = re.fullmatch(r"\s*(?:(-[0-9]{1,9})|([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\s*-\s*([0-9]{1,9}))?)\s*", shown)
    if not asked or isinstance(pages, bool):
        raise InvalidRequest("pages", pages, '"3", "3-7" or "-2" for the last two')
    from_end, first, line, last = asked.groups()
    return Span(int(from_end), -1) if from_end else Span(int(first), int(last or first), int(line or 1))


def _view(given: Mapping[str, object]) -> Literal["source", "markdown"] | None:
    match given.get("view"):
        case None:
            return None
        case "source":
            return "source"
        case "markdown":
            return "markdown"
        case other:
            raise InvalidRequest("view", other, '"source" or "markdown"')


def _text(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(name, value, "text")
    return value


def _path(value: object, home: str | None) -> str:
    if value is None or value == "":
        raise InvalidRequest("path", value, "the path of a file or directory")
    path = checked_path(value)
    if path.startswith("file://"):
        path = checked_path(_from_uri(path))
    if home is not None and (path == "~" or path.startswith("~/")):
        path = checked_path(home + path[1:])
    return path


def _from_uri(uri: str) -> str:
    from urllib.parse import unquote

    host, slash, path = uri.removeprefix("file://").partition("/")
    if host not in ("", "localhost") or not slash:
        raise InvalidRequest("path", uri, "a file:// address of this machine, such as file:///tmp/a.txt")
    return "/" + unquote(path, errors="surrogateescape")


def _brief(value: int) -> str:
    digits = str(value)
    return digits if len(digits) <= 20 else f"{digits[:20]}…"
