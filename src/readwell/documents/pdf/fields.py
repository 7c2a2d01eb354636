"""What was filled in: values of form fields and typed notes lie above a page and are no part of its printed text."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from .markdown import printable
from .notices import Notices

MOST_ANNOTATIONS = 5000
MOST_BYTES = 200_000
CHECKED = "[x]"
FILLED_IN = "<!-- filled in on this page -->"


class Field(NamedTuple):
    """A value and what it is called; a typed note has no name."""

    name: str
    value: str


def read_fields(document: pdfium.PdfDocument, page: pdfium.PdfPage, notices: Notices) -> list[Field]:
    """Returns what was filled in on a page, in the order of the fields; empty fields and open boxes are left out."""
    found = (_field(document, annotation) for annotation in _annotations(page, notices))
    return [field for field in found if field and field.value]


def _annotations(page: pdfium.PdfPage, notices: Notices) -> Iterator[Any]:
    count = raw.FPDFPage_GetAnnotCount(page.raw)
    if count > MOST_ANNOTATIONS:
        notices.tell(f"of {count:,} notes and fields on this page the first {MOST_ANNOTATIONS:,} were looked at")
    for number in range(min(count, MOST_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, number)
        if annotation:
            yield annotation
            raw.FPDFPage_CloseAnnot(annotation)


def _field(document: pdfium.PdfDocument, annotation: Any) -> Field | None:
    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind == raw.FPDF_ANNOT_FREETEXT:
        return Field("", _text(raw.FPDFAnnot_GetStringValue, annotation, b"Contents"))
    if kind != raw.FPDF_ANNOT_WIDGET or document.formenv is None:
        return None
    asked = document.formenv.raw, annotation
    name = _text(raw.FPDFAnnot_GetFormFieldAlternateName, *asked) or _text(raw.FPDFAnnot_GetFormFieldName, *asked)
    return Field(name, _value(*asked))


def _value(forms: Any, annotation: Any) -> str:
    kind = raw.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        return _text(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    if kind not in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return ""
    if not raw.FPDFAnnot_IsChecked(forms, annotation):
        return ""
    chosen = _text(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    return f"{CHECKED} {chosen}" if kind == raw.FPDF_FORMFIELD_RADIOBUTTON else CHECKED


def _text(ask: Callable[..., int], *about: Any) -> str:
    """Returns a text of PDFium on one line; only its length where it is unreasonably long."""
    size = ask(*about, None, 0)
    if size <= 2:
        return ""
    if size > MOST_BYTES:
        return f"<!-- {size // 2 - 1:,} characters are not shown -->"
    buffer = (ctypes.c_ushort * (size // 2))()
    ask(*about, buffer, size)
    return printable(" ".join(bytes(buffer)[: size - 2].decode("utf-16-le", "replace").split()))


def fields_markdown(fields: list[Field]) -> str:
    """Returns fields as a list below a line that says what they are; nothing where there are none."""
    written = [f"- {field.name}: {field.value}" if field.name else f"- {field.value}" for field in fields]
    return "\n".join([FILLED_IN, *written]) if written else ""
