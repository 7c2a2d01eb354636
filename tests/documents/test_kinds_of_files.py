"""Every kind of file that is recognised is told in the guide, with what happens to it: the table is made, not written."""

import sys
from pathlib import Path

import pytest

import readwell

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import format_table


def test_the_guide_has_the_table_that_the_recogniser_makes():
    assert format_table.table() in format_table.PAGE.read_text(), "run scripts/format_table.py --write"


@pytest.mark.parametrize("name, stream, hint", [
    ("letter.doc", "WordDocument", "is a Word 97–2003 document, 1.0 KB. Save it as .docx, and read that."),
    ("talk.bin", "PowerPoint Document", "is a PowerPoint 97–2003 presentation, 1.0 KB. Save it as .pptx, and read that."),
    ("old.doc", "unknown", "is a Word 97–2003 document, 1.0 KB. Save it as .docx, and read that."),
])  # fmt: skip
def test_an_old_office_file_is_named_by_its_streams_or_its_extension(tmp_path, name, stream, hint):
    (tmp_path / name).write_bytes(format_table.ole(stream))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": name}).text == f"[error BINARY_FILE] '{name}' {hint}"
