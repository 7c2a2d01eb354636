"""A reply's data in few words, for doors whose callers may show it to a model."""

from __future__ import annotations

from typing import cast

NOTHING: tuple[object, ...] = (None, [], {})
USUAL = {"kind": "file", "bom": False, "final_newline": True, "newline": "lf", "encoding": "utf-8"}
"""What is not said where it is so."""
OF_MANY = ("path", "start", "end", "total", "next", "clipped", "revision", "notices", "error")
"""What is said of each of several files."""


def brief(data: dict[str, object]) -> dict[str, object]:
    """Returns the data without nulls, empty lists and what is usual; of several files only how to go on with each."""
    told = {name: value for name, value in data.items() if value not in NOTHING and not _is_usual(name, value)}
    if "files" in told:
        files = cast("list[dict[str, object]]", told["files"])
        told["files"] = [brief({name: file[name] for name in OF_MANY if name in file}) for file in files]
    return told


def _is_usual(name: str, value: object) -> bool:
    return name in USUAL and value == USUAL[name]
