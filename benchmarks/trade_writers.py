"""Prints documents of trades.py with reportlab and fpdf2: `python trade_writers.py FOLDER < documents.json`.

It runs in an environment with these two libraries, not in the project's own.
"""

import json
import sys
from pathlib import Path
from typing import Any

MARGIN = 54
LEADING = 1.25
SCALE = {1: 1.7, 2: 1.3, 3: 1.1}
GREY = (0.9, 0.9, 0.9)


def main(folder: str) -> None:
    for document in json.load(sys.stdin):
        path = Path(folder) / f"{document['name']}.pdf"
        {"reportlab": by_reportlab, "fpdf2": by_fpdf2}[document["writer"]](document, path)


def by_reportlab(document: dict[str, Any], path: Path) -> None:
    from reportlab.lib.pagesizes import A4  # pyright: ignore[reportMissingModuleSource]
    from reportlab.lib.styles import ParagraphStyle  # pyright: ignore[reportMissingModuleSource]
    from reportlab.platypus import (  # pyright: ignore[reportMissingModuleSource]
        BaseDocTemplate,
        Frame,
        PageBreak,
        PageTemplate,
        Paragraph,
        Spacer,
    )

    size, columns = document["size"], document["columns"]
    font = "Times-Roman" if document["serif"] else "Helvetica"
    bold = "Times-Bold" if document["serif"] else "Helvetica-Bold"
    width = (A4[0] - 2 * MARGIN - 18 * (columns - 1)) / columns
    frames = [Frame(MARGIN + k * (width + 18), MARGIN, width, A4[1] - 2 * MARGIN, 0, 0, 0, 0) for k in range(columns)]
    body = ParagraphStyle(
        "body",
        fontName=font,
        fontSize=size,
        leading=LEADING * size,
        spaceAfter=0 if document["indented"] else 0.6 * size,
        firstLineIndent=1.5 * size if document["indented"] else 0,
        alignment=4 if document["justified"] else 0,
    )
    story: list[Any] = []
    for block in document["blocks"]:
        kind = block["kind"]
        if kind == "heading":
            large = size * SCALE[block["level"]]
            style = ParagraphStyle(
                "heading", fontName=bold, fontSize=large, leading=1.2 * large, spaceBefore=large, spaceAfter=0.4 * large
            )
            story.append(Paragraph(escape(block["text"]), style))
        elif kind == "text":
            story.append(Paragraph(escape(block["text"]), body))
        elif kind == "list":
            item = ParagraphStyle("item", parent=body, firstLineIndent=0, leftIndent=16, bulletIndent=4)
            story += [Paragraph(escape(text), item, bulletText="\u2022") for text in block["items"]]
        elif kind == "fields":
            story += [reportlab_fields(block, width, font, bold, size), Spacer(1, size)]
        elif kind == "page":
            story.append(PageBreak())
        else:
            story += [reportlab_table(block, width, font, bold, size), Spacer(1, size)]
    template = BaseDocTemplate(str(path), pagesize=A4, pageTemplates=[PageTemplate(frames=frames)])
    template.build(story)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def reportlab_fields(block: dict[str, Any], width: float, font: str, bold: str, size: float) -> Any:
    from reportlab.platypus import Table  # pyright: ignore[reportMissingModuleSource]

    style = [
        ("FONT", (0, 0), (0, -1), bold, size),
        ("FONT", (1, 0), (1, -1), font, size),
        ("TOPPADDING", (0, 0), (-1, -1), 1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ("LEFTPADDING", (0, 0), (0, -1), 0),
    ]
    return Table(block["pairs"], colWidths=[0.3 * width, 0.6 * width], style=style, hAlign="LEFT")


def reportlab_table(block: dict[str, Any], width: float, font: str, bold: str, size: float) -> Any:
    from reportlab.lib.colors import Color, black  # pyright: ignore[reportMissingModuleSource]
    from reportlab.lib.styles import ParagraphStyle  # pyright: ignore[reportMissingModuleSource]
    from reportlab.platypus import Paragraph, Table  # pyright: ignore[reportMissingModuleSource]

    rows, heads, rules = block["rows"], block["heads"], block["rules"]
    sides: dict[str, Any] = {"l": 0, "c": 1, "r": 2}
    cells = [
        [
            Paragraph(
                escape(text),
                ParagraphStyle(
                    "cell",
                    fontName=bold if row < heads else font,
                    fontSize=size,
                    leading=1.2 * size,
                    alignment=sides[side],
                ),
            )
            for text, side in zip(line, sides_of(block, row), strict=True)
        ]
        for row, line in enumerate(rows)
    ]
    style: list[Any] = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("TOPPADDING", (0, 0), (-1, -1), 2)]
    style.append(("BOTTOMPADDING", (0, 0), (-1, -1), 3))
    if rules == "grid":
        style.append(("GRID", (0, 0), (-1, -1), 0.5, black))
    elif rules == "rows":
        style.append(("LINEBELOW", (0, 0), (-1, -1), 0.5, black))
    elif rules in ("booktabs", "head"):
        style.append(("LINEBELOW", (0, heads - 1), (-1, heads - 1), 0.5, black))
    elif rules == "shaded":
        style += [("BACKGROUND", (0, row), (-1, row), Color(*GREY)) for row in range(0, len(rows), 2)]
    if rules == "booktabs":
        style += [("LINEABOVE", (0, 0), (-1, 0), 1, black), ("LINEBELOW", (0, -1), (-1, -1), 1, black)]
    style += [("SPAN", (column, row), (column + count - 1, row)) for row, column, count in block["spans"]]
    if rules == "booktabs":
        style += [
            ("LINEBELOW", (column, row), (column + count - 1, row), 0.5, black) for row, column, count in block["spans"]
        ]
    style += [("LINEABOVE", (1, row), (-1, row), 0.5, black) for row in block["totals"]]
    repeated = 0 if block["repeated"] is False else heads
    return Table(cells, colWidths=[share * width for share in block["widths"]], style=style, repeatRows=repeated)


def sides_of(block: dict[str, Any], row: int) -> list[str]:
    """Returns the alignment of each cell of a row; one over several columns is centred."""
    sides = list(block["align"])
    for over, column, _ in block["spans"]:
        if over == row:
            sides[column] = "c"
    return sides


def by_fpdf2(document: dict[str, Any], path: Path) -> None:
    from fpdf import FPDF  # pyright: ignore[reportMissingImports, reportMissingModuleSource]

    pdf = FPDF(unit="pt", format="A4")
    pdf.set_margins(MARGIN, MARGIN, MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    pdf.add_page()
    family, size = "Times" if document["serif"] else "Helvetica", document["size"]
    side = "J" if document["justified"] else "L"
    for block in document["blocks"]:
        kind = block["kind"]
        if kind == "heading":
            large = size * SCALE[block["level"]]
            pdf.ln(0.8 * large)
            pdf.set_font(family, "B", large)
            pdf.multi_cell(0, 1.2 * large, latin(block["text"]), align="L", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(0.4 * large)
        elif kind == "text":
            pdf.set_font(family, "", size)
            indent = "      " if document["indented"] else ""
            pdf.multi_cell(0, LEADING * size, indent + latin(block["text"]), align=side, new_x="LMARGIN", new_y="NEXT")
            pdf.ln(0 if indent else 0.6 * size)
        elif kind == "list":
            pdf.set_font(family, "", size)
            for text in block["items"]:
                pdf.cell(14, LEADING * size, "\u2022".encode("cp1252").decode("latin-1"), align="C")
                pdf.multi_cell(0, LEADING * size, latin(text), align="L", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(0.6 * size)
        elif kind == "fields":
            for label, value in block["pairs"]:
                pdf.set_font(family, "B", size)
                pdf.cell(140, 1.4 * size, latin(label))
                pdf.set_font(family, "", size)
                pdf.cell(0, 1.4 * size, latin(value), new_x="LMARGIN", new_y="NEXT")
            pdf.ln(0.8 * size)
        elif kind == "page":
            pdf.add_page()
        else:
            fpdf_table(pdf, block, family, size)
    pdf.output(str(path))


def latin(text: str) -> str:
    return text.encode("cp1252", "replace").decode("latin-1")


def spanned(block: dict[str, Any], number: int, widths: list[float]) -> list[float]:
    """Returns the widths of the cells of a row: one over several columns has the width of all."""
    spans = {column: count for over, column, count in block["spans"] if over == number}
    return [sum(widths[column : column + spans.get(column, 1)]) for column in range(len(widths))]


def fpdf_table(pdf: Any, block: dict[str, Any], family: str, size: float) -> None:
    """Draws cells and rules itself: each kind of ruling, not only those of the library's table."""
    rows, heads = block["rows"], block["heads"]
    whole = pdf.epw
    widths = [share * whole for share in block["widths"]]
    pitch, pad = 1.2 * size, 0.25 * size

    def height_of(number: int) -> float:
        pdf.set_font(family, "B" if number < heads else "", size)
        lines = [
            pdf.multi_cell(width - 6, pitch, latin(text), dry_run=True, output="LINES") if text else []
            for text, width in zip(rows[number], spanned(block, number, widths), strict=True)
        ]
        return max(1, *map(len, lines)) * pitch + 2 * pad

    for number in range(len(rows)):
        if pdf.get_y() + height_of(number) > pdf.h - MARGIN:
            pdf.add_page()
            for head in range(heads if block["repeated"] else 0):
                fpdf_row(pdf, block, head, widths, height_of(head), size)
        fpdf_row(pdf, block, number, widths, height_of(number), size)
    pdf.ln(size)


def fpdf_row(pdf: Any, block: dict[str, Any], number: int, widths: list[float], height: float, size: float) -> None:
    rows, heads, rules = block["rows"], block["heads"], block["rules"]
    row, whole, pitch, pad = rows[number], pdf.epw, 1.2 * size, 0.25 * size
    x, y = pdf.l_margin, pdf.get_y()
    if rules == "shaded" and number % 2 == 0:
        pdf.set_fill_color(230, 230, 230)
        pdf.rect(x, y, whole, height, style="F")
    spans = {column: count for over, column, count in block["spans"] if over == number}
    hidden = {column + k for column, count in spans.items() for k in range(1, count)}
    for column, text in enumerate(row):
        left, width = x + sum(widths[:column]), sum(widths[column : column + spans.get(column, 1)])
        if column in hidden:
            continue
        if rules == "booktabs" and column in spans:
            pdf.line(left + 4, y + height, left + width - 4, y + height)
        if rules == "grid":
            pdf.rect(left, y, width, height)
        pdf.set_xy(left + 3, y + pad)
        if text:
            pdf.multi_cell(width - 6, pitch, latin(text), align=sides_of(block, number)[column].upper())
    if rules == "rows" or (rules in ("booktabs", "head") and number == heads - 1):
        pdf.line(x, y + height, x + whole, y + height)
    if rules == "booktabs" and number in (0, len(rows) - 1):
        edge = y if number == 0 else y + height
        pdf.line(x, edge, x + whole, edge)
    if number in block["totals"]:
        pdf.line(x + widths[0], y, x + whole, y)
    pdf.set_xy(x, y + height)


if __name__ == "__main__":
    main(sys.argv[1])
