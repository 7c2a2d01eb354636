"""A caller's params become a request: aliases, defaults, and what had to be clamped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ...errors import InvalidRequest
from ...model import Clip, Limits, Notice, ReadRequest
from ...names import printable
from ..params import as_mapping, checked_path, whole_number
from .settings import Settings
from .words import body

LEAST_TOKENS = 256
TOKENS_FOR_REMARKS = 160
EXACT_UP_TO = {"auto": 1 << 30, "exact": None, "lazy": 0}
UNKNOWN_NAMED = 3
LONGEST_NAMED = 40

ALIASES = {
    "path": ("path", "file_path", "filePath"),
    "offset": ("offset", "start_line"),
    "limit": ("limit", "num_lines", "n_lines"),
    "column": ("column",),
    "max_tokens": ("max_tokens",),
    "encoding": ("encoding",),
    "total": ("total",),
    "if_revision": ("if_revision",),
}
KNOWN = frozenset(name for names in ALIASES.values() for name in names)

PROPERTIES: dict[str, dict[str, object]] = {
    "path": {"type": "string", "description": "File or directory"},
    "offset": {"type": "integer", "description": "First line, from 1; -50: the last 50 lines", "default": 1},
    "limit": {"type": "integer", "description": "Lines at most"},
    "column": {"type": "integer", "description": "Start inside line `offset`, to continue a cut line", "default": 1},
    "max_tokens": {"type": "integer", "description": "Budget for this reply"},
    "encoding": {"type": "string", "description": "Overrides detection, e.g. cp1252"},
    "total": {"type": "string", "enum": ["exact", "lazy"], "description": "lazy: do not count a huge file"},
    "if_revision": {"type": "string", "description": "rev of this very window if you hold it; never with a new offset"},
}


def parse(params: object, settings: Settings) -> ReadRequest:
    """Returns the request; raises InvalidRequest for what cannot be meant."""
    given = {name: _first(as_mapping(params), names) for name, names in ALIASES.items()}
    notices = _Notices(_unknown(as_mapping(params)))
    offset = _number(given, "offset", 1)
    lines = _lines(given, settings, notices)
    column = notices.clamp("column", _number(given, "column", 1), 1, None)
    tokens = notices.clamp("max_tokens", _number(given, "max_tokens", settings.max_tokens), LEAST_TOKENS, None)
    tokens = notices.clamp("max_tokens", tokens, None, max(LEAST_TOKENS, settings.max_tokens))
    path = _path(given["path"], settings.home)
    limits = Limits(
        lines=lines,
        bytes=settings.max_bytes,
        line_length=settings.line_length,
        tokens=tokens - TOKENS_FOR_REMARKS - settings.count_tokens(printable(path)),
        cost=partial(_cost, settings),
        columns=True,
    )
    return ReadRequest(
        path=path,
        limits=limits,
        start=max(1, offset),
        last=-offset if offset < 0 else None,
        column=column,
        exact_up_to=EXACT_UP_TO[_choice(given, "total", settings.total, tuple(EXACT_UP_TO))],
        encoding=_text(given, "encoding"),
        if_revision=_text(given, "if_revision"),
        notices=tuple(notices),
        max_tokens=tokens,
    )


class _Notices(list[Notice]):
    """What a caller is told of its own params."""

    def clamp(self, name: str, value: int, least: int | None, most: int | None) -> int:
        """Returns the value within its bounds and notes where it was not."""
        bounded = value
        if least is not None and value < least:
            bounded = least
        if most is not None and value > most:
            bounded = most
        if bounded != value:
            verb = "raised" if bounded > value else "lowered"
            self.append(Notice("clamped", f"{name} {_brief(value)} {verb} to {bounded}"))
        return bounded


def _first(params: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((params[name] for name in names if params.get(name) is not None), None)


def _unknown(params: Mapping[str, object]) -> list[Notice]:
    names = [printable(str(name))[:LONGEST_NAMED] for name in params if name not in KNOWN]
    if not names:
        return []
    more = f" and {len(names) - UNKNOWN_NAMED} more" if len(names) > UNKNOWN_NAMED else ""
    return [Notice("unknown-parameter", f"unknown parameter ignored: {', '.join(names[:UNKNOWN_NAMED])}{more}")]


def _number(given: Mapping[str, object], name: str, default: int) -> int:
    value = given[name]
    return default if value is None else whole_number(name, value)


def _lines(given: Mapping[str, object], settings: Settings, notices: _Notices) -> int:
    lines = _number(given, "limit", settings.limit)
    if lines < 1:
        raise InvalidRequest("limit", lines, "at least 1")
    return notices.clamp("limit", lines, None, settings.limit)


def _choice(given: Mapping[str, object], name: str, default: str, choices: tuple[str, ...]) -> str:
    value = given[name]
    if value is None:
        return default
    if not isinstance(value, str) or value not in choices:
        raise InvalidRequest(name, value, '"exact", "lazy" or "auto"')
    return value


def _text(given: Mapping[str, object], name: str) -> str | None:
    value = given[name]
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


def _cost(settings: Settings, start: int, column: int, lines: Sequence[str], clips: Sequence[Clip]) -> int:
    return settings.count_tokens("\n".join(body(lines, start, column, clips, settings.numbers)))


def _brief(value: int) -> str:
    digits = str(value)
    return digits if len(digits) <= 20 else f"{digits[:20]}…"
