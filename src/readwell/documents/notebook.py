"""Jupyter notebooks become Markdown: text as it is, code fenced, outputs as text; pictures are named."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from ..errors import ConversionFailed
from .clean_markdown import remove_controls
from .contract import Converter
from .markdown_blocks import fenced, image
from .single_unit import SingleUnit

VERSION = "4"
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
EMBEDDED = re.compile(r"!\[([^\]\n]{0,500})\]\((?:attachment|data):[^()]*\)")
SVG = "image/svg+xml"
MAX_NAME = 80
JsonObject = dict[str, Any]


def open_notebook(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a notebook."""
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConversionFailed("ipynb", "it is damaged: its JSON cannot be read") from error
    root = _mapping_or_empty(notebook)
    sheets = [_mapping_or_empty(sheet).get("cells") for sheet in _list_or_empty(root.get("worksheets"))]
    cells = [_mapping_or_empty(cell) for cells_of in (root.get("cells"), *sheets) for cell in _list_or_empty(cells_of)]
    if not cells and "cells" not in root:
        raise ConversionFailed("ipynb", "it is no notebook: it has no cells")
    language = _mapping_or_empty(_mapping_or_empty(root.get("metadata")).get("kernelspec")).get("language", "")
    written = [text for cell in cells for text in _cell(cell, str(language))]
    return SingleUnit(remove_controls("\n\n".join(text for text in written if text)))


def _cell(cell: JsonObject, language: str) -> list[str]:
    """Returns the blocks of a cell: its source, then its outputs."""
    source = _text(cell.get("source", cell.get("input")))
    if cell.get("cell_type") == "code":
        outputs = [_output(_mapping_or_empty(output)) for output in _list_or_empty(cell.get("outputs"))]
        return [fenced(source, language) if source.strip() else "", *outputs]
    if cell.get("cell_type") == "markdown":
        return [EMBEDDED.sub(r"![\1]()", source).strip()]
    return [fenced(source) if source.strip() else ""]


def _output(output: JsonObject) -> str:
    """Returns what a cell has printed; of a picture its kind and size, of others their kind."""
    if output.get("output_type") == "error":
        return fenced(_traceback(output))
    data = _mapping_or_empty(output.get("data")) or output
    text = _text(data.get("text/markdown")).strip()
    if text:
        return EMBEDDED.sub(r"![\1]()", text)
    plain = COLOURS.sub("", _text(data.get("text/plain", data.get("text")))).rstrip()
    pictures = [image(_picture_name(kind, _text(data[kind]))) for kind in data if kind.startswith("image/")]
    shown = [fenced(plain)] * bool(plain.strip()) + pictures
    others = [] if shown else [kind for kind in _mapping_or_empty(output.get("data")) if _is_type_name(kind)]
    return "\n\n".join(shown or [f"*An output is not shown: {', '.join(others)}.*"] * bool(others))


def _traceback(output: JsonObject) -> str:
    """Returns the traceback of an error, or its name and message where there is none that tells them."""
    named = COLOURS.sub("", f"{output.get('ename', '')}: {output.get('evalue', '')}").strip()
    lines = output.get("traceback")
    traceback = COLOURS.sub("", "\n".join(map(str, _list_or_empty(lines))) or _text(lines)).rstrip()
    return traceback if traceback and named in traceback else f"{traceback}\n{named}"


def _picture_name(kind: str, content: str) -> str:
    """Returns what a picture is called: its kind, and its size where that can be told."""
    written = "".join(content.split())
    size = len(content.encode(errors="replace")) if kind == SVG else len(written) * 3 // 4 - written[-2:].count("=")
    return f"{kind}, {size:,} bytes" if size > 0 else kind


def _is_type_name(kind: str) -> bool:
    """Whether this is the name of a type and no more."""
    return len(kind) < MAX_NAME and kind.isprintable()


def _text(value: object) -> str:
    """Returns a text, also one that is kept as a list of lines."""
    if isinstance(value, list):
        return "".join(str(line) for line in cast("list[object]", value))
    return value if isinstance(value, str) else ""


def _mapping_or_empty(value: object) -> JsonObject:
    """Returns a mapping; an empty one for anything else."""
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _list_or_empty(value: object) -> list[object]:
    """Returns a list; an empty one for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


NOTEBOOK = Converter("ipynb", VERSION, open_notebook)
