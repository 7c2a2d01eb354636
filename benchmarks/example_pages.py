"""Makes the pages that docs/documents.md shows beside their Markdown."""

from pathlib import Path

from made_reports import Page, pdf

from readwell.documents.pdf import PDF

LINES = (
    "The keeper wrote down what every night had cost: oil, wicks and the",
    "hours of the watch. From his book one can read how the light changed.",
)


def write_pages(folder: Path) -> None:
    """Writes each page as a PDF, and its Markdown beside it."""
    for name, page in (("page-report", report()), ("page-table", spanning())):
        content = pdf(page)
        (folder / f"{name}.pdf").write_bytes(content)
        (folder / f"{name}.md").write_text(PDF.open(content, None, b"").markdown(1))


def prose(page: Page, y: int) -> int:
    for line in LINES:
        page.text(36, y, line, 10, "Times-Roman")
        y -= 13
    return y - 5


def report() -> Page:
    """A title, a section, a list and a listing."""
    page = Page((0, 90, 420, 400)).text(36, 360, "On Lights and Keepers", 20, "Helvetica-Bold")
    y = prose(page, 335)
    page.text(36, y - 6, "1 What a night needs", 14, "Helvetica-Bold")
    y = prose(page, y - 28)
    for item in ("Oil for the lamp", "Two spare wicks", "Bread and salt"):
        page.text(40, y, f"\u2022 {item}", 10, "Times-Roman")
        y -= 13
    page.text(36, y - 12, "2 How it is counted", 14, "Helvetica-Bold")
    y = prose(page, y - 34)
    for indent, line in ((0, "def burnt(hours):"), (4, "return 3 * hours"), (0, "print(burnt(9))")):
        page.text(44 + 6 * indent, y, line, 10, "Courier")
        y -= 13
    return page


def spanning() -> Page:
    """A ruled table whose head spans columns, between two paragraphs."""
    page = Page((0, 120, 420, 400)).text(36, 360, "3 The lights of the coast", 14, "Helvetica-Bold")
    top = prose(page, 335) - 6
    xs, ys = [36, 126, 206, 286, 376], [top - 20 * row for row in range(7)]
    for y in ys:
        page.line(xs[0] if y != ys[1] else xs[1], y, xs[-1], y)
    for x in xs:
        page.line(x, ys[1] if x in (xs[2], xs[4 - 1]) else ys[0], x, ys[-1])
    rows = [
        ["Light", "", "Night of the", ""],
        ["", "first", "second", "third"],
        ["North", "31", "28", "30"],
        ["East", "24", "25", "24"],
        ["South", "40", "38", "41"],
        ["West", "17", "19", "18"],
    ]
    for row, y in zip(rows, ys, strict=False):
        for x, cell in zip(xs, row, strict=False):
            page.text(x + 8, y - 14, cell, 10, "Times-Roman")
    prose(page, ys[-1] - 24)
    return page
