"""What a document hides is left out and told once; a hidden sheet or slide is read and says so."""

import pytest

from corpus import docx_writer, odt_writer, pptx_writer
from corpus.sheet_writer import OASIS, ods_cell, ods_document, rows, sheet, workbook
from readwell.documents.docx import DOCX
from readwell.documents.html import HTML
from readwell.documents.mail import MAIL
from readwell.documents.ods import ODS
from readwell.documents.odt import ODT
from readwell.documents.office_charts import chart_rows
from readwell.documents.pptx import PPTX
from readwell.documents.xlsx import XLSX
from readwell.documents.xml_tree import parse_xml

TOLD = "<!-- hidden content is left out -->"


def first_unit(converter, content):
    return converter.open(content, None, b"").markdown(1)


def test_hidden_rows_and_columns_of_a_sheet_are_left_out_and_counted():
    table = rows([["a", "b", "c"], [1, 2, 3], [4, 5, 6], [7, 8, 9]])
    table = table.replace('<row r="2">', '<row r="2" hidden="1">').replace('<row r="3">', '<row r="3" hidden="true">')
    columns = '<cols><col min="2" max="2" hidden="1"/><col min="9" max="16384" hidden="1"/></cols><sheetData>'
    content = workbook({"Data": sheet(table).replace("<sheetData>", columns)})
    assert first_unit(XLSX, content) == (
        "# Data\n\n<!-- cells A1:C4; left out: rows 2-3, column B -->\n\n| a | c |\n| --- | --- |\n| 7 | 9 |\n\n<!-- hidden, left out: 2 rows, 1 column -->"
    )


def test_hidden_rows_without_text_are_not_told():
    table = rows([["a"]]) + '<row r="2" hidden="1"/><row r="3" hidden="1"><c r="A3"/></row>'
    assert first_unit(XLSX, workbook({"Data": sheet(table)})) == "# Data\n\n| a |\n| --- |"


def test_a_sheet_of_hidden_rows_alone_says_so():
    table = rows([["a"]]).replace('<row r="1">', '<row r="1" hidden="1">')
    assert first_unit(XLSX, workbook({"Data": sheet(table)})) == "# Data\n\n<!-- hidden, left out: 1 row -->"


def test_a_range_of_hidden_columns_without_end_costs_nothing():
    columns = '<cols><col min="2" max="999999999" hidden="1"/></cols><sheetData>'
    content = workbook({"Data": sheet(rows([["a", "b"]])).replace("<sheetData>", columns)})
    assert first_unit(XLSX, content) == "# Data\n\n| a |\n| --- |\n\n<!-- hidden, left out: 1 column -->"


def test_hidden_rows_columns_and_sheets_of_an_open_document_are_treated_alike():
    columns = '<table:table-column/><table:table-column table:number-columns-repeated="2" table:visibility="collapse"/><table:table-column/>'
    shown = "".join(map(ods_cell, "abcd"))
    filtered = f'<table:table-row table:visibility="filter">{ods_cell("gone")}</table:table-row>'
    content = ods_document(
        f"{columns}<table:table-row>{shown}</table:table-row>{filtered}<table:table-row>{ods_cell('e')}</table:table-row>"
    )
    assert first_unit(ODS, content) == (
        "# Data\n\n<!-- cells A1:D3; left out: row 2, columns B-C -->\n\n| a | d |\n| --- | --- |\n| e |  |\n\n<!-- hidden, left out: 1 row, 2 columns -->"
    )


def test_a_hidden_sheet_of_an_open_document_says_so():
    style = f'<office:automatic-styles xmlns:style="{OASIS}style:1.0"><style:style style:name="ta1"><style:table-properties table:display="false"/></style:style></office:automatic-styles>'
    content = ods_document(f"<table:table-row>{ods_cell('x')}</table:table-row>", style, 'table:style-name="ta1"')
    assert first_unit(ODS, content) == "# Data\n\n<!-- hidden sheet -->\n\n| x |\n| --- |"


@pytest.mark.parametrize(
    "hidden",
    [
        docx_writer.paragraph(docx_writer.text("secret", "<w:vanish/>")),
        docx_writer.paragraph("secret", "Unseen"),
        docx_writer.paragraph(docx_writer.text("secret", '<w:rStyle w:val="Unseen"/>')),
        f"<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr>{docx_writer.cell('secret')}</w:tr></w:tbl>",
        docx_writer.paragraph('<w:r><w:drawing><wp:anchor><wp:docPr id="1" hidden="1"/><wps:txbx><w:txbxContent><w:p><w:r><w:t>secret</w:t></w:r></w:p></w:txbxContent></wps:txbx></wp:anchor></w:drawing></w:r>'),
    ],
)  # fmt: skip
def test_hidden_text_of_a_docx_is_left_out_and_told(hidden):
    content = docx_writer.document(docx_writer.paragraph("seen") + hidden + docx_writer.paragraph("end"))
    assert first_unit(DOCX, content) == f"seen\n\nend\n\n{TOLD}"


def test_text_that_is_shown_although_its_style_hides_is_read():
    content = docx_writer.document(docx_writer.paragraph(docx_writer.text("seen", '<w:vanish w:val="0"/>'), "Unseen"))
    assert first_unit(DOCX, content) == "seen"


@pytest.mark.parametrize(
    "hidden",
    [
        odt_writer.paragraph("secret", "Gone"),
        odt_writer.paragraph(odt_writer.span("secret", "Gone")),
        odt_writer.paragraph('<text:hidden-text text:is-hidden="true">secret</text:hidden-text>'),
        odt_writer.paragraph('<text:hidden-paragraph text:is-hidden="true"/>secret'),
        f'<text:section text:display="none">{odt_writer.paragraph("secret")}</text:section>',
    ],
)
def test_hidden_text_of_an_odt_is_left_out_and_told(hidden):
    content = odt_writer.document(odt_writer.paragraph("seen") + hidden + odt_writer.paragraph("end"))
    assert first_unit(ODT, content) == f"seen\n\nend\n\n{TOLD}"


@pytest.mark.parametrize("kind", [None, "title"])
def test_hidden_shapes_of_a_slide_are_left_out_and_told(kind):
    hidden = pptx_writer.shape(pptx_writer.paragraph("secret"), kind).replace('name="Shape"', 'name="Shape" hidden="1"')
    content = pptx_writer.presentation([pptx_writer.slide(pptx_writer.shape(pptx_writer.paragraph("seen")) + hidden)])
    assert first_unit(PPTX, content) == f"seen\n\n{TOLD}"


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("<p hidden>a</p><p>b</p>", f"b\n\n{TOLD}"),
        ("<p style='color: red; DISPLAY : none'>a</p><p>b</p>", f"b\n\n{TOLD}"),
        ('<p style="visibility:hidden">a</p><p>b</p>', f"b\n\n{TOLD}"),
        ('<p class="is hidden">a</p>', "a"),
        ("<style>.x { display:none }</style><p>a</p>", "a"),
        ("<p>what is hidden = 1 and display:none</p>", "what is hidden = 1 and display:none"),
        ('<input type="text" hidden><p>a</p>', "a"),
    ],
)
def test_what_a_page_hides_by_itself_is_left_out_and_told(html, told):
    assert first_unit(HTML, html.encode()) == told


def test_a_page_full_of_hidden_words_is_looked_at_in_no_time():
    assert first_unit(HTML, b"<p>" + b" hidden=" * 1_000_000 + b"</p>").startswith("hidden= hidden=")


def test_attachments_beyond_the_limit_are_told():
    head = b"Subject: many\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    part = b"--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a%d.txt\n\nhi\n"
    told = first_unit(MAIL, head + b"".join(part % number for number in range(1003)) + b"--x--\n")
    assert told.splitlines()[-3:] == [
        "- a999.txt (text/plain, 2 bytes)",
        "",
        "*3 more are attached and not listed: the message read as text names all.*",
    ]


def test_points_and_series_of_a_chart_beyond_the_limit_are_told():
    points = "".join(f'<c:pt idx="{n}"><c:v>{n}</c:v></c:pt>' for n in range(1002))
    series = f"<c:ser><c:val>{points}</c:val></c:ser>" + "<c:ser/>" * 101
    space = f'<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">{series}</c:chartSpace>'
    found = chart_rows(parse_xml("xlsx", "chart", space.encode()))
    assert (len(found), len(found[0])) == (1003, 101)
    assert found[-2:] == [["… 2 more points are not shown"], ["… 2 more series are not shown"]]
