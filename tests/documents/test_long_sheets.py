"""Long sheets and tables are read in parts: the first window takes the first part, memory follows one part."""

import re
import subprocess
import sys
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path
from time import process_time
from zipfile import ZipFile

import pytest

from corpus.packing import packed
from corpus.sheet_writer import HEAD, S, ods_cell, ods_document, rows, sheet, tall, workbook
from readwell import Reader
from readwell.documents.csv import CSV
from readwell.documents.document_parts import MAX_WHOLE, PART_BYTES, ForwardParts
from readwell.documents.ods import ODS
from readwell.documents.xlsx import XLSX
from readwell.documents.xml_chunks import CutPlaces, XmlChunks
from readwell.documents.xml_mask import MaskedXml
from readwell.errors import ConversionFailed, TooLarge

COUNT = 12_000
"""Rows that make a sheet of some 5 MB."""


def noise(number):
    """A text of 320 characters that hardly packs."""
    return sha256(str(number).encode()).hexdigest() * 5


@pytest.fixture(scope="module")
def long_workbook():
    padded = [["name", "number", "text"], *([f"r{n}", n, noise(n)] for n in range(2, COUNT + 1))]
    return workbook({"Long": sheet(rows(padded)), "Short": sheet(rows([["a"], ["b"]]))})


@pytest.fixture(scope="module")
def parts(long_workbook):
    return parts_of(XLSX.open(long_workbook, None, b""))


def parts_of(document):
    return [document.markdown(number) for number in range(1, document.count + 1)]


def table_rows(markdown):
    """The rows of all tables but their heads."""
    return [line for line in markdown.split("\n") if line.startswith("| ") and not line.startswith(("| name", "| ---"))]


def test_a_long_sheet_is_cut_into_parts_that_hold_every_row_once(long_workbook, parts):
    assert XLSX.open(long_workbook, None, b"").unit == "part"
    found = list(chain.from_iterable(map(table_rows, parts[:-1])))
    assert found == [f"| r{n} | {n} | {noise(n)} |" for n in range(2, COUNT + 1)]
    assert parts[-1] == "# Short\n\n| a |\n| --- |\n| b |"


def test_every_part_says_which_rows_it_has_and_repeats_the_first_row(parts):
    count = len(parts) - 1
    listed, first = parts[0].split("\n\n", 1)
    assert listed == f"- Long: parts 1-{count}\n- Short: part {count + 1}"
    after = 0
    for number, part in enumerate([first, *parts[1:-1]], 1):
        heading, table = part.split("\n\n")
        named = re.fullmatch(rf"# Long, rows ([\d,]+)-([\d,]+) \(part {number} of {count}\)", heading)
        first_row, last_row = (int(found.replace(",", "")) for found in named.groups())
        assert first_row == after + 1
        assert table.split("\n")[:2] == ["| name | number | text |", "| --- | --- | --- |"]
        assert len(table_rows(table)) == last_row - after - (number == 1)
        after = last_row
    assert after == COUNT


def test_a_part_is_the_same_whichever_was_read_before(long_workbook, parts):
    jumping = XLSX.open(long_workbook, None, b"")
    order = [len(parts), 9, 3, 4, 18, 1, 2]
    assert [jumping.markdown(number) for number in order] == [parts[number - 1] for number in order]
    assert XLSX.open(long_workbook, None, b"").markdown(18) == parts[17]


def test_a_long_sheet_in_utf_16_has_the_same_rows():
    written = sheet(rows([["name"], *([noise(n)] for n in range(2, 8_001))]))
    document = XLSX.open(workbook({"Wide": written.replace("UTF-8", "UTF-16").encode("utf-16")}), None, b"")
    assert list(chain.from_iterable(map(table_rows, parts_of(document)))) == [
        f"| {noise(n)} |" for n in range(2, 8_001)
    ]


def test_rows_without_numbers_are_read_and_not_numbered():
    cells = (f'<row><c t="inlineStr"><is><t>{noise(n)}</t></is></c></row>' for n in range(14_000))
    document = XLSX.open(workbook({"Bare": sheet("".join(cells))}), None, b"")
    parts = parts_of(document)
    assert {part.split("\n\n")[-2] for part in parts} == {
        f"# Bare (part {number} of {document.count})" for number in range(1, document.count + 1)
    }
    assert sum(len(table_rows(part)) for part in parts) == 14_000 + document.count - 1


def test_a_row_longer_than_a_part_leaves_the_next_parts_empty():
    text = "".join(noise(n) for n in range((MAX_WHOLE + PART_BYTES) // 320))
    long_row = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'
    document = XLSX.open(workbook({"S": sheet(long_row + rows([["y"]], top=2))}), None, b"")
    parts = parts_of(document)
    assert ["y" in table_rows(part)[-1] if table_rows(part) else None for part in parts] == [
        False,
        *[None] * (len(parts) - 2),
        True,
    ]


def test_a_row_without_end_is_refused():
    with pytest.raises(TooLarge):
        pieces = [b"<sheetData><row>", *[b"x" * (16 << 20)] * 5]
        XmlChunks(CutPlaces("xlsx", "s", "sheetData", "row"), lambda: iter(pieces), 80 << 20).chunk(0)


def long_rows(count=14_000):
    """Rows of one cell each, some 5 MB of XML."""
    return [f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{noise(n)}</t></is></c></row>' for n in range(1, count + 1)]


def first_cells(written):
    """The first cell of all rows of a sheet, and the text of its parts."""
    parts = parts_of(XLSX.open(workbook({"S": written}), None, b""))
    head = f"| {noise(1)} |"
    found = [line for part in parts for line in part.split("\n") if line.startswith("| ") and line != "| --- |"]
    return [head, *(line for line in found if line != head)], parts


ALL = [f"| {noise(n)} |" for n in range(1, 14_001)]
LOOKS_LIKE_A_ROW = ["<!-- <row > {} -->", "<?x <row r='1'> {} ?>"]


@pytest.mark.slow
@pytest.mark.parametrize("section", LOOKS_LIKE_A_ROW)
def test_what_looks_like_a_row_before_the_rows_of_a_long_sheet_is_none(section):
    written = sheet("".join(long_rows())).replace("<sheetData>", f"{section.format('')}<x:row xmlns:x='y'/><sheetData>")
    assert first_cells(written)[0] == ALL


@pytest.mark.slow
@pytest.mark.parametrize("section", LOOKS_LIKE_A_ROW)
def test_what_looks_like_a_row_across_a_cut_is_none(section):
    long_section = section.format("x<row >" * (PART_BYTES // 7 + 100))
    cells = long_rows()
    cells[100] = cells[100].replace("</t>", f"</t>{long_section}")
    cells[5_000] = long_section + cells[5_000]
    assert first_cells(sheet("".join(cells)))[0] == ALL


def test_a_long_text_of_a_cell_may_hold_what_looks_like_tags():
    text = "x<row ></sheetData><!-- " * (PART_BYTES // 24 + 100)
    cells = long_rows()
    cells[700] = f'<row r="701"><c r="A701" t="inlineStr"><is><t><![CDATA[{text}]]></t></is></c></row>'
    found = first_cells(sheet("".join(cells)))[0]
    assert found[:700] + found[701:] == ALL[:700] + ALL[701:]
    assert "".join(found[700].split("\\")) == f"| {text.strip()} |"


def test_a_section_that_lies_across_two_pieces_is_seen_wherever_they_meet():
    rows_only = b"<sheetData><row/><!--<row/>--><!----><![CDATA[<row/>]]><?<row/>?> <row r='2'/>"
    content = rows_only + b"</sheetData><row/></worksheet>"
    for cut in range(len(content)):
        views = list(MaskedXml(iter([content[:cut], content[cut:]]), "sheetData"))
        assert b"".join(held for held, _ in views) == rows_only
        assert b"".join(seen for _, seen in views).split() == [b"><row/>", b"<row", b"r='2'/>"]


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["p" * 40, "größe"])
def test_the_rows_of_a_long_sheet_are_found_by_any_prefix(prefix):
    prefixed = re.sub("<(/?)(?=[a-z])", rf"<\1{prefix}:", sheet("".join(long_rows())))
    assert first_cells(prefixed.replace("xmlns=", f"xmlns:{prefix}="))[0] == ALL


def test_a_long_sheet_in_utf_16_without_a_mark_has_the_same_rows():
    written = sheet("".join(long_rows(8_000))).replace("UTF-8", "UTF-16")
    assert first_cells(written.encode("utf-16-le"))[0] == ALL[:8_000]


def test_a_long_sheet_whose_first_row_is_not_found_is_refused():
    written = sheet("".join(long_rows())).replace("<sheetData>", f"<!--{'x' * (3 << 20)}--><sheetData>")
    with pytest.raises(ConversionFailed, match="no row is found in the first 2 MiB of its part xl/worksheets/sheet1"):
        XLSX.open(workbook({"S": written}), None, b"").markdown(3)


def test_rows_of_something_else_behind_a_long_sheet_do_not_count():
    behind = "".join(f"<xdr:row>{noise(n)}</xdr:row>" for n in range(2_000))
    written = sheet("".join(long_rows())).replace("</worksheet>", f'<x xmlns:xdr="y">{behind}</x></worksheet>')
    found, parts = first_cells(written)
    assert found == ALL
    assert parts[-1] == f"# S (part {len(parts)} of {len(parts)})\n\n*No row with text begins in this part.*"


def test_a_long_sheet_without_rows_says_so():
    written = sheet("").replace("<sheetData></sheetData>", f"<sheetData/><x>{''.join(map(noise, range(14_000)))}</x>")
    parts = first_cells(written)[1]
    assert {part.split("\n\n")[-1] for part in parts} == {"*No row with text begins in this part.*"}


def test_a_part_whose_texts_are_missing_from_the_file_says_that_they_cannot_be_found():
    cells = (f'<row r="{n}"><c r="A{n}" t="s" x="{noise(n)}"><v>{n}</v></c></row>' for n in range(1, 14_001))
    parts = first_cells(sheet("".join(cells)))[1]
    assert {part.split("\n\n")[-1] for part in parts} == {
        "*The rows of this part have cells, but none whose text can be found.*"
    }


def test_a_long_sheet_that_breaks_off_inside_a_row_of_an_earlier_part_says_so():
    broken = f'<row r="11001"><c r="A11001" t="inlineStr"><is><t>{"".join(map(noise, range(4_000)))}'
    written = sheet("".join(long_rows(11_000)) + broken).removesuffix("</sheetData></worksheet>")
    document = XLSX.open(workbook({"S": written}), None, b"")
    for number in (document.count - 3, document.count):
        with pytest.raises(ConversionFailed, match="damaged: it breaks off"):
            document.markdown(number)


def test_a_long_sheet_that_breaks_off_says_so_in_its_last_part():
    content = workbook({"S": sheet(rows([[noise(n)] for n in range(14_000)])).removesuffix("</sheetData></worksheet>")})
    document = XLSX.open(content, None, b"")
    assert document.markdown(document.count - 1).startswith("# S, rows ")
    with pytest.raises(ConversionFailed, match="damaged"):
        document.markdown(document.count)


def test_a_long_sheet_may_not_declare_a_document_type():
    written = sheet(rows([[noise(n)] for n in range(14_000)])).replace(HEAD, f'{HEAD}<!DOCTYPE a [<!ENTITY x "y">]>')
    with pytest.raises(ConversionFailed, match="declares a document type"):
        XLSX.open(workbook({"S": written}), None, b"").markdown(7)


def test_shared_texts_are_found_from_any_part():
    strings = "".join(f"<si><t>text {n}</t></si>" for n in range(15_000))
    cells = "".join(f'<row r="{n + 1}"><c r="A{n + 1}" t="s" s="0"><v>{n}</v></c><c r="B{n + 1}"><v>{noise(n)}</v></c></row>' for n in range(15_000))  # fmt: skip
    content = workbook({"S": sheet(cells)}, {"xl/sharedStrings.xml": f'{HEAD}<sst xmlns="{S}">{strings}</sst>'})
    in_order = parts_of(XLSX.open(content, None, b""))
    assert re.findall(r"^\| (text \d+) ", in_order[-1], re.M)[-1] == "text 14999"
    assert XLSX.open(content, None, b"").markdown(len(in_order)) == in_order[-1]


def test_a_long_table_is_cut_into_parts_that_hold_every_record_once():
    records = [f'r{n},"two\nlines, {n}",{noise(n)}' for n in range(2, 14_001)]
    content = "\ufeff".encode() + "\n".join(["name,text,more", *records]).encode()
    document = CSV.open(content, None, b"")
    parts = parts_of(document)
    assert document.unit == "part"
    assert parts[1].split("\n")[:3][-1] == "| name | text | more |"
    assert re.match(rf"# Table, rows [\d,]+-[\d,]+ \(part 2 of {document.count}\)\n", parts[1])
    assert list(chain.from_iterable(map(table_rows, parts))) == [
        f"| r{n} | two<br>lines, {n} | {noise(n)} |" for n in range(2, 14_001)
    ]
    jumping = CSV.open(content, None, b"")
    assert [jumping.markdown(number) for number in (9, 2, 3)] == [parts[8], parts[1], parts[2]]


@pytest.mark.slow
def test_a_table_of_one_enormous_line_is_read_once_and_its_other_parts_say_that_nothing_begins_there():
    document = CSV.open(b",".join(b"%d" % number for number in range(1_000_000)), None, b"")
    began = process_time()
    first = document.markdown(1)
    first_took = process_time() - began
    others = [document.markdown(number) for number in range(2, document.count + 1)]
    assert first.endswith("*Columns after IV are not shown: save the sheet as CSV to read on.*")
    assert others == [
        f"# Table (part {number} of {document.count})\n\n*No row with text begins in this part.*"
        for number in range(2, document.count + 1)
    ]
    assert document.count > 20
    assert process_time() - began < 3 * first_took, "the first line must not be handled again for each part"


def test_a_reader_shows_a_long_sheet_part_by_part(tmp_path: Path, long_workbook):
    (tmp_path / "long.xlsx").write_bytes(long_workbook)
    with Reader(root=str(tmp_path), cache_dir=None) as reader:
        first = reader.reply({"path": "long.xlsx", "limit": 5, "total": "lazy"}).text.split("\n")
        third = reader.reply({"path": "long.xlsx", "pages": "3", "limit": 2, "total": "lazy"}).text.split("\n")
    count = XLSX.open(long_workbook, None, b"").count
    assert first[0].startswith(f"[long.xlsx | xlsx, {count} parts | lines 1-5 of ? (part 1) | rev ")
    assert first[1:4] == ["1\t<!-- part 1 -->", f"2\t- Long: parts 1-{count - 1}", f"3\t- Short: part {count}"]
    assert third[1].endswith("\t<!-- part 3 -->")


def long_open_document():
    def written(first, last):
        shown = (ods_cell(f"r{n}") + ods_cell("unseen") + ods_cell(noise(n)) for n in range(first, last))
        return "".join(f"<table:table-row>{cells}</table:table-row>" for cells in shown)

    columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>'
    head = f"<table:table-header-rows><table:table-row>{ods_cell('name')}</table:table-row></table:table-header-rows>"
    group = "<table:table-row-group>{}</table:table-row-group>"
    gap = '<table:table-row table:number-rows-repeated="1000"/>'
    hidden = f'<table:table-row table:visibility="filter">{ods_cell("filtered")}</table:table-row>'
    first = columns + head + written(2, 3000) + gap + group.format(group.format(written(4000, 7000)) + hidden)
    second = f'<table:table table:name="Second">{written(1, 4000)}</table:table><table:named-expressions/>'
    return ods_document(first, behind=second)


@pytest.mark.slow
def test_a_long_open_document_is_cut_into_parts_that_hold_every_row_once():
    content = long_open_document()
    document = ODS.open(content, None, b"")
    parts = parts_of(document)
    assert document.unit == "part"
    first = [f"| r{n} | {noise(n)} |" for n in (*range(2, 3000), *range(4000, 7000))]
    second = [f"| r{n} | unseen | {noise(n)} |" for n in range(1, 4000)]
    split = next(number for number, part in enumerate(parts) if "# Second" in part)
    found = [line for part in parts for line in table_rows(part) if line.strip("| ")]
    of_second = [line for line in found if "unseen" in line]
    assert [line for line in found if "unseen" not in line] == first
    assert list(dict.fromkeys(of_second)) == second
    assert len(of_second) == len(second) + len(parts) - 1 - split
    assert sum("hidden, left out: 1 row, 1 column" in part for part in parts) == 1
    jumping = ODS.open(content, None, b"")
    order = [len(parts), 9, 3, 4, split + 1, 1]
    assert [jumping.markdown(number) for number in order] == [parts[number - 1] for number in order]


def test_a_part_of_an_open_document_says_which_rows_it_has():
    parts = parts_of(ODS.open(long_open_document(), None, b""))
    named = [re.findall(r"^# (\w+), rows ([\d,]+)-([\d,]+) \(part (\d+) of", part, re.M) for part in parts]
    spans = [(name, *(int(each.replace(",", "")) for each in rest)) for part in named for name, *rest in part]
    assert [number for _, _, _, number in spans] == sorted(number for _, _, _, number in spans)
    last_of_first = max(last for name, _, last, _ in spans if name == "Data")
    assert (spans[0][:2], last_of_first, spans[-1][2]) == (("Data", 1), 7000, 3999)


def test_a_long_open_document_that_breaks_off_says_so_in_its_last_part():
    with ZipFile(BytesIO(long_open_document())) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    document = ODS.open(packed(parts | {"content.xml": parts["content.xml"][:-100]}), None, b"")
    assert document.markdown(document.count - 1).startswith("# Second, rows ")
    with pytest.raises(ConversionFailed, match="damaged"):
        document.markdown(document.count)


WITHIN_LITTLE_MEMORY = """
import resource, sys
from readwell.documents.xlsx import XLSX
resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
document = XLSX.open(sys.stdin.buffer.read(), None, b"")
for number in range(1, document.count + 1):
    text = document.markdown(number)
print(text)
"""


@pytest.mark.slow
def test_a_sheet_of_very_many_rows_takes_little_memory():
    command = [sys.executable, "-c", WITHIN_LITTLE_MEMORY]
    told = subprocess.run(command, input=tall(300_000), capture_output=True, check=True, timeout=300).stdout.decode()
    assert told.splitlines()[-1] == "| r300000 | 300000 | 300001 |"


class Stream(ForwardParts):
    """Notes what it does with its stream."""

    def __init__(self, count):
        self.done = []
        super().__init__(count)

    def _restart(self):
        self.done.append("restart")

    def _skip(self, number):
        self.done.append(f"skip {number}")

    def _convert(self, number):
        self.done.append(f"convert {number}")
        return ""


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        ([1, 2, 3], "restart, convert 1, convert 2, convert 3"),
        ([1, 4], "restart, convert 1, skip 2, skip 3, convert 4"),
        ([2, 2], "restart, skip 1, convert 2, restart, skip 1, convert 2"),
    ],
)
def test_a_stream_of_parts_is_read_again_only_to_go_back(asked, done):
    stream = Stream(4)
    for number in asked:
        stream.markdown(number)
    assert ", ".join(stream.done) == done
