"""Loads a PDF, or says in plain words why it cannot be loaded."""

from __future__ import annotations

from contextlib import suppress

import pypdfium2 as pdfium
from pypdfium2 import raw

from ...errors import ConversionFailed, DocumentLocked

DAMAGED = "it is damaged or not a PDF"
NO_PAGES = "none of its pages can be read"
UNKNOWN_LOCK = "its encryption is of a kind that cannot be read"


def load_pdf(content: bytes, password: str | None) -> pdfium.PdfDocument:
    """Loads a document with its form fields; `content` must outlive the document."""
    document = _load_without_forms(content, (password or "").encode(errors="replace").decode())
    _load_forms(document)
    return document


def _load_without_forms(content: bytes, password: str) -> pdfium.PdfDocument:
    """Loads a document; an unnecessary password is ignored."""
    for attempt in dict.fromkeys((password, "")):
        with suppress(pdfium.PdfiumError):
            return pdfium.PdfDocument(content, attempt)
    raise _refusal(content, password)


def _refusal(content: bytes, password: str) -> ConversionFailed:
    """Returns why a document does not load. Loads it again, for PDFium's last error may be that of another one."""
    document = raw.FPDF_LoadMemDocument64(content, len(content), password.encode() + b"\0")
    if document:
        raw.FPDF_CloseDocument(document)
        return ConversionFailed("pdf", NO_PAGES)
    reason = raw.FPDF_GetLastError()
    if reason == raw.FPDF_ERR_PASSWORD:
        return DocumentLocked("pdf")
    return ConversionFailed("pdf", UNKNOWN_LOCK if reason == raw.FPDF_ERR_SECURITY else DAMAGED)


def _load_forms(document: pdfium.PdfDocument) -> None:
    """Makes the values of fields readable; without the binding's own function, which logs a warning."""
    if raw.FPDF_GetFormType(document.raw) == raw.FORMTYPE_NONE:
        return
    settings = raw.FPDF_FORMFILLINFO(version=2)
    forms = raw.FPDFDOC_InitFormFillEnvironment(document.raw, settings)
    if forms:
        document.formenv = pdfium.PdfFormEnv(forms, settings)
