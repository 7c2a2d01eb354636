"""Writes small PDFs for tests: text at a place, lines, boxes, links, an outline. Nothing but the standard library.

Coordinates are PDF's own: points from the lower left corner.
"""

import string
import zlib

LETTER = (0, 0, 612, 792)
WINANSI = "cp1252"


def escaped(text):
    raw = text.encode(WINANSI, "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


def hexed(text):
    return b"<" + text.encode("utf-16-be").hex().encode() + b">"


def number(value):
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0" if isinstance(value, float) else str(value)


def numbers(*values):
    return " ".join(map(number, values))


class Page:
    """What one page shows, in the order in which it is drawn."""

    def __init__(self, box=LETTER, rotate=0, crop=None):
        self.box, self.rotate, self.crop = box, rotate, crop
        self.drawn = []
        self.links = []
        self.forms = []
        self.fonts = set()

    def raw(self, operators):
        """Adds operators of the content stream as they are."""
        self.drawn.append(operators.encode())
        return self

    def text(self, x, y, text, size=10, font="Helvetica", angle=0):
        """Prints text in one of the standard fonts, any text at all in the font "Unicode", or letters that are boxes in
        the font "Drawn"; angle in quarter turns.
        """
        self.fonts.add(font)
        across, up = ((1, 0), (0, 1), (-1, 0), (0, -1))[angle % 4]
        shown = hexed(text) if font == "Unicode" else escaped(text)
        place = numbers(across, up, -up, across, x, y)
        self.drawn.append(f"BT /{font} {number(size)} Tf {place} Tm ".encode() + shown + b" Tj ET")
        return self

    def line(self, x0, y0, x1, y1, width=0.5):
        """Draws a straight line."""
        return self.raw(f"{number(width)} w {numbers(x0, y0)} m {numbers(x1, y1)} l S")

    def fill(self, x, y, width, height, colour=(0, 0, 0)):
        """Draws a filled box."""
        return self.raw(f"{numbers(*colour)} rg {numbers(x, y, width, height)} re f 0 0 0 rg")

    def frame(self, x, y, width, height):
        """Draws the outline of a box."""
        return self.raw(f"{numbers(x, y, width, height)} re S")

    def curve(self, x0, y0, x1, y1, x2, y2, x3, y3):
        """Draws a Bézier curve."""
        return self.raw(f"{numbers(x0, y0)} m {numbers(x1, y1, x2, y2, x3, y3)} c S")

    def form(self, page, matrix=(1, 0, 0, 1, 0, 0)):
        """Draws what another page shows, as a form XObject under a matrix."""
        self.forms.append((page, matrix))
        return self.raw(f"/Form{len(self.forms) - 1} Do")

    def grid(self, xs, ys):
        """Draws a lattice of lines."""
        for y in ys:
            self.line(min(xs), y, max(xs), y)
        for x in xs:
            self.line(x, min(ys), x, max(ys))
        return self

    def link(self, x0, y0, x1, y1, target):
        """Makes an area a link: to an address, or to the page of a number from 0."""
        self.links.append(((x0, y0, x1, y1), target))
        return self


class Heading:
    """An entry of the outline: a title, a page number from 0 or None, its sub-entries; how far up its page, or all of it."""

    def __init__(self, title, page, *children, height=None):
        self.title, self.page, self.children = title, page, children
        self.view = "/Fit" if height is None else f"/XYZ null {height} null"


class Writer:
    """Numbers objects and writes them down."""

    def __init__(self):
        self.objects = []

    def reserve(self):
        self.objects.append(b"null")
        return len(self.objects)

    def put(self, content, at=None):
        at = at or self.reserve()
        self.objects[at - 1] = content.encode() if isinstance(content, str) else content
        return at

    def stream(self, content, entries="", at=None):
        packed = zlib.compress(content)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode()
        return self.put(head + packed + b"\nendstream", at)

    def written(self, root, info=""):
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number_, content in enumerate(self.objects, 1):
            places.append(len(out))
            out += f"{number_} 0 obj\n".encode() + content + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        trailer = f"<< /Size {len(places) + 1} /Root {root} 0 R {info} >>"
        return bytes(out + f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode())


def pdf(*pages, outline=()):
    """Returns the bytes of a PDF with these pages."""
    writer = Writer()
    tree = writer.reserve()
    numbers_of_pages = [writer.reserve() for _ in pages]
    fonts = {}
    for at, page in zip(numbers_of_pages, pages, strict=True):
        put_page(writer, page, at, tree, numbers_of_pages, fonts)
    kids = " ".join(f"{at} 0 R" for at in numbers_of_pages)
    writer.put(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>", tree)
    catalog = f"/Type /Catalog /Pages {tree} 0 R"
    if outline:
        catalog += f" /Outlines {put_outline(writer, outline, numbers_of_pages)} 0 R"
    return writer.written(writer.put(f"<< {catalog} >>"))


def put_page(writer, page, at, tree, page_numbers, fonts):
    resources = put_resources(writer, page, fonts)
    content = writer.stream(b"\n".join(page.drawn))
    entries = f"/Type /Page /Parent {tree} 0 R /Resources {resources} /Contents {content} 0 R"
    if page.box:
        entries += f" /MediaBox [{numbers(*page.box)}]"
    if page.crop:
        entries += f" /CropBox [{numbers(*page.crop)}]"
    if page.rotate:
        entries += f" /Rotate {page.rotate}"
    if page.links:
        annotations = [put_link(writer, box, target, page_numbers) for box, target in page.links]
        entries += f" /Annots [{' '.join(f'{link} 0 R' for link in annotations)}]"
    writer.put(f"<< {entries} >>", at)


def put_resources(writer, page, fonts):
    for name in sorted(page.fonts - fonts.keys()):
        fonts[name] = MADE_FONTS.get(name, put_standard_font)(writer, name)
    named = " ".join(f"/{name} {fonts[name]} 0 R" for name in sorted(page.fonts))
    forms = [put_form(writer, form, matrix, fonts) for form, matrix in page.forms]
    drawn = " ".join(f"/Form{k} {form} 0 R" for k, form in enumerate(forms))
    return f"<< /Font << {named} >> /XObject << {drawn} >> >>"


def put_form(writer, page, matrix, fonts):
    resources = put_resources(writer, page, fonts)
    entries = f"/Type /XObject /Subtype /Form /BBox [{numbers(*page.box)}] /Matrix [{numbers(*matrix)}]"
    return writer.stream(b"\n".join(page.drawn), f"{entries} /Resources {resources}")


def put_standard_font(writer, name):
    return writer.put(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")


def put_drawn_font(writer, _):
    """A font of letters that are drawn as boxes, twenty times as large as its size says."""
    glyph = writer.stream(b"0.5 0 0 0 0.5 0.7 d1 0 0 0.4 0.7 re f")
    glyphs = " ".join(f"/{letter} {glyph} 0 R" for letter in string.ascii_letters)
    codes = " ".join(f"{ord(letter)} /{letter}" for letter in string.ascii_letters)
    return writer.put(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [20 0 0 20 0 0] /FirstChar 32 /LastChar 122"
        f" /Widths [{'0.5 ' * 91}] /CharProcs << {glyphs} >> /Encoding << /Type /Encoding /Differences [{codes}] >> >>"
    )


def put_unicode_font(writer, _):
    """A font without glyphs whose codes are UTF-16 units, each an em wide: what is printed is read back, not seen."""
    ranges = b"\n".join(b"<%02X00> <%02XFF> <%02X00>" % (high, high, high) for high in range(256))
    blocks = [ranges.split(b"\n")[k : k + 100] for k in range(0, 256, 100)]
    listed = b"\n".join(b"%d beginbfrange\n%s\nendbfrange" % (len(block), b"\n".join(block)) for block in blocks)
    cmap = writer.stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n" + listed + b"\nendcmap end end"
    )
    descriptor = writer.put(
        "<< /Type /FontDescriptor /FontName /Unicode /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0"
        " /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"
    )
    descendant = writer.put(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Unicode /DW 1000"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        f" /FontDescriptor {descriptor} 0 R /CIDToGIDMap /Identity >>"
    )
    return writer.put(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Unicode /Encoding /Identity-H"
        f" /DescendantFonts [{descendant} 0 R] /ToUnicode {cmap} 0 R >>"
    )


MADE_FONTS = {"Unicode": put_unicode_font, "Drawn": put_drawn_font}


def put_link(writer, box, target, page_numbers):
    if isinstance(target, int):
        action = f"/Dest [{page_numbers[target]} 0 R /Fit]"
    else:
        action = f"/A << /S /URI /URI ({target}) >>"
    return writer.put(f"<< /Type /Annot /Subtype /Link /Rect [{numbers(*box)}] /Border [0 0 0] {action} >>")


def put_outline(writer, headings, page_numbers):
    root = writer.reserve()
    first, last, count = put_headings(writer, headings, root, page_numbers)
    writer.put(f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {count} >>", root)
    return root


def put_headings(writer, headings, parent, page_numbers):
    places = [writer.reserve() for _ in headings]
    for k, (at, heading) in enumerate(zip(places, headings, strict=True)):
        title = "<FEFF" + heading.title.encode("utf-16-be").hex() + ">"
        entries = f"/Title {title} /Parent {parent} 0 R"
        if heading.page is not None:
            entries += f" /Dest [{page_numbers[heading.page]} 0 R {heading.view}]"
        if k:
            entries += f" /Prev {places[k - 1]} 0 R"
        if k + 1 < len(places):
            entries += f" /Next {places[k + 1]} 0 R"
        if heading.children:
            first, last, count = put_headings(writer, heading.children, at, page_numbers)
            entries += f" /First {first} 0 R /Last {last} 0 R /Count {count}"
        writer.put(f"<< {entries} >>", at)
    return places[0], places[-1], len(places)
