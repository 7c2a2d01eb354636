"""What pages, slides and sheets repeat or have beside their text is named, or shown, in the Markdown."""

import random
import struct
import tracemalloc
from time import process_time

import pytest

from corpus import docx_writer, epub_writer, odp_writer, odt_writer, pptx_writer, sheet_writer
from corpus.ole_writer import doc, ole, ppt, record
from corpus.packing import packed
from readwell.documents.beside_cells import UNREAD as UNREAD_BESIDE
from readwell.documents.beside_cells import BesideCells, Comment
from readwell.documents.clean_markdown import tidy
from readwell.documents.doc import DOC
from readwell.documents.doc.word_file import Piece, WordFile
from readwell.documents.docx import DOCX
from readwell.documents.epub import EPUB
from readwell.documents.left_out_texts import UNREAD, left_out_comment
from readwell.documents.markdown_blocks import TOLD_HIDDEN, fenced
from readwell.documents.odp import ODP
from readwell.documents.ods import ODS
from readwell.documents.odt import ODT
from readwell.documents.ppt import PPT
from readwell.documents.pptx import PPTX
from readwell.documents.pptx.repeated_texts import UNREAD as UNREAD_LAYOUT
from readwell.documents.rtf import RTF
from readwell.documents.xls_beside import CELLS, BesideCellsReader
from readwell.documents.xlsx import XLSX

HEADERS = '<!-- left out: page headers "ACME Report", "First \\"page\\" -\\->" -->\n'
FOOTER = '<!-- left out: page footer "Page 1" -->\n\n'


def markdown(converter, content, number=1):
    return converter.open(content, None, b"").markdown(number)


def related(identity, kind, target):
    return f'<Relationship Id="{identity}" Type="{docx_writer.R}/{kind}" Target="{target}"/>'


def docx_with_headers():
    def part(content):
        return f"{docx_writer.HEAD}<w:hdr {docx_writer.NAMESPACES}>{content}</w:hdr>"

    paragraph, text = docx_writer.paragraph, docx_writer.text
    table = docx_writer.table([docx_writer.cell(text("ACME", "<w:b/>")), docx_writer.cell("Report")])
    field = f'{text("Page ")}<w:fldSimple w:instr=" PAGE ">{text("1")}</w:fldSimple>'
    references = "".join(
        f'<w:{kind}Reference w:type="{pages}" r:id="{identity}"/>'
        for kind, pages, identity in (
            ("header", "default", "h1"),
            ("header", "first", "h2"),
            ("header", "even", "h1"),
            ("footer", "default", "f1"),
            ("footer", "first", "gone"),
        )
    )
    return docx_writer.document(
        paragraph("Body") + f"<w:sectPr>{references}<w:titlePg/></w:sectPr>",
        links=related("h1", "header", "h1.xml") + related("h2", "header", "h2.xml") + related("f1", "footer", "f1.xml"),
        extra={
            "word/h1.xml": part(table),
            "word/h2.xml": part(paragraph('First "page" --&gt;')),
            "word/f1.xml": part(paragraph(field)),
        },
    )


def test_headers_and_footers_of_a_docx_are_named_once_above_its_text():
    assert markdown(DOCX, docx_with_headers()) == f"{HEADERS}{FOOTER}Body"


def test_a_watermark_of_a_docx_is_named():
    mark = '<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>'
    content = docx_writer.document(
        '<w:sectPr><w:headerReference r:id="h"/></w:sectPr>',
        links=related("h", "header", "h.xml"),
        extra={"word/h.xml": f"<w:hdr {docx_writer.NAMESPACES}>{mark}</w:hdr>"},
    )
    assert markdown(DOCX, content) == '<!-- left out: page header "DRAFT" -->'


def test_a_watermark_with_a_second_form_for_old_programs_is_named_once_where_it_stands():
    old = '<w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict>'
    new = f"<w:pict><v:textbox><w:txbxContent>{docx_writer.paragraph('DRAFT')}</w:txbxContent></v:textbox></w:pict>"
    forms = f"<mc:AlternateContent><mc:Choice>{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    for mark in (forms, old):
        content = f"<w:p><w:r>{mark}</w:r></w:p>{docx_writer.paragraph('Report')}"
        told = markdown(DOCX, docx_header(f"<w:hdr {docx_writer.NAMESPACES}>{content}</w:hdr>"))
        assert told == '<!-- left out: page header "DRAFT Report" -->\n\nBody'


EVEN_PAGES = "<w:evenAndOddHeaders/>"


@pytest.mark.parametrize(
    ("sections", "settings", "shown"),
    [
        (("default first even",), "", "default"),
        (("default first even titlePg",), "", "default first"),
        (("default first even",), EVEN_PAGES, "default even"),
        (("default first even",), '<w:evenAndOddHeaders w:val="0"/>', "default"),
        (("default first", "titlePg"), "", "default first"),
        (("default first", "default titlePg"), "", "default first"),
        (("titlePg", "first"), "", ""),
        (("default",), "<broken", "default"),
    ],
)
def test_headers_of_a_docx_that_no_page_shows_are_not_named(sections, settings, shown):
    def section(kinds):
        references = (f'<w:headerReference w:type="{kind}" r:id="{kind}"/>' for kind in kinds.split())
        return f"<w:sectPr>{''.join(references)}{'<w:titlePg/>' * ('titlePg' in kinds)}</w:sectPr>"

    *before, last = map(section, sections)
    kinds = ("default", "first", "even")
    content = docx_writer.document(
        "".join(docx_writer.paragraph("Body", "", each) for each in before) + docx_writer.paragraph("Body") + last,
        links=related("s", "settings", "settings.xml")
        + "".join(related(kind, "header", f"{kind}.xml") for kind in kinds),
        extra={
            **{f"word/{kind}.xml": header(kind) for kind in kinds},
            "word/settings.xml": f"<w:settings {docx_writer.NAMESPACES}>{settings}</w:settings>",
        },
    )
    assert markdown(DOCX, content).replace("Body", "").strip() == left_out_comment("page header", shown.split())


def test_a_part_of_a_docx_in_another_format_is_told_where_it_stands():
    content = docx_writer.document(
        docx_writer.paragraph("One") + '<w:altChunk r:id="x"/>' + docx_writer.paragraph("Two")
    )
    assert markdown(DOCX, content) == "One\n\n<!-- left out: a part in another format, which stands here -->\n\nTwo"


def test_headers_and_footers_of_an_odt_are_named_but_not_those_that_are_switched_off():
    paragraph = odt_writer.paragraph
    number = "<text:page-number>1</text:page-number>"
    pages = (
        f"<style:header>{paragraph('ACME ' + odt_writer.span('Report', 'B'))}</style:header>"
        f"<style:header-first>{paragraph('First &quot;page&quot; --&gt;')}</style:header-first>"
        f'<style:header-left style:display="false">{paragraph("never shown")}</style:header-left>'
        f"<style:footer>{paragraph('Page ' + number)}</style:footer>"
    )
    styles = (
        f"<office:document-styles {odt_writer.NAMESPACES}><office:master-styles>"
        f"<style:master-page>{pages}</style:master-page></office:master-styles></office:document-styles>"
    )
    body = f"<office:body><office:text>{paragraph('Body')}</office:text></office:body>"
    content = f"<office:document-content {odt_writer.NAMESPACES}>{body}</office:document-content>"
    assert markdown(ODT, packed({"content.xml": content, "styles.xml": styles})) == f"{HEADERS}{FOOTER}Body"


def test_headers_and_footers_of_an_rtf_are_named():
    headers = rb'{\header {\b ACME}\par Report}{\headerf First "page" -->}{\headerr ACME Report}'
    content = rb"{\rtf1\sectd\titlepg " + headers + rb"{\footerl Page {\field{\*\fldinst PAGE}{\fldrslt 1}}}Body}"
    assert markdown(RTF, content) == f"{HEADERS}{FOOTER}Body"


@pytest.mark.parametrize(
    ("sections", "shown"),
    [
        ((rb"",), "usual"),
        ((rb"\titlepg0",), "usual"),
        ((rb"\titlepg",), "usual first"),
        ((rb"", rb"\titlepg"), "usual first"),
        ((rb"\titlepg", rb"{\headerf next}"), "usual first"),
    ],
)
def test_headers_of_an_rtf_that_no_page_shows_are_not_named(sections, shown):
    headers = rb"{\headerf first}{\header usual}"
    told = rb"\sect".join(rb"\sectd" + each + headers * (not number) + b" x" for number, each in enumerate(sections))
    named = left_out_comment("page header", shown.split())
    assert markdown(RTF, rb"{\rtf1" + told + b"}") == "\n\n".join([named, *"x" * len(sections)])


def test_headers_and_footers_of_a_doc_are_named():
    content = doc([([("Body", b"")], "\r", 0, b"")], headers={1: "ACME\rReport", 2: "Page 1", 4: 'First "page" -->'})
    assert markdown(DOC, content) == f"{HEADERS}{FOOTER}Body"


@pytest.mark.parametrize(
    ("first_pages", "even_pages", "shown"),
    [
        ((False,), False, 'header "odd"'),
        ((False,), True, 'headers "even", "odd"'),
        ((True,), False, 'headers "odd", "first"'),
        ((False, True), False, 'headers "odd", "first"'),
        ((True, False), True, 'headers "even", "odd", "first"'),
    ],
)
def test_headers_of_a_doc_that_no_page_shows_are_not_named(first_pages, even_pages, shown):
    headers = {0: "even", 1: "odd", 4: "first"}
    content = doc([([("Body", b"")], "\r", 0, b"")], headers=headers, first_pages=first_pages, even_pages=even_pages)
    assert markdown(DOC, content) == f"<!-- left out: page {shown} -->\n\nBody"


def test_text_in_boxes_of_headers_and_footers_of_a_doc_is_named_apart():
    boxes = "DRAFT\rnot yet"
    content = doc([([("Body", b"")], "\r", 0, b"")], headers={1: "ACME"}, header_boxes=boxes)
    told = '<!-- left out: text in boxes of page headers or footers "DRAFT not yet" -->'
    assert markdown(DOC, content) == f'<!-- left out: page header "ACME" -->\n{told}\n\nBody'


def test_footers_and_masters_of_slides_are_named_on_the_first_slide_that_has_them():
    shape, paragraph, slide = pptx_writer.shape, pptx_writer.paragraph, pptx_writer.slide
    number = '<a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
    foot = shape(paragraph("ACME 2026"), "ftr") + shape(number, "sldNum") + shape(paragraph("8"), "sldNum")
    layout = f"<p:sldLayout {pptx_writer.NAMESPACES}><p:cSld><p:spTree>{shape(paragraph('Confidential'))}{shape(paragraph('Click here'), 'body')}</p:spTree></p:cSld></p:sldLayout>"
    master = layout.replace("sldLayout", "sldMaster").replace("Confidential", "By the master")
    links = [("layout", "slideLayout", "../slideLayouts/l.xml", False)]
    content = pptx_writer.presentation(
        [slide(shape(paragraph(f"Slide {n}")) + foot) for n in (1, 2)] + [slide(shape(paragraph("Slide 3")))],
        links={1: links, 2: links},
        extra={
            "ppt/slideLayouts/l.xml": layout,
            "ppt/slideLayouts/_rels/l.xml.rels": pptx_writer.relations(("m", "slideMaster", "../m.xml", False)),
            "ppt/m.xml": master,
        },
    )
    told = '<!-- left out: repeated texts "ACME 2026", "Confidential", "By the master" -->'
    for opened in (PPTX.open(content, None, b""), PPTX.open(content, None, b"")):
        assert [opened.markdown(n) for n in (3, 2, 1)] == ["Slide 3", "Slide 2", f"Slide 1\n\n{told}"]


@pytest.mark.parametrize(
    "hiding, told", [("slide", ""), ("layout", 'text "On the layout"'), ("", 'texts "On the layout", "On the master"')]
)
def test_texts_above_a_slide_or_a_layout_that_hides_them_are_not_named(hiding, told):
    def above(kind, text, hides):
        hidden = ' showMasterSp="0"' * hides
        shape = pptx_writer.shape(pptx_writer.paragraph(text))
        return f"<p:{kind} {pptx_writer.NAMESPACES}{hidden}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:{kind}>"

    content = pptx_writer.presentation(
        [above("sld", "Slide", hiding == "slide")],
        links={1: [("layout", "slideLayout", "../slideLayouts/l.xml", False)]},
        extra={
            "ppt/slideLayouts/l.xml": above("sldLayout", "On the layout", hiding == "layout"),
            "ppt/slideLayouts/_rels/l.xml.rels": pptx_writer.relations(("m", "slideMaster", "../m.xml", False)),
            "ppt/m.xml": above("sldMaster", "On the master", False),
        },
    )
    comment = f"\n\n<!-- left out: repeated {told} -->" if told else ""
    assert PPTX.open(content, None, b"").markdown(1) == f"Slide{comment}"


def test_words_of_a_footer_of_slides_that_a_line_break_parts_stay_apart():
    shape, run = pptx_writer.shape, "<a:r><a:t>{}</a:t></a:r>"
    foot = shape(f"<a:p>{run.format('ACME')}<a:br/>{run.format('2026')}</a:p>", "ftr")
    content = pptx_writer.presentation([pptx_writer.slide(shape(pptx_writer.paragraph("One")) + foot)])
    assert markdown(PPTX, content).endswith('<!-- left out: repeated text "ACME 2026" -->')


def test_footers_of_open_document_slides_are_named_on_the_first_slide_that_has_them():
    told = '<!-- left out: repeated text "every slide" -->'
    opened = ODP.open(odp_writer.presentation(2), None, b"")
    assert told in opened.markdown(1)
    assert "every slide" not in opened.markdown(2)


@pytest.mark.parametrize(
    ("hiding", "shown"),
    [
        ("", "every slide, declared, on the master"),
        ('presentation:display-footer="true"', "every slide, declared, on the master"),
        ('presentation:display-footer="false"', "every slide, on the master"),
        ('presentation:background-objects-visible="false"', "every slide"),
    ],
)
def test_texts_that_an_open_document_slide_hides_are_not_named(hiding, shown):
    told = markdown(ODP, odp_writer.presentation(1, hiding=hiding))
    assert told.endswith(f"\n\n{left_out_comment('repeated text', shown.split(', '))}")


def test_footers_of_old_slides_are_named_on_the_first_slide_that_has_them():
    def footers(*texts, shown):
        strings = [record(4026, text.encode("utf-16-le"), which) for which, text in texts]
        return record(4057, [record(4058, struct.pack("<2H", 0, shown)), *strings], 3)

    shared = footers((2, "ACME 2026"), (0, "3 May"), shown=0x25)
    opened = PPT.open(ppt([([(0, "One")], None, ""), ([(0, "Two")], None, "")], footers=shared), None, b"")
    assert opened.markdown(1) == '# One\n\n<!-- left out: repeated texts "ACME 2026", "3 May" -->'
    assert opened.markdown(2) == "# Two"
    hidden = PPT.open(ppt([([(0, "One")], None, "")], footers=footers((2, "x"), shown=0)), None, b"")
    assert hidden.markdown(1) == "# One"


SHEET = sheet_writer.sheet(sheet_writer.rows([["a", "b"], [1, 2]]))


DRAWN = "<x><graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></graphicFrame></x>"


def workbook_with_comments(comments, sheet=SHEET, kinds=("<c:chart/>",), extra=None):
    drawing = (
        f'<wsDr xmlns:a="{sheet_writer.OFFICE}drawingml/2006/main" xmlns:c="{sheet_writer.OFFICE}drawingml/2006/chart" xmlns:dgm="{sheet_writer.OFFICE}drawingml/2006/diagram" xmlns:r="{sheet_writer.R}">'
        f"{''.join(map(DRAWN.format, kinds))}<x><pic/><pic/></x>"
        "<x><sp><txBody><a:p><a:r><a:t>A box</a:t></a:r></a:p><a:p><a:r><a:t>of text</a:t></a:r></a:p></txBody></sp></x></wsDr>"
    )
    links = "".join(
        f'<Relationship Id="{kind}" Type="{sheet_writer.R}/{kind}" Target="../{kind}.xml"/>'
        for kind in ("comments", "drawing")
    )
    return sheet_writer.workbook(
        {"S": sheet},
        {
            "xl/worksheets/_rels/sheet1.xml.rels": f"{sheet_writer.RELATIONS}{links}</Relationships>",
            "xl/drawing.xml": drawing,
            "xl/comments.xml": comments,
            **(extra or {}),
        },
    )


COMMENTS = (
    "<comments><authors><author>Ada</author></authors><commentList>"
    '<comment ref="B2" authorId="0"><text><r><t>Ada:</t></r><r><t>\nIs that\nso?</t></r></text></comment>'
    '<comment ref="D9"><text><t>Far away</t></text></comment></commentList></comments>'
)
COMMENTED = "Comments:\n\n- B2, Ada: Is that\n  so?\n- D9: Far away"


def test_comments_of_cells_are_shown_and_drawings_and_pages_named():
    pages = '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;14R&amp;&amp;D&amp;RDraft</oddHeader><oddFooter>&amp;CPage &amp;P</oddFooter><evenFooter>&amp;P</evenFooter></headerFooter>'
    told = markdown(XLSX, workbook_with_comments(COMMENTS, SHEET.replace("</worksheet>", f"{pages}</worksheet>")))
    assert told == (
        f"# S\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n{COMMENTED}\n\n"
        '<!-- left out: 1 chart, 2 pictures -->\n<!-- left out: text box "A box of text" -->\n'
        '<!-- left out: page header "R&D Draft" -->\n<!-- left out: page footer "Page &[Page]" -->'
    )


def test_what_is_drawn_on_a_sheet_is_a_chart_only_where_it_is_one():
    frames = (
        "<c:chart/>",
        '<chart xmlns="new"/>',
        '<slicer xmlns="new"/>',
        "",
        '<dgm:relIds r:dm="d"/>',
        '<dgm:relIds r:dm="gone"/>',
    )
    point = "<dgm:pt><a:t>{}</a:t></dgm:pt>"
    names = (
        f'xmlns:dgm="{sheet_writer.OFFICE}drawingml/2006/diagram" xmlns:a="{sheet_writer.OFFICE}drawingml/2006/main"'
    )
    extra = {
        "xl/_rels/drawing.xml.rels": f'{sheet_writer.RELATIONS}<Relationship Id="d" Type="x/diagramData" Target="d.xml"/></Relationships>',
        "xl/d.xml": f"<dgm:dataModel {names}>{point.format('Plan')}{point.format('Do')}</dgm:dataModel>",
    }
    content = workbook_with_comments(COMMENTS, kinds=frames, extra=extra)
    assert markdown(XLSX, content).endswith(
        "<!-- left out: 2 charts, 2 pictures, 3 drawings -->\n"
        '<!-- left out: text box "A box of text" -->\n<!-- left out: diagram "Plan Do" -->'
    )
    told = markdown(XLSX, workbook_with_comments(COMMENTS, kinds=frames[4:5], extra={**extra, "xl/d.xml": "<x"}))
    assert "2 pictures, 1 drawing" in told and told.endswith(UNREAD_BESIDE)


@pytest.mark.parametrize(
    ("switches", "shown"),
    [
        ("", "odd"),
        ('differentOddEven="1"', "odd even"),
        ('differentFirst="true"', "odd first"),
        ('differentFirst="0" differentOddEven="0"', "odd"),
    ],
)
def test_headers_of_a_sheet_that_no_page_shows_are_not_named(switches, shown):
    headers = "".join(f"<{kind}Header>&amp;C{kind}</{kind}Header>" for kind in ("odd", "even", "first"))
    pages = f"<headerFooter {switches}>{headers}</headerFooter></worksheet>"
    told = markdown(XLSX, sheet_writer.workbook({"S": SHEET.replace("</worksheet>", pages)}))
    assert told.endswith(f"\n\n{left_out_comment('page header', shown.split())}")


def test_threads_of_comments_are_shown_in_place_of_their_stand_ins():
    content = workbook_with_comments(COMMENTS.replace(">Ada<", ">tc={1}<"))
    assert "tc={1}" in markdown(XLSX, content)
    threads = '<ThreadedComments><threadedComment ref="B2" personId="{1}"><text>Asked</text></threadedComment></ThreadedComments>'
    people = '<personList><person displayName="Bo" id="{1}"/></personList>'
    workbook = sheet_writer.workbook(
        {"S": SHEET},
        {
            "xl/worksheets/_rels/sheet1.xml.rels": f'{sheet_writer.RELATIONS}<Relationship Id="c" Type="x/comments" Target="../comments.xml"/><Relationship Id="t" Type="x/threadedComment" Target="../threads.xml"/></Relationships>',
            "xl/_rels/workbook.xml.rels": f'{sheet_writer.RELATIONS}<Relationship Id="r1" Type="{sheet_writer.R}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="p" Type="x/person" Target="people.xml"/></Relationships>',
            "xl/comments.xml": COMMENTS.replace(">Ada<", ">tc={1}<"),
            "xl/threads.xml": threads,
            "xl/people.xml": people,
        },
    )
    assert markdown(XLSX, workbook).endswith("Comments:\n\n- D9: Far away\n- B2, Bo: Asked")


def test_a_damaged_part_of_comments_does_not_hide_the_cells_and_is_told():
    told = markdown(XLSX, workbook_with_comments("<comments>"))
    assert told.startswith("# S\n\n| a | b |")
    assert told.endswith(
        "<!-- comments and drawings of this sheet cannot be read: their part of the file is missing or damaged -->"
    )


def test_a_long_sheet_has_its_comments_in_its_first_part():
    rows = sheet_writer.rows([["x" * 500, number] for number in range(9000)])
    opened = XLSX.open(workbook_with_comments(COMMENTS, sheet_writer.sheet(rows)), None, b"")
    assert opened.unit == "part"
    assert [COMMENTED in opened.markdown(number) for number in (1, 2, opened.count)] == [True, False, False]


@pytest.mark.parametrize("long", [False, True])
def test_comments_and_drawings_of_an_open_document_sheet(long):
    noise = random.Random(1)
    note = "<office:annotation><dc:creator>Ada</dc:creator><text:p>Is that</text:p><text:p>so?</text:p></office:annotation>"
    cell = f'<table:table-cell office:value-type="string">{note}<text:p>a</text:p></table:table-cell>'
    embedded = '<draw:frame><draw:object xlink:href="./Object {}"/><draw:image/></draw:frame>'
    drawn = embedded.format(1) + embedded.format(2) + "<draw:frame><draw:image/></draw:frame>"
    listed = '<manifest:file-entry manifest:full-path="Object {}/" manifest:media-type="application/vnd.oasis.opendocument.{}"/>'
    box = "<draw:custom-shape><text:p>A box</text:p></draw:custom-shape>"
    filled = "".join(
        f"<table:table-row>{sheet_writer.ods_cell(noise.randbytes(250).hex())}</table:table-row>"
        for _ in range(9000 * long)
    )
    names = " ".join(
        f'xmlns:{prefix}="{name}"'
        for prefix, name in (
            ("dc", "http://purl.org/dc/elements/1.1/"),
            ("draw", sheet_writer.OASIS + "drawing:1.0"),
            ("xlink", "http://www.w3.org/1999/xlink"),
        )
    )
    shapes = f"<table:shapes>{drawn}{box}</table:shapes>"
    row = f'<table:table-row table:number-rows-repeated="1">{sheet_writer.ods_cell("one")}{cell}</table:table-row>'
    objects = listed.format(1, "chart") + listed.format(2, "formula")
    content = sheet_writer.ods_document(shapes + row + filled, more=names, objects=objects)
    opened = ODS.open(content, None, b"")
    assert (opened.unit == "part") == long
    told = '- B1, Ada: Is that\n  so?\n\n<!-- left out: 1 chart, 1 picture, 1 drawing -->\n<!-- left out: text box "A box" -->'
    assert opened.markdown(1).endswith(f"Comments:\n\n{told}")
    assert not long or "Comments:" not in opened.markdown(2)


def biff(kind, content):
    return struct.pack("<2H", kind, len(content)) + content


def short(text):
    return struct.pack("<HB", len(text), 0) + text.encode("latin-1")


def old_sheet(has_drawings):
    """The records of an old workbook with one sheet: a comment, a chart, a text box, pages."""
    begin, end = biff(0x809, struct.pack("<HH12x", 0x600, 5)), biff(0x0A, b"")

    def shape(kind, identity, text=""):
        drawn = biff(0x5D, struct.pack("<4H18x", 0x15, 0x12, kind, identity))
        half = len(text) // 2
        pieces = biff(0x3C, b"\0" + text[:half].encode()) + biff(0x3C, b"\1" + text[half:].encode("utf-16-le"))
        return drawn + (biff(0x1B6, struct.pack("<10xHH4x", len(text), 16)) + pieces if text else b"")

    cells = biff(0x208, bytes(16)) + biff(0x27E, bytes(10)) * 3
    note = biff(0x1C, struct.pack("<4H", 8, 3, 0, 1) + short("Ada") + b"\0")
    chart = begin + biff(0x14, short("of the chart")) + end
    shapes = shape(25, 1, "Is that so?") + shape(5, 2) + chart + shape(6, 3, "A box") + shape(8, 4)
    pages = biff(0x14, short("&LDraft")) + biff(0x15, short("&P"))
    sheet = begin + pages + cells + (shapes + note if has_drawings else b"") + end
    bound = biff(0x85, bytes(6) + b"\1\0S")
    shared = begin + (biff(0xEB, b"") if has_drawings else b"") + bound + end
    stream = shared.replace(bound, biff(0x85, struct.pack("<LH", len(shared), 0) + b"\1\0S")) + sheet
    return ole({"Workbook": stream.ljust(4096, b"\0")})


def test_comments_and_drawings_of_an_old_workbook():
    assert BesideCellsReader(old_sheet(True)).beside_of_sheet(0).markdown() == (
        "Comments:\n\n- D9, Ada: Is that so?\n\n<!-- left out: 1 chart, 1 picture -->\n"
        '<!-- left out: text box "A box" -->\n<!-- left out: page header "Draft" -->'
    )
    assert BesideCellsReader(old_sheet(False)).beside_of_sheet(0).markdown() == '<!-- left out: page header "Draft" -->'
    assert BesideCellsReader(old_sheet(True)).beside_of_sheet(1).markdown() == ""


def test_pages_that_a_book_does_not_list_are_named_in_its_first_chapter():
    pages = {name: epub_writer.page(f"<p>{name}</p>") for name in ("one", "two", "notes.xhtml")}
    content = epub_writer.book(pages, spine=["one", "two"])
    opened = EPUB.open(content, None, b"")
    assert [opened.markdown(n) for n in (1, 2)] == [
        '<!-- left out: unlisted page "OEBPS/notes.xhtml" -->\n\none',
        "two",
    ]


def test_of_many_pages_that_a_book_does_not_list_the_first_are_named_and_the_others_counted():
    pages = {f"{number}.xhtml": epub_writer.page("x") for number in range(103)}
    told = markdown(EPUB, epub_writer.book(pages, spine=["0.xhtml"]))
    assert told.startswith('<!-- left out: unlisted pages "OEBPS/1.xhtml", "OEBPS/2.xhtml", ')
    assert told.endswith(', "OEBPS/100.xhtml" and 2 more -->\n\nx')


def test_a_book_of_many_chapters_is_opened_in_time_that_grows_with_their_number():
    content = epub_writer.book({f"{number}.xhtml": "x" for number in range(9000)})
    begun = process_time()
    assert EPUB.open(content, None, b"").count == 9000
    assert process_time() - begun < 1


LINE = "<!-- hidden sheet -->"
"""What only readwell writes at the beginning of a line."""


def docx_header(content, more=None, body=""):
    return docx_writer.document(
        docx_writer.paragraph(body or "Body") + '<w:sectPr><w:headerReference r:id="h"/></w:sectPr>',
        links=related("h", "header", "h.xml"),
        extra={**({"word/h.xml": content} if content else {}), **(more or {})},
    )


def header(words):
    return f"<w:hdr {docx_writer.NAMESPACES}>{docx_writer.paragraph(words)}</w:hdr>"


def test_a_named_text_ends_its_comment_in_no_way_not_even_with_characters_that_are_removed():
    told = '<!-- left out: page header "-\\-> x" -->'
    for between in ("\0", "\x1b", "\x7f"):
        assert tidy(left_out_comment("page header", [f"-{between}-> x"])) == told
    assert tidy(markdown(DOCX, docx_header(header("-&#127;-&gt; x")))).startswith(told)
    assert tidy(markdown(RTF, rb"{\rtf1 {\header -\u1?-> x}Body}")).startswith(told)
    assert left_out_comment("page header", ["\1", "\x7f "]) == ""


@pytest.mark.parametrize("end", ["\n", "\r", "\r\x7f", "\v", "\f"])
def test_no_line_of_a_comment_on_a_cell_begins_like_a_remark_or_a_fence(end):
    beside = BesideCells()
    beside.comments = [Comment(f"B2{end}{LINE}", f"Ada{end}```", f"x{end}{LINE}{end}<\x7f!-- y{end}`\x7f``")]
    written = f"Comments:\n\n- B2 {LINE}, Ada ```: x\n  \\{LINE}\n  \\<!-- y\n  \\```"
    assert tidy(beside.markdown()) == written


@pytest.mark.parametrize("end", ["_x000B_", "_x000C_", "&#13;"])
def test_a_cell_stays_in_its_row_whatever_ends_the_lines_of_its_text(end):
    content = sheet_writer.workbook(
        {"S": sheet_writer.sheet(sheet_writer.rows([[f"a{end}&lt;!-- hidden sheet --&gt;"]]))}
    )
    assert tidy(markdown(XLSX, content)) == f"# S\n\n| a<br>{LINE} |\n| --- |"


def test_no_paragraph_fence_or_author_begins_a_line_like_a_remark():
    assert tidy(markdown(DOCX, docx_header(header("x"), body="a&#13;&lt;&#127;!-- hidden sheet --&gt;"))).endswith(
        f"a\n\\{LINE}"
    )
    assert tidy(fenced("`\x7f``\r# x")) == "````\n```\n# x\n````"
    notes = docx_writer.notes("comment", "Yes").replace("Ada", "Ada&#10;&lt;!-- hidden sheet --&gt;")
    noted = docx_writer.document(
        docx_writer.paragraph('<w:r><w:commentReference w:id="1"/></w:r>'), extra={"word/comments.xml": notes}
    )
    assert markdown(DOCX, noted) == f"[^c1]\n\n[^c1]: Comment by Ada {LINE}: Yes"
    slides = PPT.open(ppt([([(0, "One")], None, f"a\r{LINE}")]), None, b"")
    assert f"a\n\\{LINE}" in tidy(slides.markdown(1))


@pytest.mark.parametrize("content, more", [("<w:hdr", {}), ("", {}), (header("x"), {"word/_rels/h.xml.rels": "<x"})])
def test_a_damaged_or_missing_header_of_a_docx_costs_only_itself_and_is_told(content, more):
    assert markdown(DOCX, docx_header(content, more)) == f"{UNREAD}\n\nBody"


def test_hidden_words_of_headers_are_left_out_and_told():
    text = docx_writer.text
    seen = markdown(DOCX, docx_header(header(text("seen") + text(" unseen", "<w:vanish/>"))))
    assert seen == f'<!-- left out: page header "seen" -->\n\nBody\n\n{TOLD_HIDDEN}'
    paragraph = odt_writer.paragraph
    gone = f"<text:tracked-changes>{paragraph('deleted')}</text:tracked-changes>"
    hidden = f'<text:section text:display="none">{paragraph("unseen")}</text:section>'
    styles = (
        f"<office:document-styles {odt_writer.NAMESPACES}><style:master-page><style:header>{gone}{hidden}"
        f"{paragraph('seen')}</style:header></style:master-page></office:document-styles>"
    )
    body = f"<office:body><office:text>{paragraph('Body')}</office:text></office:body>"
    content = f"<office:document-content {odt_writer.NAMESPACES}>{body}</office:document-content>"
    assert markdown(ODT, packed({"content.xml": content, "styles.xml": styles})) == seen


def test_headers_of_a_doc_that_cannot_be_found_are_told():
    content = doc([([("Body", b"")], "\r", 0, b"")], headers={1: "ACME"})
    places = struct.pack("<14L", *[0] * 8, *[5] * 5, 7)
    assert places in content
    assert markdown(DOC, content.replace(places, struct.pack("<14L", *[0] * 7, 9, *[5] * 5, 7))) == f"{UNREAD}\n\nBody"


def sheet_beside(targets, parts, people=""):
    links = "".join(f'<Relationship Id="{kind}" Type="x/{kind}" Target="../{kind}.xml"/>' for kind in targets)
    return sheet_writer.workbook(
        {"S": SHEET},
        {
            "xl/worksheets/_rels/sheet1.xml.rels": f"{sheet_writer.RELATIONS}{links}</Relationships>",
            "xl/_rels/workbook.xml.rels": f'{sheet_writer.RELATIONS}<Relationship Id="r1" Type="{sheet_writer.R}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="p" Type="x/person" Target="people.xml"/></Relationships>',
            **{f"xl/{name}.xml": part for name, part in {"people": people, **parts}.items() if part},
        },
    )


THREAD = (
    '<ThreadedComments><threadedComment ref="B2" personId="1"><text>Asked</text></threadedComment></ThreadedComments>'
)


@pytest.mark.parametrize(
    "targets, parts, people",
    [
        (("comments", "threadedComment"), {"comments": COMMENTS, "threadedComment": "<x"}, ""),
        (("comments", "drawing"), {"comments": COMMENTS}, ""),
        (("comments", "threadedComment"), {"comments": COMMENTS, "threadedComment": THREAD}, "<x"),
    ],
)
def test_a_damaged_or_missing_part_beside_a_sheet_costs_only_itself_and_is_told(targets, parts, people):
    told = markdown(XLSX, sheet_beside(targets, parts, people))
    assert told.startswith(f"# S\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n{COMMENTED}")
    assert told.endswith(UNREAD_BESIDE)


def test_a_stand_in_for_no_thread_is_shown_and_an_impossible_number_of_an_author_is_none():
    comments = COMMENTS.replace(">Ada<", ">tc={1}<").replace('ref="D9"', f'ref="D9" authorId="{"9" * 5000}"')
    parts = {"comments": comments, "threadedComment": "<ThreadedComments/>"}
    told = markdown(XLSX, sheet_beside(("comments", "threadedComment"), parts))
    assert told.endswith("- B2, tc={1}: Ada:\n  Is that\n  so?\n- D9: Far away")


def slides_on_a_layout(layout, count=2, shown="Slide"):
    shape, paragraph = pptx_writer.shape, pptx_writer.paragraph
    links = [("layout", "slideLayout", "../l.xml", False)]
    return pptx_writer.presentation(
        [pptx_writer.slide(shape(paragraph(f"{shown} {n}"))) for n in range(count)],
        links=dict.fromkeys(range(1, count + 1), links),
        extra={"ppt/l.xml": layout},
    )


def test_a_damaged_layout_costs_no_slide_and_is_told_once():
    opened = PPTX.open(slides_on_a_layout("<x"), None, b"")
    assert [opened.markdown(n) for n in (1, 2)] == [f"Slide 0\n\n{UNREAD_LAYOUT}", "Slide 1"]


@pytest.mark.slow
def test_a_slide_is_compared_with_the_many_texts_of_the_one_before_at_once():
    shapes = "".join(pptx_writer.shape(pptx_writer.paragraph(f"T{n}")) for n in range(20_000))
    layout = f"<p:sldLayout {pptx_writer.NAMESPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sldLayout>"
    opened = PPTX.open(slides_on_a_layout(layout, 4), None, b"")
    opened.markdown(1)
    begun = process_time()
    assert [opened.markdown(n) for n in (2, 3, 4)] == ["Slide 1", "Slide 2", "Slide 3"]
    assert process_time() - begun < 5


def test_slides_read_one_after_the_other_have_the_bounds_of_each_alone(monkeypatch):
    content = ppt([([(0, "One")], None, "")])
    monkeypatch.setattr("readwell.documents.ppt.MAX_RECORDS", 200)
    opened = PPT.open(content, None, b"")
    assert {opened.markdown(1) for _ in range(200)} == {"# One"}


def test_each_of_many_headers_of_a_doc_is_found_among_many_pieces_of_text():
    file = WordFile(doc([([("Body", b"")], "\r", 0, b"")]))
    count = 20_000
    file._pieces = [Piece(number, 0x400, 2, text="x") for number in range(count)]
    file._starts = list(range(count))
    begun = process_time()
    assert all(len(list(file.runs(number, number + 2))) == 2 for number in range(count - 1))
    assert process_time() - begun < 5


def test_the_cells_of_an_old_workbook_are_passed_over_without_memory_for_each():
    cells = biff(0x27E, bytes(10)) * 200_000
    tracemalloc.start()
    try:
        matched = CELLS.match(cells)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert matched is not None
    assert matched.end() == len(cells)
    assert peak < 1 << 20
