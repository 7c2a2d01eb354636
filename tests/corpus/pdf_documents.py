"""PDFs with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

import hashlib
import zlib

from corpus.pdf_writer import Heading, Page, Writer, pdf, put_page

PROSE = (
    "The harbour was quiet in the early morning, and the boats lay close together.",
    "Nobody had told the keeper that the light would be changed before the winter.",
    "He went up the narrow stairs as he had done for thirty years and more.",
    "From the gallery one could see the islands, and behind them the open water.",
    "What he found there he wrote down in the book that every keeper has to write.",
    "The entries of the first years are short, for there was little time to write.",
)
PASSWORD = "lantern"


def prose(page, y, count=6, first=0):
    """Prints lines of ordinary text downwards and returns where the next would stand."""
    for number in range(first, first + count):
        page.text(72, y, PROSE[number % len(PROSE)], 10, "Times-Roman")
        y -= 12
    return y


def headings():
    """Four pages: a title, sections by size, sub-sections by weight, running heads, page numbers, a caption, labels."""
    pages = []
    for number in range(1, 5):
        page = Page().text(72, 760, "The Keeper's Book", 8).text(300, 30, f"{number}", 8)
        y = 720
        if number == 1:
            page.text(72, y, "On Lights and Keepers", 22, "Helvetica-Bold")
            y -= 50
        page.text(72, y, f"{number} Section {'first second third fourth'.split()[number - 1]}", 15, "Helvetica-Bold")
        y = prose(page, y - 24, first=number) - 12
        page.text(72, y, f"Evening of day {'one two three four'.split()[number - 1]}", 10, "Times-Bold")
        y = prose(page, y - 14) - 12
        page.text(72, y, f"Figure {number}: the lamp", 10, "Times-Bold")
        y = prose(page, y - 14) - 12
        page.text(72, y, f"Definition {number}", 10, "Times-Bold").text(
            140, y, "is what is meant here.", 10, "Times-Roman"
        )
        prose(page, y - 14)
        pages.append(page)
    return pdf(*pages)


def outline():
    """Two pages whose headings look like text: only the outline names them, one over two printed lines."""
    first, second = Page(), Page()
    y = prose(first.text(72, 740, "Beginnings", 10, "Times-Roman"), 726)
    first.text(72, y, "Of the weather in the", 10, "Times-Roman").text(72, y - 12, "northern waters", 10, "Times-Roman")
    prose(first, y - 24)
    prose(second.text(72, 740, "Chapter 2 Returning home", 10, "Times-Roman"), 726)
    entries = [
        Heading("Beginnings", 0, Heading("Of the weather in the northern waters", 0)),
        Heading("Returning home", 1),
    ]
    return pdf(first, second, outline=entries)


def tagged():
    """A page whose structure tree names one heading; a larger line is none."""
    page = Page().raw("/H2 << /MCID 0 >> BDC").text(72, 740, "Named by its tag", 10, "Times-Roman").raw("EMC")
    page.raw("/P << /MCID 1 >> BDC").text(72, 700, "Large and yet no heading", 20, "Times-Roman")
    prose(page, 680, 5)
    return _tagged(page.raw("EMC"), ["H2", "P"])


def _tagged(page, kinds, loop=False):
    writer = Writer()
    tree, at, root, parents = (writer.reserve() for _ in range(4))
    put_page(writer, page, at, tree, [at], {})
    writer.put(writer.objects[at - 1][:-2] + b"/StructParents 0 >>", at)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    elements = [
        writer.put(
            f"<< /Type /StructElem /S /{kind} /P {root} 0 R /Pg {at} 0 R /K {root if loop else mark} {'0 R' if loop else ''} >>"
        )
        for mark, kind in enumerate(kinds)
    ]
    listed = " ".join(f"{element} 0 R" for element in elements)
    writer.put(f"<< /Type /StructTreeRoot /K [{listed}] /ParentTree {parents} 0 R >>", root)
    writer.put(f"<< /Nums [0 [{listed}]] >>", parents)
    marked = f"/MarkInfo << /Marked true >> /StructTreeRoot {root} 0 R"
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R {marked} >>"))


def lists():
    """Bullets of several kinds, one as a line of its own, numbers, and an asterisk that marks a footnote."""
    page = Page()
    y = prose(page, 740, 3)
    for mark, text in (
        ("\u2022", "Oil for the lamp"),
        ("\u2013", "Bread and salt"),
        ("1.", "Climb up"),
        ("2.", "Look out"),
    ):
        page.text(72, y, f"{mark} {text}", 10, "Times-Roman")
        y -= 12
    y = prose(page, y, 3)
    page.text(72, y, "* Seen from the east.", 10, "Times-Roman")
    return pdf(page)


def tables():
    """A ruled table and, on the next page, one that is held together by white alone."""
    rows = [["Light", "Height", "Range"], ["North", "31", "18"], ["East", "24", "15"], ["South", "40", "22"]]
    ruled, unruled = Page(), Page()
    xs, ys = [72, 192, 272, 352], [700, 680, 660, 640, 620]
    prose(ruled.grid(xs, ys), 760, 3)
    for row, y in zip(rows, ys, strict=False):
        for x, cell in zip(xs, row, strict=False):
            ruled.text(x + 6, y - 14, cell, 10, "Times-Roman")
    prose(ruled, 590, 3)
    prose(unruled, 760, 3)
    for row, y in zip(rows, ys, strict=False):
        for x, cell in zip(xs, row, strict=False):
            unruled.text(x + 6, y - 14, cell, 10, "Times-Roman")
    prose(unruled, 590, 3)
    return pdf(ruled, unruled)


def footnotes():
    """Text with a raised mark, and its footnote in smaller print below a rule."""
    page = Page()
    y = prose(page, 740)
    page.text(72, y, "The lamp burns colza", 10, "Times-Roman").text(158, y + 4, "1", 6, "Times-Roman")
    page.line(72, 120, 200, 120).text(72, 108, "1 An oil pressed from seeds.", 8, "Times-Roman")
    return pdf(page)


def columns():
    """Two columns, the left one drawn first."""
    page = Page()
    for number in range(20):
        page.text(72, 740 - 12 * number, f"Left column, line {number + 1} of twenty", 10, "Times-Roman")
    for number in range(20):
        page.text(330, 740 - 12 * number, f"Right column, line {number + 1} of twenty", 10, "Times-Roman")
    return pdf(page)


def right_to_left():
    """Hebrew, drawn as it looks: the last letter first."""
    page = Page()
    for number, line in enumerate(("שלום לכל הקוראים", "המגדלור עומד בצפון", "הים שקט היום")):
        page.text(300, 700 - 16 * number, line[::-1], 10, "Unicode")
    return pdf(page)


def scan():
    """Two pages that are images."""
    return _scans(2)


def scan_with_text():
    """A page of text and a page that is an image."""
    page = Page()
    prose(page, 740)
    return _scans(1, page)


def _scans(count, *pages):
    writer = Writer()
    tree = writer.reserve()
    places = [writer.reserve() for _ in pages]
    for at, page in zip(places, pages, strict=True):
        put_page(writer, page, at, tree, places, {})
    kind = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    image = writer.stream(b"\x00\xff\xff\x00", kind)
    content = writer.stream(b"612 0 0 792 0 0 cm /Image Do")
    for _ in range(count):
        resources = f"/Resources << /XObject << /Image {image} 0 R >> >>"
        box = f"/Parent {tree} 0 R /MediaBox [0 0 612 792]"
        places.append(writer.put(f"<< /Type /Page {box} {resources} /Contents {content} 0 R >>"))
    kids = " ".join(f"{at} 0 R" for at in places)
    writer.put(f"<< /Type /Pages /Kids [{kids}] /Count {len(places)} >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def locked():
    """One page behind a password, with the first and weakest of PDF's ciphers."""
    page = Page()
    prose(page, 740)
    writer = Writer()
    tree, at = writer.reserve(), writer.reserve()
    put_page(writer, page, at, tree, [at], {})
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    root = writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>")
    user, identity = (PASSWORD.encode() + PADDING)[:32], b"readwell-readwel"
    owner = rc4(hashlib.md5(user).digest()[:5], user)
    key = hashlib.md5(user + owner + (-4 & 0xFFFFFFFF).to_bytes(4, "little") + identity).digest()[:5]
    for number, content in enumerate(writer.objects, 1):
        head, mark, rest = content.partition(b"stream\n")
        if mark:
            own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
            writer.put(head + mark + rc4(own, rest.removesuffix(b"\nendstream")) + b"\nendstream", number)
    check = rc4(key, PADDING)
    lock = writer.put(f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{check.hex()}> /P -4 >>")
    return writer.written(root, f"/Encrypt {lock} 0 R /ID [<{identity.hex()}> <{identity.hex()}>]")


def rc4(key, content):
    box, other = list(range(256)), 0
    for number in range(256):
        other = (other + box[number] + key[number % len(key)]) % 256
        box[number], box[other] = box[other], box[number]
    out, number, other = bytearray(), 0, 0
    for byte in content:
        number = (number + 1) % 256
        other = (other + box[number]) % 256
        box[number], box[other] = box[other], box[number]
        out.append(byte ^ box[(box[number] + box[other]) % 256])
    return bytes(out)


def damaged():
    """A PDF whose objects are gone."""
    return headings()[:60] + b"\nstartxref\n12\n%%EOF\n"


def damaged_page():
    """Two pages; the second is no page."""
    page = Page()
    prose(page, 740)
    writer = Writer()
    tree, at, missing = (writer.reserve() for _ in range(3))
    put_page(writer, page, at, tree, [at], {})
    writer.put("(not a page)", missing)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R {missing} 0 R] /Count 2 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def bomb():
    """A page whose content is a gigabyte of spaces in a few kilobytes."""
    packer = zlib.compressobj(9)
    piece = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    content = zlib.compress(piece + 1023 * again + packer.flush(), 9)
    writer = Writer()
    tree = writer.reserve()
    filters = "/Filter [/FlateDecode /FlateDecode]"
    stream = b"<< %s /Length %d >>\nstream\n" % (filters.encode(), len(content)) + content + b"\nendstream"
    page = f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 612 792] /Contents {writer.put(stream)} 0 R >>"
    writer.put(f"<< /Type /Pages /Kids [{writer.put(page)} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def recursive():
    """A form that draws itself, beside a line of text."""
    return _drawing_itself(b"/Self Do")


def exploding():
    """A form that draws itself twice: what is drawn doubles with each level, and PDFium does not come back."""
    return _drawing_itself(b"/Self Do /Self Do")


def _drawing_itself(drawn):
    writer = Writer()
    tree, form = writer.reserve(), writer.reserve()
    font = writer.put("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    resources = f"/Resources << /Font << /F {font} 0 R >> /XObject << /Self {form} 0 R >> >>"
    writer.stream(drawn, f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {resources}", form)
    content = writer.stream(b"BT /F 12 Tf 72 700 Td (Still read) Tj ET /Self Do")
    page = writer.put(
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 612 792] {resources} /Contents {content} 0 R >>"
    )
    writer.put(f"<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def rotated():
    """A page that is turned for reading, with text that is turned back."""
    page = Page(rotate=90)
    for number, line in enumerate(PROSE):
        page.text(100 + 12 * number, 72, line, 10, "Times-Roman", angle=1)
    return pdf(page)


def code():
    """A listing with indentation, a gap and an empty line, and one typewritten line that is no listing."""
    page = Page()
    y = prose(page, 740)
    for indent, line in (
        (0, "def light(hours):"),
        (4, "burnt = 3 * hours"),
        (4, "return burnt"),
        (None, ""),
        (0, "```"),
    ):
        if indent is not None:
            page.text(72 + 6 * indent, y, line, 10, "Courier")
        y -= 12
    y = prose(page, y, 3)
    page.text(72, y, "make test", 10, "Courier")
    prose(page, y - 12, 3)
    return pdf(page)


def links():
    """Links to the web, to a mailbox, to a file (not shown), to a page (not shown), and an address printed in full."""
    page = Page()
    y = prose(page, 740, 3)
    for text, target in (
        ("The [old] tables", "https://lights.example/tables?(north) 1"),
        ("write to the keeper", "mailto:keeper@lights.example"),
        ("the log", "file:///etc/passwd"),
        ("run it", "javascript:alert(1\\)"),
        ("see the first page", 0),
        ("https://lights.example/north", "https://lights.example/north"),
    ):
        page.text(72, y, text, 10, "Times-Roman")
        page.link(
            70, y - 3, 300, y + 8, target.replace("(north)", "\\(north\\)") if isinstance(target, str) else target
        )
        y -= 14
    return pdf(page)


def form():
    """A form: a text, a chosen height, a ticked and an open box, an empty field, a typed note."""
    page = (
        Page()
        .text(72, 700, "Name:")
        .text(72, 680, "Height:")
        .text(72, 660, "The lamp is lit")
        .text(72, 640, "It is foggy")
    )
    return _filled_in(page)


def _filled_in(page):
    writer = Writer()
    tree, at = writer.reserve(), writer.reserve()
    put_page(writer, page, at, tree, [at], {})
    tick = writer.stream(b"", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    ticked = f"/AP << /N << /Yes {tick} 0 R >> >>"
    fields = [
        "/FT /Tx /T (keeper) /TU (Name of the keeper) /V (Ada\\nLind)",
        "/FT /Ch /Ff 131072 /T (height) /Opt [(31 m) (40 m)] /V (31 m)",
        f"/FT /Btn /T (lit) /V /Yes /AS /Yes {ticked}",
        f"/FT /Btn /T (foggy) /V /Off /AS /Off {ticked}",
        "/FT /Tx /T (remarks)",
    ]
    places = [
        writer.put(f"<< /Type /Annot /Subtype /Widget /Rect [200 {700 - 20 * k} 300 {716 - 20 * k}] {field} >>")
        for k, field in enumerate(fields)
    ]
    listed = " ".join(f"{place} 0 R" for place in places)
    note = writer.put("<< /Type /Annot /Subtype /FreeText /Rect [72 500 300 520] /Contents (seen on the way) >>")
    writer.put(writer.objects[at - 1][:-2] + f"/Annots [{listed} {note} 0 R] >>".encode(), at)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R /AcroForm << /Fields [{listed}] >> >>"))


def scanned_form():
    """A form without a printed word: all there is to read is what was filled in."""
    return _filled_in(Page())


def misleading():
    """Printed lines that Markdown would take for structure."""
    page = Page()
    y = prose(page, 740, 3)
    lines = (
        "| not a table |",
        "# not a heading",
        "#hash",
        "<!-- page 7 -->",
        "~~~ not a fence",
        "=====",
        "--",
        "- item",
        "a | b",
    )
    for line in lines:
        page.text(72, y, line, 10, "Times-Roman")
        y -= 12
    prose(page, y, 3)
    return pdf(page)


def looped_outline():
    """An outline that comes back to its first entry, below and beside itself."""
    page = Page()
    prose(page.text(72, 760, "Beginnings", 10, "Times-Roman"), 740)
    writer = Writer()
    tree, at, root, first, second = (writer.reserve() for _ in range(5))
    put_page(writer, page, at, tree, [at], {})
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    ends = f"/First {first} 0 R /Last {second} 0 R"
    for place, following in ((first, second), (second, first)):
        entry = f"/Title (Beginnings) /Parent {root} 0 R /Dest [{at} 0 R /Fit] /Next {following} 0 R {ends}"
        writer.put(f"<< {entry} >>", place)
    writer.put(f"<< /Type /Outlines {ends} /Count 2 >>", root)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R /Outlines {root} 0 R >>"))


def looped_tags():
    """A structure tree whose elements hold their own root."""
    page = Page().raw("/H1 << /MCID 0 >> BDC").text(72, 740, "Beginnings", 10, "Times-Roman").raw("EMC")
    prose(page, 720)
    return _tagged(page, ["H1", "H2"], loop=True)


PDFS = [
    ("headings.pdf", headings),
    ("outline.pdf", outline),
    ("tagged.pdf", tagged),
    ("lists.pdf", lists),
    ("tables.pdf", tables),
    ("footnotes.pdf", footnotes),
    ("columns.pdf", columns),
    ("right_to_left.pdf", right_to_left),
    ("scan.pdf", scan),
    ("scan_with_text.pdf", scan_with_text),
    ("locked.pdf", locked),
    ("damaged.pdf", damaged),
    ("damaged_page.pdf", damaged_page),
    ("bomb.pdf", bomb),
    ("recursive.pdf", recursive),
    ("exploding.pdf", exploding),
    ("rotated.pdf", rotated),
    ("code.pdf", code),
    ("links.pdf", links),
    ("form.pdf", form),
    ("scanned_form.pdf", scanned_form),
    ("misleading.pdf", misleading),
    ("looped_outline.pdf", looped_outline),
    ("looped_tags.pdf", looped_tags),
]
