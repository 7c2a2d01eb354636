"""Generates a report as PDF, DOCX, PPTX, XLSX and EPUB, with known words, headings and cells."""

import random
import sys
from pathlib import Path
from typing import NamedTuple

from scores import Grid, Truth, words_of

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from corpus import docx_writer, sheet_writer
from corpus.packing import packed
from corpus.pdf_writer import Page, pdf

SECTIONS = 12
NOUNS = "harbour lantern keeper island ledger winter signal tower barrel anchor meadow quarry saddle timber".split()
VERBS = "carries repairs measures watches lowers counts trades mends orders paints".split()
HEAD = ["Light", "Height", "Range", "Oil"]
OFFICE = "http://schemas.openxmlformats.org/"
PARTS = "application/vnd.openxmlformats-officedocument."
RELATIONS = f"{OFFICE}officeDocument/2006/relationships"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


class Section(NamedTuple):
    """A heading with the text, list and table below it."""

    heading: str
    paragraph: str
    items: list[str]
    table: Grid


def sections(rng: random.Random | None = None) -> list[Section]:
    rng = rng or random.Random(8)
    return [_section(number, rng) for number in range(1, SECTIONS + 1)]


def _section(number: int, rng: random.Random) -> Section:
    def sentence() -> str:
        words = [rng.choice(NOUNS), rng.choice(VERBS), "the", rng.choice(NOUNS), "of the", rng.choice(NOUNS)]
        return f"The {' '.join(words)}."

    rows = [[f"{rng.choice(NOUNS)} {row}", *(str(rng.randint(10, 999)) for _ in HEAD[1:])] for row in range(4)]
    heading = f"Station {chr(64 + number)} and its {NOUNS[number]}"
    return Section(heading, " ".join(sentence() for _ in range(6)), [sentence() for _ in range(3)], [HEAD, *rows])


def truth(shown: list[Section], prose: bool = True) -> Truth:
    """Returns the expected content of a report; a workbook has no prose."""
    words: list[str] = []
    for section in shown:
        parts = [section.paragraph, *section.items] if prose else []
        words += words_of(" ".join([section.heading, *parts, *(cell for row in section.table for cell in row)]))
    return Truth(words, [section.heading for section in shown], [section.table for section in shown])


def write_reports(folder: Path) -> dict[Path, Truth]:
    """Writes the report in every format and returns the expected content of each."""
    shown = sections()
    makers = {"pdf": made_pdf, "docx": made_docx, "pptx": made_pptx, "xlsx": made_xlsx, "epub": made_epub}
    found: dict[Path, Truth] = {}
    for kind, make in makers.items():
        path = folder / f"report.{kind}"
        path.write_bytes(make(shown))
        found[path] = truth(shown, prose=kind != "xlsx")
    return found


def made_pdf(shown: list[Section]) -> bytes:
    """One section per page: a large heading, wrapped prose, bullets, a ruled table."""
    return pdf(*map(_page, shown))


def _page(section: Section) -> Page:
    page = Page().text(72, 720, section.heading, 16, "Helvetica-Bold")
    y = 690
    for line in _wrapped(section.paragraph, 85):
        y = _printed(page, y, line)
    y -= 10
    for item in section.items:
        y = _printed(page, y, f"\u2022 {item}")
    xs, ys = [72, 192, 272, 352, 432], [y - 10 - 20 * row for row in range(len(section.table) + 1)]
    page.grid(xs, ys)
    for row, top in zip(section.table, ys, strict=False):
        for x, cell in zip(xs, row, strict=False):
            page.text(x + 6, top - 14, cell, 10, "Times-Roman")
    return page


def _printed(page: Page, y: int, line: str) -> int:
    page.text(72, y, line, 10, "Times-Roman")
    return y - 13


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def made_docx(shown: list[Section]) -> bytes:
    body = ""
    for section in shown:
        body += docx_writer.paragraph(section.heading, "Heading1") + docx_writer.paragraph(section.paragraph)
        body += "".join(docx_writer.item(item, 0, 1) for item in section.items)
        body += docx_writer.table(*([docx_writer.cell(cell) for cell in row] for row in section.table))
    main = "wordprocessingml.document.main+xml"
    return docx_writer.document(body, extra={"[Content_Types].xml": _types({"/word/document.xml": main})})


def made_xlsx(shown: list[Section]) -> bytes:
    numbered = [
        [row if at == 0 else [row[0], *map(int, row[1:])] for at, row in enumerate(each.table)] for each in shown
    ]
    sheets = {
        each.heading[:31]: sheet_writer.sheet(sheet_writer.rows(rows))
        for each, rows in zip(shown, numbered, strict=True)
    }
    types = {f"/xl/worksheets/sheet{number}.xml": "spreadsheetml.worksheet+xml" for number in range(1, len(shown) + 1)}
    types["/xl/workbook.xml"] = "spreadsheetml.sheet.main+xml"
    plain = "<fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders>"
    styles = f'{XML}<styleSheet xmlns="{sheet_writer.S}">{plain}<cellXfs><xf/></cellXfs></styleSheet>'
    types["/xl/styles.xml"] = "spreadsheetml.styles+xml"
    return sheet_writer.workbook(sheets, {"[Content_Types].xml": _types(types), "xl/styles.xml": styles})


def _types(parts: dict[str, str]) -> str:
    listed = "".join(f'<Override PartName="{name}" ContentType="{PARTS}{kind}"/>' for name, kind in parts.items())
    usual = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    other = '<Default Extension="xml" ContentType="application/xml"/>'
    return f'{XML}<Types xmlns="{OFFICE}package/2006/content-types">{usual}{other}{listed}</Types>'


def made_epub(shown: list[Section]) -> bytes:
    """One chapter per section."""
    listing = '<rootfiles><rootfile full-path="book.opf"/></rootfiles>'
    container = f'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">{listing}</container>'
    numbers = range(1, len(shown) + 1)
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in numbers)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    package = f'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>{items}</manifest><spine>{spine}</spine></package>'
    chapters = {f"c{number}.xhtml": _chapter(section) for number, section in zip(numbers, shown, strict=True)}
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": package}
    return packed(parts | chapters, stored=("mimetype",))


def _chapter(section: Section) -> str:
    items = "".join(f"<li>{item}</li>" for item in section.items)
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in section.table)
    body = f"<h1>{section.heading}</h1><p>{section.paragraph}</p><ul>{items}</ul><table>{rows}</table>"
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'


def made_pptx(shown: list[Section]) -> bytes:
    """One slide per section, with a layout and a master, which other libraries require."""
    slides = [f"slides/slide{number}.xml" for number in range(1, len(shown) + 1)]
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in range(1, len(shown) + 1))
    types = {f"/ppt/{name}": "presentationml.slide+xml" for name in slides}
    types |= {"/ppt/presentation.xml": "presentationml.presentation.main+xml"}
    types |= {"/ppt/layout.xml": "presentationml.slideLayout+xml", "/ppt/master.xml": "presentationml.slideMaster+xml"}
    main = {
        "[Content_Types].xml": _types(types),
        "_rels/.rels": _related(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": _of_slides("presentation", f"<p:sldIdLst>{listed}</p:sldIdLst>"),
        "ppt/_rels/presentation.xml.rels": _related(*(("slide", name) for name in slides)),
        "ppt/layout.xml": _of_slides("sldLayout", "<p:cSld><p:spTree/></p:cSld>"),
        "ppt/_rels/layout.xml.rels": _related(("slideMaster", "master.xml")),
        "ppt/master.xml": _of_slides("sldMaster", "<p:cSld><p:spTree/></p:cSld>"),
    }
    drawn = {f"ppt/{name}": _slide(section) for name, section in zip(slides, shown, strict=True)}
    layouts = {f"ppt/slides/_rels/{name[7:]}.rels": _related(("slideLayout", "../layout.xml")) for name in slides}
    return packed(main | drawn | layouts)


def _related(*targets: tuple[str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="r{number}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'{XML}<Relationships xmlns="{OFFICE}package/2006/relationships">{listed}</Relationships>'


def _of_slides(kind: str, content: str) -> str:
    names = f'xmlns:p="{OFFICE}presentationml/2006/main" xmlns:a="{OFFICE}drawingml/2006/main" xmlns:r="{RELATIONS}"'
    return f"{XML}<p:{kind} {names}>{content}</p:{kind}>"


def _slide(section: Section) -> str:
    title = _shape(2, 'type="title"', 0, [section.heading])
    text = _shape(3, 'type="body" idx="1"', 1_000_000, [section.paragraph, *section.items])
    frame = '<p:xfrm><a:off x="0" y="3000000"/><a:ext cx="9000000" cy="900000"/></p:xfrm>'
    names = '<p:nvGraphicFramePr><p:cNvPr id="4" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
    rows = "".join('<a:tr h="9">' + "".join(map(_cell, row)) + "</a:tr>" for row in section.table)
    grid = "<a:tblGrid>" + '<a:gridCol w="9"/>' * len(HEAD) + "</a:tblGrid>"
    data = f'<a:graphicData uri="{OFFICE}drawingml/2006/table"><a:tbl>{grid}{rows}</a:tbl></a:graphicData>'
    table = f"<p:graphicFrame>{names}{frame}<a:graphic>{data}</a:graphic></p:graphicFrame>"
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    return _of_slides("sld", f"<p:cSld><p:spTree>{group}{title}{text}{table}</p:spTree></p:cSld>")


def _cell(text: str) -> str:
    return f"<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"


def _shape(number: int, kind: str, top: int, paragraphs: list[str]) -> str:
    names = f'<p:cNvPr id="{number}" name="Shape {number}"/><p:cNvSpPr/><p:nvPr><p:ph {kind}/></p:nvPr>'
    place = f'<a:xfrm><a:off x="0" y="{top}"/><a:ext cx="9000000" cy="900000"/></a:xfrm>'
    text = "".join(f"<a:p><a:r><a:t>{words}</a:t></a:r></a:p>" for words in paragraphs)
    shape = f"<p:nvSpPr>{names}</p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{text}</p:txBody>"
    return f"<p:sp>{shape}</p:sp>"
