"""Office documents with a password open with it, and formulas without a value are shown."""

import io
import re
import zipfile

import pytest

import readwell
from corpus import docx_writer, pptx_writer, sheet_writer
from readwell.documents.xlsx import XLSX

msoffcrypto = pytest.importorskip("msoffcrypto", reason="the extra passwords is not installed")


def sealed(content, password):
    from msoffcrypto.format.ooxml import OOXMLFile

    made = io.BytesIO()
    padding = b"x" * (-len(content) % 4096)  # as a comment of the ZIP: the writer of the library pads nothing itself
    padded = content[:-2] + len(padding).to_bytes(2, "little") + padding
    OOXMLFile(io.BytesIO(padded)).encrypt(password, made)
    return made.getvalue()


def test_a_sealed_document_opens_with_its_password_and_no_other(tmp_path):
    plain = docx_writer.headings()
    (tmp_path / "plain.docx").write_bytes(plain)
    (tmp_path / "a.docx").write_bytes(sealed(plain, "secret"))
    with readwell.Reader(tmp_path, cache_dir=None, password="secret") as reader:
        assert (
            reader.reply({"path": "a.docx"}).text.split("\n")[1:]
            == reader.reply({"path": "plain.docx"}).text.split("\n")[1:]
        )
    for password in (None, "wrong"):
        with readwell.Reader(tmp_path, cache_dir=None, password=password) as reader:
            assert reader.reply({"path": "a.docx"}).data["error"]["code"] == "DOCUMENT_LOCKED"


CELLS = [
    ["Name", "Count", "When", "Share", "Ok"],
    ["apple", "3", "2024-01-01", "25%", "TRUE"],
]


def test_a_sealed_workbook_shows_the_cells_of_the_open_one(tmp_path):
    (tmp_path / "plain.xlsx").write_bytes(sheet_writer.values())
    (tmp_path / "a.xlsx").write_bytes(sealed(sheet_writer.values(), "secret"))
    with readwell.Reader(tmp_path, cache_dir=None, password="secret") as reader:
        plain, opened = (cells(reader.reply({"path": name}).text) for name in ("plain.xlsx", "a.xlsx"))
    assert opened == plain and opened[:2] == CELLS and len(opened) == 7


def cells(text):
    """The cells of all tables of a reply."""
    rows = [line.partition("\t")[2] for line in text.split("\n") if "\t| " in line]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows if "---" not in row]


def test_a_sealed_presentation_opens_with_its_password_and_no_other(tmp_path):
    plain = with_content_types(pptx_writer.talk())
    (tmp_path / "plain.pptx").write_bytes(plain)
    (tmp_path / "a.pptx").write_bytes(sealed(plain, "secret"))
    with readwell.Reader(tmp_path, cache_dir=None, password="secret") as reader:
        plain, opened = (reader.reply({"path": name}).text.split("\n") for name in ("plain.pptx", "a.pptx"))
    assert opened[0].startswith("[a.pptx | pptx, 2 slides | ") and opened[1:] == plain[1:]
    assert any(line.endswith("\t# The Title") for line in opened)
    for password in (None, "wrong"):
        with readwell.Reader(tmp_path, cache_dir=None, password=password) as reader:
            assert reader.reply({"path": "a.pptx"}).data["error"]["code"] == "DOCUMENT_LOCKED"


def with_content_types(container):
    """A container with the part that what seals it looks for."""
    held = io.BytesIO(container)
    with zipfile.ZipFile(held, "a") as archive:
        archive.writestr(
            "[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
        )
    return held.getvalue()


def test_a_formula_without_a_value_is_shown(tmp_path):
    cells = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1+$A$1</f></c><c r="C1"><f>A1*2</f><v>2</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">A1+$B$1+SUM(B1:B1)&amp;"A1"</f></c></row>'
        '<row r="3"><c r="A3"><f t="shared" si="0"/></c></row>'
    )
    (tmp_path / "a.xlsx").write_bytes(sheet_writer.workbook({"One": sheet_writer.sheet(cells)}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        text = reader.reply({"path": "a.xlsx"}).text
    assert "| 1 | =A1+$A$1 | 2 |" in text
    assert '| =A1+$B$1+SUM(B1:B1)&"A1" |' in text and '| =A2+$B$1+SUM(B2:B2)&"A1" |' in text


SHARED = '<c r="A{0}"><f t="shared" si="{1}"{3}>{2}</f>{4}</c>'


@pytest.mark.parametrize("order", [(1, 2), (2, 1), (2, 2)])
def test_a_shared_formula_is_that_of_its_own_sheet_whatever_was_read_before(order):
    def rows(formula, value):
        first = SHARED.format(1, 0, formula, ' ref="A1:A2"', value)
        return f'<row r="1">{first}</row><row r="2">{SHARED.format(2, 0, "", "", "")}<c><v>9</v></c></row>'

    content = sheet_writer.workbook(
        {"One": sheet_writer.sheet(rows("B1*2", "")), "Two": sheet_writer.sheet(rows("C1+1", "<v>7</v>"))}
    )
    told = {1: "| =B1*2 |  |\n| --- | --- |\n| =B2*2 | 9 |", 2: "| 7 |  |\n| --- | --- |\n| =C2+1 | 9 |"}
    document = XLSX.open(content, None, b"")
    for number in order:
        assert document.markdown(number).endswith(told[number])


def test_a_formula_that_no_cell_of_the_sheet_has_is_told():
    content = sheet_writer.workbook({"One": sheet_writer.sheet(f'<row r="1">{SHARED.format(1, 3, "", "", "")}</row>')})
    assert "| =(formula shared with a cell before this part) |" in XLSX.open(content, None, b"").markdown(1)
