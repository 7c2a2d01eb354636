"""`brief`: a reply's data without nulls and usual values, for MCP clients that may show it to a model."""

from __future__ import annotations

from typing import cast

NOTHING: tuple[object, ...] = (None, [], {})
USUAL = {"kind": "file", "bom": False, "final_newline": True, "newline": "lf", "encoding": "utf-8"}
"""Values that are left out because they are the usual ones."""
FIELDS_OF_EACH = ("path", "start", "end", "total", "next", "clipped", "revision", "notices", "error")
"""Fields that are kept of each file in a reply with several."""


def brief(data: dict[str, object]) -> dict[str, object]:
    """Returns the data without nulls, empty lists and usual values; of several files only what continues each."""
    kept = {name: value for name, value in data.items() if value not in NOTHING and not _is_usual(name, value)}
    if "files" in kept:
        files = cast("list[dict[str, object]]", kept["files"])
        kept["files"] = [brief({name: file[name] for name in FIELDS_OF_EACH if name in file}) for file in files]
    return kept


def _is_usual(name: str, value: object) -> bool:
    """Says whether a value goes without saying."""
    return name in USUAL and value == USUAL[name]
