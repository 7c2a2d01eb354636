"""Writes down how the pages of tests/documents/pdf/made_pages.py read: look at the difference before committing."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
sys.path.append(str(Path(__file__).parent.parent / "tests" / "documents" / "pdf"))

from made_pages import KEPT, written_pages  # pyright: ignore[reportMissingImports]

KEPT.write_text(written_pages(), encoding="utf-8")
