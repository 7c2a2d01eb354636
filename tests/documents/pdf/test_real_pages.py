"""Every page of the real PDFs reads as it did when its digest was written down by scripts/pdf_digests.py."""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "scripts"))

from pdf_digests import ENGINE, KEPT, changes, digests


def test_real_pages_read_as_they_were_written_down(real):
    kept = json.loads(KEPT.read_text())
    if kept["engine"] != ENGINE:
        pytest.skip(f"NOT TESTED: the pages were written down with {kept['engine']}, and {ENGINE} is installed")
    changed = changes(kept["pages"], digests(real))
    assert changed == [], "look at these pages; if they are right: python scripts/pdf_digests.py"


def test_a_changed_a_missing_and_a_new_page_are_named():
    kept = {"a.pdf": ["1", "2"], "b.pdf": ["3"], "c.pdf": ["4"]}
    found = {"a.pdf": ["1", "x"], "b.pdf": ["3", "5"], "d.pdf": ["6"]}
    assert changes(kept, found) == ["a.pdf, page 2", "b.pdf, page 2", "c.pdf: not there", "d.pdf: new"]
