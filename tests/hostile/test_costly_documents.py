"""Documents whose shape would cost more than their size: every one is read or refused in little time."""

import time
from io import BytesIO
from zipfile import ZipFile

import pytest

from corpus.docx_writer import NAMESPACES, cell, document, item, paragraph, table, text
from corpus.odt_writer import document as odt_document
from corpus.odt_writer import paragraph as odt_paragraph
from corpus.packing import packed
from corpus.sheet_writer import ods_cell, ods_document, sheet, workbook
from readwell.documents.docx import DOCX
from readwell.documents.notebook import NOTEBOOK
from readwell.documents.ods import ODS
from readwell.documents.odt import ODT
from readwell.documents.xlsx import XLSX
from readwell.errors import ConversionFailed

GUARD = 30
DELETED = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>"
BEGUN = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "x"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>x</w:t></w:r>'
MANY = 10_000


def numbering():
    levels = "".join(f'<w:lvl w:ilvl="{n}"/>' for n in range(MANY))
    overrides = "".join(f'<w:lvlOverride w:ilvl="{n}"/>' for n in range(MANY))
    lists = "".join(
        f'<w:num w:numId="{n}"><w:abstractNumId w:val="1"/>{overrides if n == 1 else ""}</w:num>' for n in range(MANY)
    )
    return f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="1">{levels}</w:abstractNum>{lists}</w:numbering>'


def nested_tables(depth):
    inner = paragraph("|" * 1000)
    for _ in range(depth):
        inner = table([cell(inner), cell("beside")])
    return inner


def boxes(depth):
    inner = item("once", 0, 2)
    for _ in range(depth):
        inner = table([cell(inner)])
    return inner


COSTLY = {
    "paragraphs that all go on in the next": (DOCX, lambda: document(DELETED * MANY + paragraph("end"))),
    "fields that never end": (DOCX, lambda: document(paragraph(BEGUN * MANY))),
    "lists without end": (DOCX, lambda: document("".join(item("x", 0, n % 3) for n in range(MANY)), extra={"word/numbering.xml": numbering()})),
    "runs that change at every letter": (DOCX, lambda: document(paragraph((text("a", "<w:b/>") + text(" ", "<w:i/>")) * MANY))),
    "tables within tables": (DOCX, lambda: document(nested_tables(80))),
    "boxes within boxes": (DOCX, lambda: document(boxes(70))),
    "notes that are referred to again and again": (DOCX, lambda: document(paragraph('<w:r><w:footnoteReference w:id="1"/></w:r>' * MANY))),
    "pictures in a notebook that never end": (NOTEBOOK, lambda: b'{"cells": [{"cell_type": "markdown", "source": "' + b"![](data:" * 200_000 + b'"}]}'),
    "cells that repeat in every cell": (ODS, lambda: ods_document(f"<table:table-row>{ods_cell('x', 'table:number-columns-repeated=' + chr(34) + '9999' + chr(34)) * MANY}</table:table-row>")),
    "rows that repeat in every row": (ODT, lambda: odt_document("<table:table>" + f"<table:table-row table:number-rows-repeated='999'><table:table-cell>{odt_paragraph('x')}</table:table-cell></table:table-row>" * 5000 + "</table:table>")),
    "a row of very many cells": (XLSX, lambda: workbook({"S": sheet('<row r="1">' + '<c t="inlineStr"><is><t>x</t></is></c>' * 2 * MANY + "</row>")})),
}  # fmt: skip


REFUSED = {"rows that repeat in every row"}


def loosely_packed(content):
    """The same parts without compression, so that none is refused for its ratio."""
    if not content.startswith(b"PK"):
        return content
    with ZipFile(BytesIO(content)) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    return packed(parts, stored=parts)


@pytest.mark.slow
@pytest.mark.parametrize("shape", COSTLY)
def test_a_costly_shape_is_read_or_refused_soon(shape):
    converter, make = COSTLY[shape]
    content = loosely_packed(make())
    begun = time.monotonic()
    try:
        outcome = len(converter.open(content, None, b"").markdown(1)) < 32 << 20
    except ConversionFailed:
        outcome = "refused"
    assert time.monotonic() - begun < GUARD
    assert outcome == ("refused" if shape in REFUSED else True)
