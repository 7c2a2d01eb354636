"""Filled-in values: form fields and typed notes, which are annotations and no part of the printed text."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_text.inline_markdown import printable

MAX_BYTES = 200_000
CHECKED = "[x]"
FILLED_IN = "<!-- filled in on this page -->"


class Field(NamedTuple):
    """The name and value of a field; a typed note has no name."""

    name: str
    value: str


def read_field(document: pdfium.PdfDocument, annotation: Any, kind: int) -> list[Field]:
    """Returns what an annotation of a kind holds; nothing of an empty one, and of what is neither field nor note."""
    field = _field(document, annotation, kind)
    return [field] if field and field.value else []


def _field(document: pdfium.PdfDocument, annotation: Any, kind: int) -> Field | None:
    if kind == raw.FPDF_ANNOT_FREETEXT:
        return Field("", read_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents"))
    if kind != raw.FPDF_ANNOT_WIDGET or document.formenv is None:
        return None
    handles = document.formenv.raw, annotation
    name = read_string(raw.FPDFAnnot_GetFormFieldAlternateName, *handles) or read_string(
        raw.FPDFAnnot_GetFormFieldName, *handles
    )
    return Field(name, _value(*handles))


def _value(forms: Any, annotation: Any) -> str:
    """Returns the value of a form field; empty where it is not filled in."""
    kind = raw.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        return read_string(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    if kind not in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return ""
    if not raw.FPDFAnnot_IsChecked(forms, annotation):
        return ""
    chosen = read_string(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    return f"{CHECKED} {chosen}" if kind == raw.FPDF_FORMFIELD_RADIOBUTTON else CHECKED


def is_string_too_long(call: Callable[..., int], *arguments: Any) -> bool:
    """Whether a string of PDFium is unreasonably long."""
    return call(*arguments, None, 0) > MAX_BYTES


def read_string(call: Callable[..., int], *arguments: Any) -> str:
    """Returns a string of PDFium as one line, or only its length where it is unreasonably long."""
    size = call(*arguments, None, 0)
    if size <= 2:
        return ""
    if size > MAX_BYTES:
        return f"<!-- {size // 2 - 1:,} characters are not shown -->"
    buffer = (ctypes.c_ushort * (size // 2))()
    call(*arguments, buffer, size)
    return printable(" ".join(bytes(buffer)[: size - 2].decode("utf-16-le", "replace").split()))


def fields_markdown(fields: list[Field]) -> str:
    """Returns fields as a Markdown list below a comment that introduces them; empty where there are none."""
    written = [f"- {field.name}: {field.value}" if field.name else f"- {field.value}" for field in fields]
    return "\n".join([FILLED_IN, *written]) if written else ""
