"""Reads the content of office documents directly from their XML, so that converters can be scored on real files."""

import posixpath
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

from scores import Grid, Truth, words_of

HEADING_STYLE = re.compile(r"heading \d|title", re.I)
UNSEEN = ("del", "moveFrom", "Fallback", "instrText", "sdtPr", "script", "style", "head", "title")
BREAKS = ("p", "br", "tab", "tc", "td", "th", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "div")
HTML_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PLACE = re.compile(r"([A-Z]+)(\d+)")


def truth_of(path: Path) -> Truth:
    """Returns the content of a DOCX, PPTX, XLSX or EPUB; numbers of a sheet as they are stored."""
    with ZipFile(path) as container:
        return READERS[path.suffix](container)


def name_of(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Element, name: str) -> str:
    return next((found for key, found in element.attrib.items() if key.rpartition("}")[2] == name), "")


def below(element: Element, *names: str) -> Iterator[Element]:
    """Yields the outermost visible elements with the given names, in document order."""
    for child in element:
        if name_of(child) in names:
            yield child
        elif name_of(child) not in UNSEEN:
            yield from below(child, *names)


def text_of(element: Element) -> str:
    return "".join(_pieces(element)).strip()


def _pieces(element: Element) -> Iterator[str]:
    yield " " if name_of(element) in BREAKS else ""
    yield element.text or "" if _holds_text(element) else ""
    for child in element:
        if name_of(child) not in UNSEEN:
            yield from _pieces(child)
        yield child.tail or "" if _holds_text(element) else ""
    yield " " if name_of(element) in BREAKS else ""


def _holds_text(element: Element) -> bool:
    return name_of(element) == "t" or "xhtml" in element.tag


def grids(root: Element, table: str, row: str, cells: tuple[str, ...]) -> list[Grid]:
    found = [list(below(each, row)) for each in below(root, table)]
    return [[_row(line, cells) for line in lines] for lines in found if lines]


def _row(line: Element, cells: tuple[str, ...]) -> list[str]:
    """Returns the cells of a row, with blanks where one spans columns."""
    row: list[str] = []
    for cell in below(line, *cells):
        spans = [value(span, "val") for part in cell if name_of(part) == "tcPr" for span in below(part, "gridSpan")]
        row += [text_of(cell), *[""] * (int(spans[0]) - 1 if spans else 0)]
    return row


def _of_docx(container: ZipFile) -> Truth:
    body = fromstring(container.read("word/document.xml"))
    styles = fromstring(container.read("word/styles.xml")) if "word/styles.xml" in container.namelist() else body
    named = {
        value(style, "styleId"): value(next(below(style, "name"), style), "val") for style in below(styles, "style")
    }
    headings = [text_of(each) for each in below(body, "p") if HEADING_STYLE.match(named.get(_style(each), ""))]
    words = words_of(text_of(body))
    for part in ("footnotes", "endnotes", "comments"):
        words += words_of(_text_of_part(container, f"word/{part}.xml"))
    return Truth(words, list(filter(None, headings)), grids(body, "tbl", "tr", ("tc",)))


def _style(paragraph: Element) -> str:
    return next((value(style, "val") for style in below(paragraph, "pStyle")), "")


def _text_of_part(container: ZipFile, part: str) -> str:
    return text_of(fromstring(container.read(part))) if part in container.namelist() else ""


def _related(container: ZipFile, part: str) -> dict[str, str]:
    folder, name = posixpath.split(part)
    listing = f"{folder}/_rels/{name}.rels"
    if listing not in container.namelist():
        return {}
    relations = fromstring(container.read(listing))
    return {
        value(each, "Id"): posixpath.normpath(posixpath.join("/", folder, value(each, "Target"))).lstrip("/")
        for each in relations
    }


def _of_pptx(container: ZipFile) -> Truth:
    """Reads the slides in the order of the show, the shapes in that of the file, the title first."""
    listed = fromstring(container.read("ppt/presentation.xml"))
    related = _related(container, "ppt/presentation.xml")
    truth = Truth([], [], [])
    for listed_slide in listed.iter():
        if name_of(listed_slide) == "sldId":
            part = related[next(found for key, found in listed_slide.attrib.items() if key.endswith("}id"))]
            _add_slide(container, part, truth)
    return truth


def _add_slide(container: ZipFile, part: str, truth: Truth) -> None:
    slide = fromstring(container.read(part))
    shapes = sorted(below(slide, "sp", "graphicFrame"), key=lambda shape: not _kind(shape).lower().endswith("title"))
    for shape in shapes:
        if _kind(shape) not in ("sldNum", "dt", "ftr"):
            truth.words.extend(words_of(text_of(shape)))
        if _kind(shape) in ("title", "ctrTitle") and text_of(shape):
            truth.headings.append(text_of(shape))
    truth.tables.extend(grids(slide, "tbl", "tr", ("tc",)))
    for target in sorted(_related(container, part).values()):
        if "charts/" in target:
            _add_chart(fromstring(container.read(target)), truth)
        if "notesSlide" in target:
            notes = fromstring(container.read(target))
            bodies = [shape for shape in below(notes, "sp") if _kind(shape) == "body"]
            truth.words.extend(word for shape in bodies for word in words_of(text_of(shape)))
        if "comments/" in target:
            truth.words.extend(words_of(_text_of_comments(fromstring(container.read(target)))))


def _add_table(grid: Grid, truth: Truth) -> None:
    truth.tables.append(grid)
    truth.words.extend(word for row in grid for cell in row for word in words_of(cell))


def _add_chart(chart: Element, truth: Truth) -> None:
    """Adds a chart's own title and its table."""
    truth.words.extend(words_of(" ".join(text_of(each) for each in islice(below(chart, "title"), 1))))
    _add_table(_chart(chart), truth)


def _chart(chart: Element) -> Grid:
    """Returns a chart as a table: a column for each series, a row for each category."""
    series = list(below(chart, "ser"))
    columns = [[_values(each, name) for name in ("tx", "cat", "val")] for each in series]
    categories = columns[0][1] if columns else []
    rows = [[category, *(column[2][at] for column in columns)] for at, category in enumerate(categories)]
    return [["", *(" ".join(column[0]) for column in columns)], *rows]


def _values(series: Element, name: str) -> list[str]:
    return [found.text or "" for part in below(series, name) for found in below(part, "v")]


def _text_of_comments(comments: Element) -> str:
    """Returns the texts of comments, of the old and of the new kind."""
    return " ".join(found.text or "" for found in comments.iter() if name_of(found) in ("text", "t"))


def _kind(shape: Element) -> str:
    return next((value(found, "type") for found in shape.iter() if name_of(found) == "ph"), "")


def _of_xlsx(container: ZipFile) -> Truth:
    strings = (
        [text_of(each) for each in fromstring(container.read("xl/sharedStrings.xml"))]
        if "xl/sharedStrings.xml" in container.namelist()
        else []
    )
    related = _related(container, "xl/workbook.xml")
    truth = Truth([], [], [])
    for sheet in below(fromstring(container.read("xl/workbook.xml")), "sheet"):
        part = related[next(found for key, found in sheet.attrib.items() if key.endswith("}id"))]
        truth.headings.append(value(sheet, "name"))
        truth.words.extend(words_of(value(sheet, "name")))
        if grid := _sheet(fromstring(container.read(part)), strings):
            _add_table(grid, truth)
        elif chart := _chart_of(container, part):
            _add_chart(fromstring(container.read(chart)), truth)
    return truth


def _chart_of(container: ZipFile, part: str) -> str:
    """Returns the part with the chart of a sheet without cells."""
    drawings = [drawing for drawing in _related(container, part).values() if "drawings/" in drawing]
    charts = [chart for drawing in drawings for chart in _related(container, drawing).values() if "charts/" in chart]
    return charts[0] if charts else ""


def _sheet(sheet: Element, strings: list[str]) -> Grid:
    cells: dict[tuple[int, int], str] = {}
    for cell in below(sheet, "c"):
        place = PLACE.fullmatch(value(cell, "r"))
        if place and (shown := _cell(cell, strings)):
            cells[int(place[2]), _column(place[1])] = shown
    if not cells:
        return []
    numbers = [column for _, column in cells]
    columns = range(min(numbers), max(numbers) + 1)
    return [[cells.get((row, column), "") for column in columns] for row in sorted({row for row, _ in cells})]


def _cell(cell: Element, strings: list[str]) -> str:
    if value(cell, "t") == "inlineStr":
        return text_of(cell)
    stored = next((found.text or "" for found in below(cell, "v")), "")
    return strings[int(stored)] if value(cell, "t") == "s" and stored else stored


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _of_epub(container: ZipFile) -> Truth:
    listing = fromstring(container.read("META-INF/container.xml"))
    package = next(value(each, "full-path") for each in below(listing, "rootfile"))
    root = fromstring(container.read(package))
    items = {value(item, "id"): value(item, "href") for item in below(root, "item")}
    truth = Truth([], [], [])
    for reference in below(root, "itemref"):
        part = posixpath.join(posixpath.dirname(package), items[value(reference, "idref")])
        page = fromstring(container.read(part))
        truth.words.extend(words_of(text_of(page)))
        truth.headings.extend(map(text_of, below(page, *HTML_HEADINGS)))
        truth.tables.extend(grids(page, "table", "tr", ("td", "th")))
    return truth


READERS = {".docx": _of_docx, ".pptx": _of_pptx, ".xlsx": _of_xlsx, ".epub": _of_epub}
