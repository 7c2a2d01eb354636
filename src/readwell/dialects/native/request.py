"""The params of `read`: their JSON schema, aliases and defaults, and how they become a request."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import InvalidRequest
from ...light_typing import cast
from ...model import WHOLE_PAGE, ImageRegion, Notice, ReadRequest, Span, View, new_limits, new_request
from ...path_names import has_escape
from ...path_names import unescape_name as unescaped_name
from ..dialect import Batch
from ..params import MAX_NAME_BYTES, MAX_PATH_BYTES, as_mapping, check_path, whole_number
from .budget import ReplyCost
from .entry_names import unescape_entry
from .range_params import NAMES as RANGES
from .range_params import resolve_range
from .settings import Settings, Total

MIN_TOKENS = 256
EXACT_UP_TO = {"auto": 1 << 30, "exact": None, "lazy": 0}
MAX_UNKNOWN_SHOWN = 3
MAX_PAGE = 10**9
MAX_NAME_SHOWN = 24
MAX_PAGES_LENGTH = 200

ALIASES = {"file_path": "path", "filePath": "path", "start_line": "offset", "num_lines": "limit", "n_lines": "limit"}
"""Other names that callers use for a parameter."""

VIEWS = ["source", "markdown", "outline", "block", "image"]
PROPERTIES: dict[str, dict[str, object]] = {
    "path": {"type": "string", "description": "File, directory or document (PDF, DOCX, …)"},
    "paths": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Instead of path: several files or globs (src/**/*.py) in one reply",
    },
    "offset": {"type": "integer", "description": "First line, from 1; -50: the last 50 lines", "default": 1},
    "limit": {"type": "integer", "description": "Lines at most"},
    "column": {"type": "integer", "description": "Continues a cut line"},
    "max_tokens": {"type": "integer", "description": "Budget for this reply"},
    "pages": {
        "type": "string",
        "description": "Of a document: 3, 3-7, -2 (the last two), or the name of a sheet or chapter",
    },
    "view": {
        "type": "string",
        "enum": VIEWS,
        "description": "Default: documents as markdown",
    },
    "region": {"type": "string", "description": "Zooms an image: x0,y0,x1,y1, each 0-1000"},
    "encoding": {"type": "string", "description": "Overrides detection, e.g. cp1252"},
    "total": {"type": "string", "enum": ["exact", "lazy"], "description": "lazy: do not count a huge file"},
    "if_revision": {"type": "string", "description": "Never with a new offset"},
    "after": {"type": "string"},
}


NAMES = {**ALIASES, **RANGES, **{name: name for name in PROPERTIES}}


def parse_batch(params: object, settings: Settings) -> Batch | None:
    """Parses a call for several files; returns None if it is a call for one."""
    asked = as_mapping(params)
    if asked.get("paths") in (None, "") or (asked["paths"] == [] and "path" in known_params(asked)[0]):
        return None
    from .batch_request import parse_paths

    return parse_paths(asked, settings)


def parse(params: object, settings: Settings) -> ReadRequest:
    """Parses a call for one file; raises InvalidRequest."""
    given, notices = known_params(as_mapping(params))
    resolve_range(given)
    offset = number_param(given, "offset", 1)
    lines = line_limit(given, settings, notices)
    column = clamp(notices, "column", number_param(given, "column", 1), 1, None) if "column" in given else 1
    tokens = number_param(given, "max_tokens", settings.max_tokens)
    tokens = clamp(notices, "max_tokens", tokens, MIN_TOKENS, max(MIN_TOKENS, settings.max_tokens))
    path = parse_path(given.get("path"), settings.home)
    cost = ReplyCost(settings, tokens, path)
    limits = new_limits(
        lines=lines,
        bytes=settings.max_bytes,
        line_length=settings.line_length,
        tokens=tokens,
        cost=cost,
        columns=True,
        exceeds=cost.surely_exceeds,
    )
    start, last_lines = (1, -offset) if offset < 0 else (offset or 1, None)
    return new_request(
        path=path,
        limits=limits,
        start=start,
        last_lines=last_lines,
        column=column,
        exact_up_to=_max_counted_size(given, settings.total),
        encoding=text_param(given, "encoding"),
        if_revision=text_param(given, "if_revision"),
        pages=_parse_pages(given, offset) if "pages" in given else None,
        after=_parse_after(given),
        view=_parse_view(given) if "view" in given else None,
        region=_parse_region(given) if "region" in given else WHOLE_PAGE,
        notices=tuple(notices),
        max_tokens=tokens,
        may_wait=True,
    )


def known_params(
    params: Mapping[str, object], names: Mapping[str, str] = NAMES
) -> tuple[dict[str, object], list[Notice]]:
    """Returns the params without aliases, nulls and empty strings, and a notice about unknown ones."""
    given: dict[str, object] = {}
    unknown: list[str] = []
    for name, value in params.items():
        own = names.get(name)
        if own is None:
            unknown.append(_printable_param(name))
        elif value is not None and value != "" and (own == name or own not in given):
            given[own] = value
    return given, [_unknown_params_notice(unknown)] if unknown else []


def _unknown_params_notice(names: list[str]) -> Notice:
    """Tells which params are not known."""
    more = f" and {len(names) - MAX_UNKNOWN_SHOWN} more" if len(names) > MAX_UNKNOWN_SHOWN else ""
    return Notice("unknown-parameter", f"unknown parameter ignored: {', '.join(names[:MAX_UNKNOWN_SHOWN])}{more}")


def _printable_param(name: object) -> str:
    """Returns the name of an unknown param, shortened and printable."""
    return ascii(name)[1:-1][:MAX_NAME_SHOWN] if isinstance(name, str) else type(name).__name__


def clamp(notices: list[Notice], name: str, value: int, least: int, most: int | None) -> int:
    """Returns the value within its bounds; adds a notice if it was outside."""
    if value >= least and (most is None or value <= most):
        return value
    verb, bounded = ("raised", least) if most is None or value < least else ("lowered", most)
    notices.append(Notice("clamped", f"{name} {_shorten_number(value)} {verb} to {bounded}"))
    return bounded


def number_param(given: Mapping[str, object], name: str, default: int) -> int:
    """Returns a whole number, or the default where it is not given."""
    return whole_number(name, given[name]) if name in given else default


def line_limit(given: Mapping[str, object], settings: Settings, notices: list[Notice]) -> int:
    """Returns the maximum lines of a reply; adds a notice where it was lowered, raises InvalidRequest below 1."""
    lines = number_param(given, "limit", settings.limit)
    if lines < 1:
        raise InvalidRequest("limit", lines, "at least 1")
    return clamp(notices, "limit", lines, 1, settings.limit)


def token_budget(given: Mapping[str, object], settings: Settings) -> int:
    """Returns the budget of a call, also of one whose params cannot be used."""
    most = max(MIN_TOKENS, settings.max_tokens)
    try:
        return min(max(MIN_TOKENS, number_param(given, "max_tokens", most)), most)
    except InvalidRequest:
        return most


def _max_counted_size(given: Mapping[str, object], default: Total) -> int | None:
    """Returns up to which size a file's lines are counted; None: always."""
    value = given.get("total", default)
    if not isinstance(value, str) or value not in EXACT_UP_TO:
        raise InvalidRequest("total", value, '"exact", "lazy" or "auto"')
    return EXACT_UP_TO[value]


def _parse_pages(given: Mapping[str, object], offset: int) -> Span:
    """Returns the pages that are asked for, by number or by name."""
    import re

    pages = given["pages"]

    if offset not in (0, 1):
        raise InvalidRequest("pages", pages, "left out to go on at an offset, or sent without offset")
    shown = str(pages) if isinstance(pages, str) or (isinstance(pages, int) and abs(pages) < MAX_PAGE) else ""
    asked = re.fullmatch(r"\s*(?:(-[0-9]{1,9})|([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\s*-\s*([0-9]{1,9}))?)\s*", shown)
    name = " ".join(shown.split())
    if not name or len(name) > MAX_PAGES_LENGTH or isinstance(pages, bool):
        raise InvalidRequest("pages", pages, '"3", "3-7", "-2" for the last two, or the name of a sheet or chapter')
    if not asked:
        return Span(0, 0, name=name)
    from_end, first, line, last = asked.groups()
    if from_end:
        return Span(int(from_end), -1, name=name)
    return Span(int(first), int(last or first), int(line or 1), name)


def _parse_after(given: Mapping[str, object]) -> str | None:
    """Returns the entry of a directory behind which to go on, as a listing has it."""
    after = text_param(given, "after")
    return after and unescape_entry(after)


def _parse_view(given: Mapping[str, object]) -> View:
    """Returns the view that is asked for; raises InvalidRequest for an unknown one."""
    view = given["view"]
    if view not in VIEWS:
        raise InvalidRequest("view", view, '"source", "markdown", "outline", "block" or "image"')
    return cast("View", view)


def _parse_region(given: Mapping[str, object]) -> ImageRegion:
    """Returns the region of a page that is asked for."""
    region = given["region"]
    if given.get("view") != "image":
        raise InvalidRequest("region", wants='sent with view="image"')
    listed = cast("list[object]", region) if isinstance(region, (list, tuple)) else str(region).split(",")
    import re

    numbers = [re.fullmatch(r"\s*([0-9]{1,4})(?:\.0*)?\s*", str(each)) for each in listed]
    box = [int(number[1]) for number in numbers if number]
    if len(box) != 4 or len(numbers) != 4 or not (0 <= box[0] < box[2] <= 1000 and 0 <= box[1] < box[3] <= 1000):
        raise InvalidRequest("region", wants="x0,y0,x1,y1 from 0 to 1000, such as 0,0,1000,500 for the upper half")
    return ImageRegion(*box)


def text_param(given: Mapping[str, object], name: str) -> str | None:
    """Returns a text; None where it is not given."""
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(name, value, "text")
    return value


def parse_path(value: object, home: str | None) -> str:
    """Returns a path as the disk may be asked for it; raises InvalidRequest for what is none."""
    if value is None or value == "":
        raise InvalidRequest("path", value, "the path of a file or directory")
    path = check_path(_without_long_escapes(value) if isinstance(value, str) else value)
    if path.startswith("file://"):
        path = check_path(_path_from_uri(path))
    if home is not None and (path == "~" or path.startswith("~/")):
        path = check_path(home + path[1:])
    return path


def _without_long_escapes(path: str) -> str:
    """Returns a path with what is too long for a name only by its escapes as it is meant."""
    if len(path) <= MAX_NAME_BYTES or not has_escape(path):
        return path
    if len(path) > MAX_PATH_BYTES:
        return unescaped_name(path)
    names = path.split("/")
    return "/".join(unescaped_name(name) if len(name) > MAX_NAME_BYTES else name for name in names)


def _path_from_uri(uri: str) -> str:
    """Returns the path of a `file://` address; raises InvalidRequest for one of another machine."""
    from urllib.parse import unquote

    host, slash, path = uri.removeprefix("file://").partition("/")
    if host not in ("", "localhost") or not slash:
        raise InvalidRequest("path", uri, "a file:// address of this machine, such as file:///tmp/a.txt")
    return "/" + unquote(path, errors="surrogateescape")


def _shorten_number(value: int) -> str:
    """Returns a number as text; of a very long one only its beginning."""
    digits = str(value)
    return digits if len(digits) <= 20 else f"{digits[:20]}…"
