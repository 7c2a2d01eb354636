"""The project that the pages of the guide show, in `examples/project`; run this to write it anew."""

from pathlib import Path

from corpus.docx_writer import document, paragraph
from corpus.pdf_documents import locked, prose
from corpus.pdf_writer import Page, pdf

PROJECT = Path(__file__).parent.parent / "examples" / "project"
CHAPTERS = ("The year in figures", "The fleet", "The harbour", "What comes next")


def report():
    """A report of four pages: a title, a heading a page, text."""
    pages = [Page() for _ in CHAPTERS]
    pages[0].text(72, 720, "Annual report", 22, "Helvetica-Bold")
    for number, (page, chapter) in enumerate(zip(pages, CHAPTERS, strict=True)):
        page.text(72, 670, chapter, 15, "Helvetica-Bold")
        prose(page, 640, first=number)
    return pdf(*pages)


def letter():
    """A letter of three paragraphs."""
    words = ("Dear keeper,", "the report is ready. Please read its last page first.", "Yours, the office")
    return document(paragraph("A letter", "Title") + "".join(map(paragraph, words)))


FILES = {
    "src/app.py": b"import os\nimport json\n\n\ndef main():\n    print(json.dumps(dict(os.environ)))\n",
    "server.log": b"".join(b"event %d\n" % number for number in range(1, 5201)),
    "wide.json": b"[" + b"1234567890," * 500 + b"0]\n{}\n",
    "damaged.txt": "naïve café\nbad ".encode() + b"\xff byte\n",
    "mixed.txt": b"a\r\nb\nc",
    "empty.txt": b"",
    "report.pdf": report(),
    "letter.docx": letter(),
    ".env": b"TOKEN=1\n",
    "old.txt": b"one\rtwo\rthree\n",
    "table.bin": b"\x00\x01\x02\x03" * 64,
    "umlaut.txt": "Grüße aus Köln\n".encode("cp1252"),
    "wide.txt": "wide\n".encode("utf-16-le"),
    "locked.pdf": locked(),
}


def make_project(root, files):
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


if __name__ == "__main__":
    make_project(PROJECT, FILES)
