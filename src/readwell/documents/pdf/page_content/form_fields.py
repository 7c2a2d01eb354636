"""Filled-in values: form fields and typed notes, which are annotations and no part of the printed text."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_text.inline_markdown import printable
from ..page_text.page_notices import Notices

MAX_ANNOTATIONS = 5000
MAX_BYTES = 200_000
CHECKED = "[x]"
FILLED_IN = "<!-- filled in on this page -->"


class Field(NamedTuple):
    """The name and value of a field; a typed note has no name."""

    name: str
    value: str


def read_fields(document: pdfium.PdfDocument, page: pdfium.PdfPage, notices: Notices) -> list[Field]:
    """Returns the filled-in values of a page, in the order of its fields; empty fields and boxes are left out."""
    fields = (_field(document, annotation) for annotation in _annotations(page, notices))
    return [field for field in fields if field and field.value]


def _annotations(page: pdfium.PdfPage, notices: Notices) -> Iterator[Any]:
    """Yields the annotations of a page, up to a bound."""
    count = raw.FPDFPage_GetAnnotCount(page.raw)
    if count > MAX_ANNOTATIONS:
        notices.add(f"of {count:,} notes and fields on this page the first {MAX_ANNOTATIONS:,} were looked at")
    for number in range(min(count, MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, number)
        if annotation:
            yield annotation
            raw.FPDFPage_CloseAnnot(annotation)


def _field(document: pdfium.PdfDocument, annotation: Any) -> Field | None:
    """Returns what an annotation holds; None for one that is neither field nor note."""
    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind == raw.FPDF_ANNOT_FREETEXT:
        return Field("", _text(raw.FPDFAnnot_GetStringValue, annotation, b"Contents"))
    if kind != raw.FPDF_ANNOT_WIDGET or document.formenv is None:
        return None
    handles = document.formenv.raw, annotation
    name = _text(raw.FPDFAnnot_GetFormFieldAlternateName, *handles) or _text(raw.FPDFAnnot_GetFormFieldName, *handles)
    return Field(name, _value(*handles))


def _value(forms: Any, annotation: Any) -> str:
    """Returns the value of a form field; empty where it is not filled in."""
    kind = raw.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        return _text(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    if kind not in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return ""
    if not raw.FPDFAnnot_IsChecked(forms, annotation):
        return ""
    chosen = _text(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    return f"{CHECKED} {chosen}" if kind == raw.FPDF_FORMFIELD_RADIOBUTTON else CHECKED


def _text(call: Callable[..., int], *arguments: Any) -> str:
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
