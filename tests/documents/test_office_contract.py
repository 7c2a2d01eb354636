"""What holds for every converter of Office files, books and views."""

import subprocess
import sys
from pathlib import Path

import pytest

from corpus import docx_writer, epub_writer, odt_writer, pptx_writer, sheet_writer
from corpus.office_documents import OFFICE

WRITERS = {
    "docx:DOCX": (docx_writer.GOOD, ""),
    "pptx:PPTX": (pptx_writer.GOOD, ""),
    "epub:EPUB": (epub_writer.GOOD, "html_to_markdown"),
    "odt:ODT": (odt_writer.GOOD, ""),
    "xlsx:XLSX": ([case for case in sheet_writer.GOOD if case[0].endswith("xlsx")], ""),
    "ods:ODS": ([("values.ods", sheet_writer.ods)], ""),
    "mail:MAIL": ([("mail.eml", lambda: b"Subject: x\nContent-Type: text/html\n\n<p>y</p>")], "html_to_markdown"),
    "csv:CSV": ([("table.csv", lambda: b"a,b\n1,2")], ""),
    "notebook:NOTEBOOK": ([("book.ipynb", lambda: b'{"cells": []}')], ""),
}
CONVERTS = """
import importlib, sys, zipfile
from pathlib import Path
module, _, name = sys.argv[1].partition(":")
converter = getattr(importlib.import_module(f"readwell.documents.{module}"), name)
if sys.argv[2]:
    importlib.import_module(sys.argv[2])
contents = [path.read_bytes() for path in sorted(Path(sys.argv[3]).iterdir())]
before = set(sys.modules)
for content in contents:
    opened = converter.open(content, None, b"")
    for number in range(1, opened.count + 1):
        opened.markdown(number)
print(sorted(name for name in set(sys.modules) - before if not name.startswith("encodings.")))
"""


@pytest.mark.parametrize("place", WRITERS)
def test_a_converter_imports_nothing_while_it_converts(place, tmp_path):
    """In the cage there is nothing to import from."""
    cases, needed = WRITERS[place]
    for name, make in cases:
        (tmp_path / name).write_bytes(make())
    command = [sys.executable, "-c", CONVERTS, place, needed, str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parent)
    assert (told.stdout, told.stderr) == ("[]\n", "")


def test_made_documents_have_names_of_their_own_and_the_same_bytes_every_time():
    assert len(dict(OFFICE)) == len(OFFICE)
    assert [name for name, make in OFFICE if make() != make()] == []
