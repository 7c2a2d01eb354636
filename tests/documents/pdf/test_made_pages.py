"""Pages made at random read as they were written down: the difference shows what a changed rule does, right or wrong."""

import pytest
from made_pages import BETWEEN, ENGINE, KEPT, written_pages


def test_made_pages_read_as_they_were_written_down():
    kept = KEPT.read_text(encoding="utf-8")
    if ENGINE not in kept.partition("\n")[0]:
        pytest.skip(f"NOT TESTED: the pages were written down with another engine than {ENGINE}")
    told = "look at the pages that changed; if they are right: python scripts/write_made_pages.py"
    assert written_pages().split(BETWEEN) == kept.split(BETWEEN), told
