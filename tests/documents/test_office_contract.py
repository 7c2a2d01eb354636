"""What holds for every converter of Office files, books and views."""

import subprocess
import sys

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
import contextlib, importlib, os, sys
from pathlib import Path

def convert_all(place, needed, folder):
    module, _, name = place.partition(":")
    converter = getattr(importlib.import_module(f"readwell.documents.{module}"), name)
    if needed:
        importlib.import_module(needed)
    contents = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    with contextlib.suppress(Exception):  # as the fork server does before it forks
        converter.open(converter.sample(), None, b"").markdown(1)
    before = set(sys.modules)
    for content in contents:
        opened = converter.open(content, None, b"")
        for number in range(1, opened.count + 1):
            opened.markdown(number)
    new = sorted(name for name in set(sys.modules) - before if not name.startswith("encodings."))
    print(place, len(contents), new, flush=True)

for line in sys.argv[1:]:
    if os.fork():
        os.wait()
    else:
        convert_all(*line.split(" ", 2))
        os._exit(0)
"""


def test_converters_import_nothing_while_they_convert(tmp_path):
    """In the cage there is nothing to import from."""
    for place, (cases, _) in WRITERS.items():
        (tmp_path / place).mkdir()
        for name, make in cases:
            (tmp_path / place / name).write_bytes(make())
    lines = [f"{place} {needed} {tmp_path / place}" for place, (_, needed) in WRITERS.items()]
    command = [sys.executable, "-c", CONVERTS, *lines]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.stderr == ""
    assert told.stdout.splitlines() == [f"{place} {len(cases)} []" for place, (cases, _) in WRITERS.items()]


def test_made_documents_have_names_of_their_own_and_the_same_bytes_every_time():
    assert len(dict(OFFICE)) == len(OFFICE)
    assert [name for name, make in OFFICE if make() != make()] == []
