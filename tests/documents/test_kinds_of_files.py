"""Every kind of file that is recognised is told in the guide, with what happens to it: the table is made, not written."""

import sys
from pathlib import Path

import pytest

import readwell
from corpus import odp_writer
from corpus.office_documents import OFFICE

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import format_table


def test_the_guide_has_the_table_that_the_recogniser_makes():
    assert format_table.table() in format_table.PAGE.read_text(), "run scripts/format_table.py --write"


def test_a_page_of_errors_that_is_out_of_date_says_what_writes_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["format_table.py", "--check"])
    assert (format_table.main(), capsys.readouterr().out) == (0, "")
    stale = tmp_path / "errors.md"
    stale.write_text(format_table.PAGE.read_text().replace("| csv, ", "| "))
    monkeypatch.setattr(format_table, "PAGE", stale)
    assert (format_table.main(), "run `make format`" in capsys.readouterr().out) == (1, True)


@pytest.mark.parametrize("name, stream, hint", [
    ("plan.bin", "VisioDocument", "is a Visio drawing, 1.0 KB. Save it as PDF, and read that."),
    ("plan.vsd", "unknown", "is a Visio drawing, 1.0 KB. Save it as PDF, and read that."),
    ("a.bin", "EncryptedPackage", "is a locked Office document, 1.0 KB. Name it by its kind (.docx, .xlsx, .pptx), and give the password."),
])  # fmt: skip
def test_an_old_office_file_is_named_by_its_streams_or_its_extension(tmp_path, name, stream, hint):
    (tmp_path / name).write_bytes(format_table.ole_container(stream))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": name}).text == f"[error BINARY_FILE] '{name}' {hint}"


@pytest.mark.parametrize(
    "name",
    ["headings.docx", "talk.pptx", "values.xlsx", "values.xls", "values.ods", "report.odt", "talk.odp", "novel.epub"],
)
def test_a_document_is_known_by_its_content_whatever_its_name(tmp_path, name):
    content = {**dict(OFFICE), "talk.odp": lambda: odp_writer.presentation(2)}[name]()
    (tmp_path / name).write_bytes(content)
    (tmp_path / "a.dat").write_bytes(content)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        named, unnamed = (reader.reply({"path": path}).text for path in (name, "a.dat"))
    assert unnamed == named.replace(name, "a.dat", 1)
    assert unnamed.startswith(f"[a.dat | {name.rpartition('.')[2]}")
