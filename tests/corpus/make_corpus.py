"""Writes the project's own test documents into a folder, the same bytes every time.

usage, in tests/: python -m corpus.make_corpus FOLDER
"""

import sys
from pathlib import Path

from corpus.office_documents import OFFICE
from corpus.pdf_documents import PDFS

DOCUMENTS = [*PDFS, *OFFICE]
"""Each a name and what makes the content."""


def make_corpus(folder):
    """Writes all documents."""
    for name, make in DOCUMENTS:
        (Path(folder) / name).write_bytes(make())


if __name__ == "__main__":
    make_corpus(sys.argv[1])
