"""Prints documents of trades.py by way of HTML: with Chromium's print, and with LibreOffice."""

import html
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SIDES = {"l": "left", "c": "center", "r": "right"}
TIMEOUT_S = 600


def print_with_chromium(documents: Sequence[dict[str, Any]], folder: Path) -> None:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        raise FileNotFoundError("chromium")
    for document in documents:
        page = folder / f"{document['name']}.html"
        page.write_text(page_of(document))
        made = folder / f"{document['name']}.pdf"
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        subprocess.run(
            [*command, f"--print-to-pdf={made}", page.as_uri()], capture_output=True, timeout=TIMEOUT_S, check=True
        )
        page.unlink()


def print_with_libreoffice(documents: Sequence[dict[str, Any]], folder: Path) -> None:
    program = shutil.which("soffice")
    if program is None:
        raise FileNotFoundError("soffice")
    pages = [folder / f"{document['name']}.html" for document in documents]
    for page, document in zip(pages, documents, strict=True):
        page.write_text(page_of(document))
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [program, profile, "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export"]
    subprocess.run([*command, "--outdir", folder, *pages], capture_output=True, timeout=TIMEOUT_S, check=True)
    for page in pages:
        page.unlink()
    shutil.rmtree(folder / "profile", ignore_errors=True)


def page_of(document: dict[str, Any]) -> str:
    size, font = document["size"], "Liberation Serif" if document["serif"] else "Liberation Sans"
    side = "justify" if document["justified"] else "left"
    between = "margin: 0; text-indent: 1.5em" if document["indented"] else f"margin: 0 0 {0.6 * size}pt"
    # A browser prints one column beyond the page to its right instead of onto the next one.
    columns = f"column-count: {document['columns']}; " if document["columns"] > 1 else ""
    style = f"""
      @page {{ size: A4; margin: 19mm }}
      body {{ font: {size}pt/1.25 '{font}'; {columns}margin: 0 }}
      p {{ text-align: {side}; {between} }}
      td p {{ text-indent: 0 }}
      h1 {{ font-size: {1.7 * size}pt; margin: 0 0 {0.6 * size}pt }}
      h2 {{ font-size: {1.3 * size}pt; margin: {size}pt 0 4pt }}
      h3 {{ font-size: {1.1 * size}pt; margin: {size}pt 0 4pt }}
      table {{ border-collapse: collapse; width: 100%; margin: 0 0 {size}pt }}
      td, th {{ padding: 2pt 4pt; vertical-align: top }}
    """
    body = "\n".join(map(block_of, document["blocks"]))
    return f'<html><head><meta charset="utf-8"><style>{style}</style></head><body>{body}</body></html>'


def block_of(block: dict[str, Any]) -> str:
    kind = block["kind"]
    if kind == "heading":
        return f"<h{block['level']}>{html.escape(block['text'])}</h{block['level']}>"
    if kind == "text":
        return f"<p>{html.escape(block['text'])}</p>"
    if kind == "list":
        return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in block["items"]) + "</ul>"
    if kind == "fields":
        rows = "".join(
            f'<tr><td width="30%"><b>{html.escape(label)}</b></td><td>{html.escape(value)}</td></tr>'
            for label, value in block["pairs"]
        )
        return f"<table>{rows}</table>"
    if kind == "page":
        return '<p style="page-break-before: always; margin: 0; font-size: 1pt; line-height: 1pt">&nbsp;</p>'
    return table_of(block)


def table_of(block: dict[str, Any]) -> str:
    rows = [row_of(block, number) for number in range(len(block["rows"]))]
    head = "".join(rows[: block["heads"]])
    head = f"<thead>{head}</thead>" if block["repeated"] else head
    return f"<table>{head}{''.join(rows[block['heads'] :])}</table>"


def row_of(block: dict[str, Any], number: int) -> str:
    cells: list[str] = []
    spans = {column: count for over, column, count in block["spans"] if over == number}
    hidden = {column + k for column, count in spans.items() for k in range(1, count)}
    for column, text in enumerate(block["rows"][number]):
        if column in hidden:
            continue
        side = "center" if column in spans else SIDES[block["align"][column]]
        width = round(100 * sum(block["widths"][column : column + spans.get(column, 1)]))
        over = f' colspan="{spans[column]}"' if column in spans else ""
        shown = html.escape(text)
        shown = f"<b>{shown}</b>" if number < block["heads"] and shown else shown
        # LibreOffice knows the style of the paragraph, browsers that of the cell.
        inside = f'<p align="{side}" style="margin: 0; text-indent: 0; text-align: {side}">{shown}</p>' if shown else ""
        cells.append(f'<td{over} width="{width}%" style="{rules_of(block, number, column)}">{inside}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def rules_of(block: dict[str, Any], number: int, column: int) -> str:
    rules, last, line = block["rules"], len(block["rows"]) - 1, "1px solid #000"
    sides: list[str] = []
    if rules == "grid":
        sides = ["border"]
    elif rules == "rows" or (rules in ("booktabs", "head") and number == block["heads"] - 1):
        sides = ["border-bottom"]
    if rules == "booktabs" and number == 0:
        sides.append("border-top")
    if rules == "booktabs" and number == last:
        sides.append("border-bottom")
    if rules == "booktabs" and any((number, column) == (row, first) for row, first, _ in block["spans"]):
        sides.append("border-bottom")
    if number in block["totals"] and column:
        sides.append("border-top")
    shade = "background: #e6e6e6; -webkit-print-color-adjust: exact" if rules == "shaded" and number % 2 == 0 else ""
    return "; ".join([*(f"{side}: {line}" for side in sides), shade])
