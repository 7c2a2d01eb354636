"""Workbooks as Markdown: values as a person sees them, edges trimmed, bounded and saying so."""

from datetime import timedelta
from xml.sax.saxutils import quoteattr

import pytest

from corpus.sheet_writer import DATE, GOOD, OASIS, SPAN, R, S, ods_cell, ods_document, rows, sheet, workbook
from readwell.documents.ods import ODS
from readwell.documents.sheet_markdown import SheetGrid, SheetRow, sheet_blocks
from readwell.documents.xls import XLS, cell_text
from readwell.documents.xlsx import XLSX
from readwell.documents.xlsx.number_formats import Formats, number_text
from readwell.documents.xml_tree import parse_xml

MAKERS = dict(GOOD)
READ_ON = "are not shown: save the sheet as CSV to read on.*"
UNREAD = "\n\n<!-- comments and drawings of this sheet cannot be read: their part of the file is missing or damaged -->"
EXPECTED = {
    "values.xlsx": [
        """\
# Data

| Name | Count | When | Share | Ok |
| --- | --- | --- | --- | --- |
| apple | 3 | 2024-01-01 | 25% | TRUE |
| a\\|b | 2.5 | 2024-01-01 18:00 | 100% | FALSE |
| two<br>lines | 1e+21 | 12:00:00 | #DIV/0! | 0.1 |
| long | 12345678901 | 36:00:00 | 0 | 0.333333333333333 |""",
        "# Second\n\n| x |\n| --- |\n| 1 |",
    ],
    "edges.xlsx": [
        "# Offset\n\n<!-- cells C5:E6 -->\n\n| here |  | there |\n| --- | --- | --- |\n| 1 |  | 2 |",
        "# Empty\n\n*This sheet has no cells.*",
        "# Hidden\n\n<!-- hidden sheet -->\n\n| secret plan |\n| --- |",
    ],
    "inflated.xlsx": ["# Wide\n\n| a | b |\n| --- | --- |"],
    "far_apart.xlsx": [
        "# Far\n\n<!-- cells A1:XFD1048576; left out: rows 3-1048575, columns C-XFC -->\n\n| near |  |  |\n| --- | --- | --- |\n|  |  |  |\n|  |  | far |"
    ],
    "many_strings.xlsx": ["# Data\n\n| only |\n| --- |"],
    "chart_sheet.xlsx": [
        "# Data\n\n| a |\n| --- |\n| 1 |",
        "# Chart\n\n|  |  |\n| --- | --- |\n| Jan | 1 |\n| Feb | 2 |",
    ],
    "malformed.xlsx": [
        "# Odd\n\n| a | b | c |\n| --- | --- | --- |\n|  |  | 1 |\n| d |  |  |\n| inf | nan | -inf |",
    ],
    "broken_chart_sheets.xlsx": [
        "# A\n\n*This sheet has no cells.*",
        f"# B\n\n<!-- a chart cannot be read: its part of the file is missing or damaged -->{UNREAD}",
        f"# C\n\n*This sheet has no cells.*{UNREAD}",
    ],
    "values.xls": [
        "# Data\n\n| Name | Count | When | Ok |\n| --- | --- | --- | --- |\n| apple | 3 | 2024-01-01 | TRUE |\n| a\\|b | 2.5 | 2024-01-01 18:00 | FALSE |",
        "# Empty\n\n*This sheet has no cells.*",
        "# Hidden\n\n<!-- hidden sheet -->\n\n| x |\n| --- |",
    ],
    "offset.xls": [
        "# S\n\n<!-- cells C5:D12; left out: rows 8-11 -->\n\n| name | qty |\n| --- | --- |\n| apple |  |\n|  |  |\n| far |  |"
    ],
    "values.ods": ["# Data\n\n| Name | Count | When |\n| --- | --- | --- |\n| apple | 3 | 1 Jan |"],
}
FOUND = {
    "xlsx_01.xlsx": ["# Sheet1\n\n| first | second | third |\n| --- | --- | --- |\n| 1 | 5 | 9 |", "| 4 | 8 | 12 | 16 |  |  | col-1 | col-2 | col-3 |", "| first | header |", "# Sheet4\n\n<!-- hidden sheet -->"],
    "xlsx_06_edge_cases_.xlsx": ["|  | Sub-category | ID | Question | Answer | Extra |", "| Attached left | Overview |", "| Overview 2 | Purpose 2 | Extra 2 |"],
    "xlsx_03_chartsheet.xlsx": ["| 2024 | 180 | 130 | 310 |", "| Wild Duck Observations by Year | Freshwater Ducks | Saltwater Ducks |"],
}  # fmt: skip


def sheets(name, content):
    opened = {"ods": ODS, "xls": XLS, "xlsx": XLSX}[name.rpartition(".")[2]].open(content, None, b"")
    assert opened.unit == "sheet"
    return [opened.markdown(number) for number in range(1, opened.count + 1)]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_made_workbook_becomes_exactly_this(name):
    assert sheets(name, MAKERS[name]()) == EXPECTED[name]


def test_columns_beyond_the_limit_are_told():
    told = sheets("wide.xlsx", MAKERS["wide.xlsx"]())[0].split("\n\n")
    assert told[2:] == [f"*Columns after IV {READ_ON}"]
    assert told[1].splitlines()[2].endswith(" 254 | 255 |")


@pytest.mark.slow
def test_cells_repeated_beyond_the_limit_are_told():
    told = sheets("repeated.ods", MAKERS["repeated.ods"]())[0].split("\n\n")
    assert [part[:18] for part in told] == ["# Data", "| x | x | x | x | ", "*Rows after 16,320", "*Columns after IV "]


def test_a_long_text_that_many_cells_share_is_written_only_so_often():
    strings = f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>{"x" * 1_000_000}</t></si></sst>'
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 1000))
    told = sheets("shared.xlsx", workbook({"S": sheet(cells)}, {"xl/sharedStrings.xml": strings}))[0]
    assert told.endswith(f"*Rows after 16 {READ_ON}")


def test_a_line_break_that_a_workbook_escapes_stays_in_its_cell():
    told = sheets("escaped.xlsx", workbook({"S": sheet(rows([["a_x000D_\nb", "_x41_"]]))}))
    assert told == ["# S\n\n| a<br>b | _x41_ |\n| --- | --- |"]


def test_a_sheet_whose_part_is_missing_is_told():
    content = workbook({"Here": sheet(rows([["x"]])), "Gone": ""})
    content = content.replace(b"xl/worksheets/sheet2.xml", b"xl/worksheets/sheet9.xml")
    assert sheets("gone.xlsx", content)[1] == "# Gone\n\n*This sheet is missing from the file.*"


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.0, "3"), (-0.0, "0"), (0.1 + 0.2, "0.3"), (1e15, "1e+15"), (float("inf"), "inf"), (123456.789, "123456.789")],
)
def test_numbers_look_as_a_person_writes_them(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("code", "written", "text"),
    [
        ("General", "1234.5", "1234.5"),
        ("0.00", "0.1", "0.1"),
        ("#,##0.00", "1234567.891", "1234567.891"),
        ("0.0%", "0.125", "12.5%"),
        ('"$"#,##0.00', "1234.5", "$1234.5"),
        ('_-* #,##0.00\\ "€"_-', "5", "5 €"),
        ("#,##0.00 [$€-407]", "-5", "-5 €"),
        ("yyyy-mm-dd", "45292", "2024-01-01"),
        ("d mmm yy", "45292.5", "2024-01-01 12:00"),
        ("[$-409]mmmm", "45292", "2024-01-01"),
        ("hh:mm", "0.75", "18:00:00"),
        ("h:mm AM/PM", "0.25", "06:00:00"),
        ("dd/mm/yyyy hh:mm:ss", "45292.500011574", "2024-01-01 12:00:01"),
        ("[h]:mm", "2.5", "60:00:00"),
        ("[h]:mm", "-0.25", "-6:00:00"),
        ("[mm]:ss", "0.0625", "1:30:00"),
        ("[h]:mm:ss", "99999999", "99999999"),
        ("hh:mm", "45292.75", "18:00:00"),
        ("hh:mm", "0.999999", "00:00:00"),
        ("mm", "45292", "2024-01-01"),
        ("mm:ss", "0.0625", "01:30:00"),
        ("yyyy-mm-dd", "0", "1900-01-00"),
        ("yyyy-mm-dd", "1", "1900-01-01"),
        ("yyyy-mm-dd", "59", "1900-02-28"),
        ("yyyy-mm-dd", "59.9999999", "1900-02-29"),
        ("yyyy-mm-dd", "60", "1900-02-29"),
        ("yyyy-mm-dd", "61", "1900-03-01"),
        ("yyyy-mm-dd hh:mm", "1.5", "1900-01-01 12:00"),
        ("yyyy-mm-dd", "2958465", "9999-12-31"),
        ("yyyy-mm-dd", "2958466", "2958466"),
        ("0%", "0.07", "7%"),
        ("0.00%", "-1.5", "-150%"),
        ("0%", "1E-5", "0.001%"),
        ("[Red]0.0", "7", "7"),
        ('"days" 0', "7", "7"),
        ("yyyy", "-5", "-5"),
        ("yyyy", "99999999", "99999999"),
        ("General", "1E-7", "1e-07"),
        ("General", "no number", "no number"),
    ],
)
def test_a_number_is_shown_by_the_format_of_its_cell(code, written, text):
    styles = f"<styleSheet><numFmts><numFmt numFmtId='164' formatCode={quoteattr(code)}/></numFmts><cellXfs><xf/><xf numFmtId='164'/></cellXfs></styleSheet>"
    formats = Formats(parse_xml("xlsx", "styles.xml", styles.encode()), since_1904=False)
    assert formats.text(written, "1") == text


@pytest.mark.parametrize(
    ("written", "text"),
    [("0", "1904-01-01"), ("59", "1904-02-29"), ("60", "1904-03-01"), ("43830.25", "2024-01-01 06:00"), ("2957003", "9999-12-31"), ("2957004", "2957004")],
)  # fmt: skip
def test_days_are_counted_from_where_the_workbook_says(written, text):
    styles = parse_xml("xlsx", "styles.xml", b"<styleSheet><cellXfs><xf numFmtId='14'/></cellXfs></styleSheet>")
    assert Formats(styles, since_1904=True).text(written, "0") == text


def test_a_span_of_time_in_an_old_workbook_is_written_like_one_in_a_new_one():
    assert cell_text(timedelta(days=1, hours=12)) == "36:00:00"


def test_a_workbook_that_counts_from_1904_says_so():
    listed = f'<workbook xmlns="{S}" xmlns:r="{R}"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'
    content = workbook({"S": sheet(rows([[(0, DATE), (1.5, SPAN)]]))}, {"xl/workbook.xml": listed})
    assert sheets("mac.xlsx", content) == ["# S\n\n| 1904-01-01 | 36:00:00 |\n| --- | --- |"]


@pytest.mark.parametrize("name", FOUND)
def test_a_real_workbook_has_what_a_person_sees_in_it(real, name):
    told = "\n".join(sheets(name, (real / "documents" / name).read_bytes()))
    assert [part for part in FOUND[name] if part not in told] == []


def test_a_real_workbook_made_to_exhaust_is_cut(real):
    told = sheets("poc.xlsx", (real / "documents" / "poc-shared-strings.xlsx").read_bytes())[0]
    assert len(told) < 32 << 20
    assert told.endswith(READ_ON + '\n\n<!-- left out: page footer "Seite &[Page]" -->')


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('table:formula="of:=[.A1]+[.B2]"', "=A1+B2"),
        ('table:formula="of:=SUM([.A1:.B2];[$Other.C3])"', "=SUM(A1:B2;$Other.C3)"),
        ('table:formula="oooc:=[.A1]*2"', "=A1*2"),
        ('table:formula="of:=[.A1]" office:value-type="float" office:value="7"', "7"),
        ('table:formula="of:=TRUE()" office:value-type="boolean" office:boolean-value="true"', "true"),
        ('table:formula="of:=NOW()" office:value-type="time" office:time-value="PT1H"', "PT1H"),
        ('table:formula="of:=&quot;&quot;" office:value-type="string" office:string-value=""', ""),
        ('table:formula="broken"', ""),
    ],
)
def test_a_cell_of_an_ods_without_a_value_shows_its_formula(cell, shown):
    cells = f"{ods_cell('a')}<table:table-cell {cell}/>{ods_cell('b')}"
    told = sheets("formula.ods", ods_document(f"<table:table-row>{cells}</table:table-row>"))[0]
    assert f"| a | {shown} | b |".replace("|  |", "| |") in told.replace("|  |", "| |")


SPACED = [
    ("one<text:s/>two", "one two"),
    ('one<text:s text:c="3"/>two', "one   two"),
    ('one<text:s text:c="999999999"/>two', f"one{' ' * 40}two"),
    ("one<text:tab/>two", "one\ttwo"),
    ("one<text:line-break/>two", "one<br>two"),
    ("<text:span>one</text:span><text:s/><text:span>t<text:span>w</text:span>o</text:span>", "one two"),
    ("<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>字", "漢(kan)字"),
    ("<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text> </text:ruby-text></text:ruby>字", "漢 字"),
]


@pytest.mark.parametrize(("written", "shown"), SPACED)
def test_words_of_an_ods_that_an_element_parts_stay_apart(written, shown):
    row = f"<table:table-row>{ods_cell(written)}{ods_cell('b')}</table:table-row>"
    assert f"\n| {shown} | b |\n" in sheets("spaced.ods", ods_document(row))[0]


def test_words_of_comments_and_boxes_of_an_ods_stay_apart():
    text = "<text:p>one<text:s/>two<text:tab/>three</text:p>"
    cell = f"<table:table-cell><office:annotation>{text}</office:annotation><text:p>a</text:p></table:table-cell>"
    shapes = f"<table:shapes><draw:rect>{text}</draw:rect></table:shapes>"
    content = ods_document(
        f"{shapes}<table:table-row>{cell}</table:table-row>", more=f'xmlns:draw="{OASIS}drawing:1.0"'
    )
    told = sheets("spaced.ods", content)[0]
    assert '\n- A1: one two\tthree\n\n<!-- left out: text box "one two three" -->' in told


@pytest.mark.parametrize(
    ("grid", "told"),
    [
        (SheetGrid([SheetRow(1, {0: "a"}), SheetRow(3, {0: "b"})]), None),
        (SheetGrid([SheetRow(2, {0: "a"})]), "cells A2:A2"),
        (SheetGrid([SheetRow(1, {1: "a"})]), "cells B1:B1"),
        (SheetGrid([SheetRow(1, {0: "a"}), SheetRow(4, {0: "b"})]), "cells A1:A4; left out: row 3"),
        (SheetGrid([SheetRow(1, {0: "a", 3: "b"})]), "cells A1:D1; left out: column C"),
        (
            SheetGrid([SheetRow(1, {0: "a"}), SheetRow(2, {0: "b"}, True), SheetRow(4, {0: "c"})]),
            "cells A1:A4; left out: row 2",
        ),
        (SheetGrid([SheetRow(700, {0: "a"})], part_suffix=", rows 700-700 (part 2 of 2)"), None),
        (
            SheetGrid([SheetRow(number, {0: "a"}) for number in range(1, 30, 4)]),
            "cells A1:A29; left out: rows 3-4, rows 7-8, rows 11-12, rows 15-16, rows 19-20, 2 more runs of rows",
        ),
    ],
)
def test_the_range_of_cells_is_told_where_it_cannot_be_counted(grid, told):
    """A displayed empty row or column stands for the first of those that are empty."""
    comments = [block for block in sheet_blocks(grid._replace(has_addresses=True)) if block.startswith("<!-- cells")]
    assert comments == ([f"<!-- {told} -->"] if told else [])
    assert not [block for block in sheet_blocks(grid) if block.startswith("<!-- cells")]
