"""ODT files with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

from corpus.packing import packed

OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = (
    " ".join(f'xmlns:{name}="{OASIS}{name}:1.0"' for name in ("office", "text", "table", "style", "manifest"))
    + f' xmlns:draw="{OASIS}drawing:1.0" xmlns:fo="{OASIS}xsl-fo-compatible:1.0" xmlns:svg="{OASIS}svg-compatible:1.0"'
    + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
STYLES = """
<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="BI" style:parent-style-name="B"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="Sup"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>
<style:style style:name="P9" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="Round1" style:parent-style-name="Round2"/><style:style style:name="Round2" style:parent-style-name="Round1"/>
<text:list-style style:name="Dots"><text:list-level-style-bullet text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>
<text:list-style style:name="Numbers">
  <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
  <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>
</text:list-style>
"""
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def paragraph(content, style="Standard"):
    return f'<text:p text:style-name="{style}">{content}</text:p>'


def span(words, style):
    return f'<text:span text:style-name="{style}">{words}</text:span>'


def items(*contents):
    return "".join(f"<text:list-item>{content}</text:list-item>" for content in contents)


def document(body, head=HEAD, manifest=""):
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": f"<manifest:manifest {NAMESPACES}>{manifest}</manifest:manifest>",
            "content.xml": f"{head}<office:document-content {NAMESPACES}><office:automatic-styles>{STYLES}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>",
        },
        stored=("mimetype",),
    )


def report():
    note = '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body>{}</text:note-body></text:note>'
    comment = f"<office:annotation><dc:creator>Ada</dc:creator>{paragraph('Sure?')}</office:annotation>"
    return document(
        paragraph("The Title", "Title")
        + '<text:h text:outline-level="2">A heading</text:h>'
        + paragraph("plain " + span("bold ", "B") + span("both", "BI") + " x" + span("2", "Sup") + span("hidden", "Gone"))
        + paragraph("two<text:s text:c='3'/>spaces<text:line-break/>next line<text:tab/>tab")
        + paragraph('<text:a xlink:href="https://example.org/">a site</text:a> and <text:a xlink:href="#here">here</text:a>')
        + paragraph("noted" + note.format("footnote", paragraph("At the foot.")) + note.format("endnote", paragraph("At the end.")) + comment)
        + paragraph("x = 1", "P9")
        + paragraph("<text:s text:c='4'/>y = 2", "P9")
        + paragraph("So it is said.", "Quotations")
        + paragraph("round", "Round1")
        + paragraph('<draw:frame draw:name="Frame"><draw:image xlink:href="http://127.0.0.1:9/a.png"/><svg:desc>A duck</svg:desc></draw:frame>')
        + paragraph(f"<draw:frame><draw:text-box>{paragraph('in the box')}</draw:text-box></draw:frame>beside")
        + f"<text:tracked-changes><text:changed-region>{paragraph('deleted')}</text:changed-region></text:tracked-changes>"
        + f"<text:section>{paragraph('in a section')}</text:section>"
    )  # fmt: skip


def lists():
    inner = f"<text:list>{items(paragraph('deep'), paragraph('deeper'))}</text:list>"
    return document(
        f'<text:list text:style-name="Dots">{items(paragraph("a"), paragraph("b") + inner, "")}</text:list>'
        + paragraph("between")
        + f'<text:list text:style-name="Numbers">{items(paragraph("one"), paragraph("two") + inner)}</text:list>'
        + paragraph("interrupted")
        + f'<text:list text:style-name="Numbers" text:continue-numbering="true">{items(paragraph("three"))}</text:list>'
        + f'<text:list text:style-name="Numbers"><text:list-item text:start-value="9">{paragraph("nine")}</text:list-item></text:list>'
    )


def tables():
    def cell(words, more=""):
        return f"<table:table-cell {more}>{paragraph(words)}</table:table-cell>"

    covered = "<table:covered-table-cell/>"
    return document(
        "<table:table>"
        f"<table:table-header-rows><table:table-row>{cell('Name')}{cell('Size')}{cell('More')}</table:table-row></table:table-header-rows>"
        f"<table:table-row>{cell('a|b')}{cell('wide', 'table:number-columns-spanned=' + chr(34) + '2' + chr(34))}{covered}</table:table-row>"
        f"<table:table-row table:number-rows-repeated='2'>{cell('again')}{cell('x', 'table:number-columns-repeated=' + chr(34) + '2' + chr(34))}</table:table-row>"
        "<table:table-row table:number-rows-repeated='1048000'><table:table-cell table:number-columns-repeated='16384'/></table:table-row>"
        "</table:table>"
    )


def repeated():
    return document(
        f"<table:table><table:table-row table:number-rows-repeated='99999999'><table:table-cell>{paragraph('x')}</table:table-cell></table:table-row></table:table>"
    )


def outline():
    """Headings with numbers: those of the outline, and one of a list."""
    levels = "".join(
        f'<text:outline-level-style text:level="{level}" style:num-format="1" style:num-suffix="." text:display-levels="{level}"/>'
        for level in (1, 2)
    )
    headings = [(1, "One"), (2, "Sub"), (2, "Sub again"), (3, "Without"), (1, "Two"), (2, "Sub of two"), (1, "")]
    body = "".join(f'<text:h text:outline-level="{level}">{words}</text:h>' for level, words in headings)
    heading = '<text:h text:outline-level="1">Listed</text:h>'
    listed = f'<text:list text:style-name="Numbers">{items(heading)}</text:list>'
    return document(f"<text:outline-style>{levels}</text:outline-style>{body}{listed}")


GOOD = [("report.odt", report), ("lists.odt", lists), ("tables.odt", tables), ("outline.odt", outline)]
BAD = [
    ("repeated.odt", repeated),
    ("locked.odt", lambda: document("", manifest="<manifest:encryption-data/>")),
    ("entity.odt", lambda: document(paragraph("&x;"), HEAD + '<!DOCTYPE x [<!ENTITY x "y">]>')),
    ("no_content.odt", lambda: packed({"mimetype": "application/vnd.oasis.opendocument.text"})),
    ("no_text.odt", lambda: packed({"content.xml": f"<office:document-content {NAMESPACES}/>"})),
    ("deep.odt", lambda: document("<text:section>" * 300 + "</text:section>" * 300)),
]
FILES = GOOD + BAD
