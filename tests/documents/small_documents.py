"""Makes small documents whose every line is known: PDFs written object by object, DOCX files zipped by hand."""

import hashlib
import io
import random
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

WORDS = (
    "amber basin cedar delta ember fable grove harbor island jasper kernel ladder meadow nectar orchard pebble "
    "quarry river saddle timber umber valley willow yonder zephyr anchor bottle candle dragon engine"
).split()
PASSWORD = "sesame"
PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
DOCUMENT = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>%s</w:body></w:document>'
STYLES = (
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>'
)
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)
RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s</Relationships>'
RELATION = (
    '<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>'
)


def sentence(page: int, line: int) -> str:
    """Six words and a full stop, another six for every page and line."""
    draw = random.Random(page * 1000 + line)
    return " ".join(draw.choice(WORDS) for _ in range(6)) + "."


def printed(pages: int, lines: int) -> list[list[str]]:
    return [[sentence(page, line) for line in range(lines)] for page in range(1, pages + 1)]


def pdf(pages: list[list[str]], *, user: str | None = None, image: bool = False) -> bytes:
    """A PDF in Helvetica 12, one text object a line; `user` locks it with that password, `image` paints each page."""
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(len(pages)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    streams = {
        4: (b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"\x80")
    }
    for n, lines in enumerate(pages):
        objects[5 + 2 * n] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * n} 0 R "
            "/Resources << /Font << /F1 3 0 R >> /XObject << /I1 4 0 R >> >> >>"
        ).encode()
        drawn = [f"BT /F1 12 Tf 72 {730 - 14 * y} Td ({_literal(line)}) Tj ET" for y, line in enumerate(lines)]
        painted = ["q 500 0 0 700 50 50 cm /I1 Do Q"] if image else []
        streams[6 + 2 * n] = (b"", "\n".join(painted + drawn).encode())
    locked = None if user is None else _Lock(user)
    for number, (entries, body) in streams.items():
        sealed = (
            body
            if locked is None
            else _rc4(hashlib.md5(locked.key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], body)
        )
        objects[number] = b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(sealed), sealed)
    return _written(objects, b"" if locked is None else locked.trailer)


def damaged_pdf() -> bytes:
    """The first third of a PDF: no cross-reference table, no trailer."""
    whole = pdf(printed(3, 20))
    return whole[: len(whole) // 3]


def paragraph(text: str, style: str | None = None) -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{named}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def table(rows: list[list[str]]) -> str:
    cells = ["".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows]
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def docx(*body: str) -> bytes:
    """A DOCX of the given paragraphs and tables."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELATIONS % (RELATION % ("r1", "officeDocument", "word/document.xml")))
        archive.writestr("word/_rels/document.xml.rels", RELATIONS % (RELATION % ("r1", "styles", "styles.xml")))
        archive.writestr("word/styles.xml", STYLES)
        archive.writestr("word/document.xml", DOCUMENT % "".join(body))
    return packed.getvalue()


REPORT = printed(5, 8)
BOOK = printed(30, 45)
LETTER = [sentence(70, line) for line in range(4)]
LONG = " ".join(sentence(80, line) for line in range(150))


def fill(folder: Path) -> Path:
    """Puts one document of each sort into a folder, and text beside them."""
    letter = docx(
        paragraph("Harbor accounts", "Heading1"),
        *map(paragraph, LETTER),
        table([["Item", "Amount"], ["Timber", "120"]]),
        paragraph(LONG),
    )
    shelf = {
        "report.pdf": pdf(REPORT),
        "book.pdf": pdf(BOOK),
        "single.pdf": pdf(printed(1, 3)),
        "letter.docx": letter,
        "scan.pdf": pdf([[], [], []], image=True),
        "blank.pdf": pdf([[], []]),
        "locked.pdf": pdf(REPORT, user=PASSWORD),
        "open.pdf": pdf(REPORT, user=""),
        "damaged.pdf": damaged_pdf(),
        "damaged.docx": letter[: len(letter) // 2],
        "damaged.txt": damaged_pdf(),
        "report.txt": pdf(REPORT),
        "letter.bin": letter,
        "words.pdf": b"amber\nbasin\n",
        "notes.txt": b"amber\nbasin\ncedar\n",
        "empty.docx": docx(),
    }
    for name, data in shelf.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    return folder


def gutter_lines(text: str) -> dict[int, str]:
    """The numbered lines of a `native` reply."""
    found = (re.match(r"(\d+)(?:@\d+)?\t(.*)\Z", line, re.DOTALL) for line in text.split("\n"))
    return {int(line[1]): line[2] for line in found if line}


def whole(reader: Any, name: str) -> list[str]:
    """Every line of a document, window after window and clipped lines to their ends, as `native` numbers them."""
    lines: dict[int, str] = {}
    offset: int | None = 1
    while offset is not None:
        reply = reader.reply({"path": name, "offset": offset})
        assert not reply.is_error, reply.text
        lines.update(gutter_lines(reply.text))
        for clipped in reply.data["clipped"]:
            lines[clipped["line"]] = _unclipped(reader, name, clipped["line"])
        onward = reply.data["next"]
        if onward and onward["column"] > 1:  # the last line is cut, and was followed
            break
        assert onward is None or onward["offset"] > offset
        offset = onward and onward["offset"]
    assert list(lines) == list(range(1, len(lines) + 1))
    return list(lines.values())


def _unclipped(reader: Any, name: str, number: int) -> str:
    """One line, column after column."""
    column, pieces = 1, []
    while column is not None:
        reply = reader.reply({"path": name, "offset": number, "column": column, "limit": 1})
        pieces.append(re.sub(r" …\[\+\d+ characters: offset=\d+ column=\d+\]\Z", "", gutter_lines(reply.text)[number]))
        column = reply.data["clipped"][0]["column"] if reply.data["clipped"] else None
    return "".join(pieces)


def _literal(text: str) -> str:
    return re.sub(r"([()\\])", r"\\\1", text)


class _Lock:
    """The standard security handler, revision 2: RC4 with a key of 40 bits."""

    def __init__(self, user: str) -> None:
        name, padded = hashlib.md5(b"small").digest(), (user.encode() + PADDING)[:32]
        owner = _rc4(hashlib.md5((b"owner" + PADDING)[:32]).digest()[:5], padded)
        self.key = hashlib.md5(padded + owner + (-4).to_bytes(4, "little", signed=True) + name).digest()[:5]
        entries = (owner.hex(), _rc4(self.key, PADDING).hex(), name.hex(), name.hex())
        self.trailer = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<%s> <%s>]" % tuple(
            e.encode() for e in entries
        )


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _written(objects: dict[int, bytes], trailer: bytes) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\x00\x01\n"), []
    for number in sorted(objects):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, trailer, start)
    return bytes(out)
