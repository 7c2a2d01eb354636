"""Contents of files as small as they can be: documents by their marks, and junk."""

import io
import zipfile

# fmt: off

JUNK = bytes(range(256)) * 4


def pdf():
    out, at = b"%PDF-1.4\n", []
    pages, sheet = b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    for body in (b"<</Type/Catalog/Pages 2 0 R>>", pages, sheet):
        at.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (len(at), body)
    table = b"".join(b"%010d 00000 n \n" % n for n in at)
    tail = b"xref\n0 4\n0000000000 65535 f \n%strailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return out + tail % (table, len(out))


def archive(**parts):
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as z:
        for name, text in parts.items():
            z.writestr(name, text)
    return box.getvalue()


def office(part, kind):
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="/{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>'
    )
    return archive(**{"[Content_Types].xml": types, part: "<x/>"})
