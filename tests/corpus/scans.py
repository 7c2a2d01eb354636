"""PDFs whose pages are images of the pages of other PDFs: made scans, clean, turned or degraded."""

import ctypes

import pypdfium2 as pdfium
from pypdfium2 import raw

from corpus.pdf_writer import Writer

GREY = 1


def pixels(page, dpi=200, turn=0):
    """Draws a page in grey, turned clockwise by so many quarters; returns width, height and a byte for each pixel."""
    across, down = (max(1, round(side * dpi / 72)) for side in page.get_size())
    if turn % 2:
        across, down = down, across
    bitmap = raw.FPDFBitmap_CreateEx(across, down, GREY, None, 0)
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, 0xFFFFFFFF)
    raw.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, across, down, turn, 0)
    stride = raw.FPDFBitmap_GetStride(bitmap)
    rows = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * down)
    raw.FPDFBitmap_Destroy(bitmap)
    return across, down, b"".join(rows[row * stride : row * stride + across] for row in range(down))


def scanned(content, numbers=None, dpi=200, turn=0, change=None):
    """Returns a PDF of images of some pages, from 0; `change` is given width, height and pixels and returns pixels."""
    document = pdfium.PdfDocument(content)
    chosen = range(len(document)) if numbers is None else numbers
    images = [pixels(document[number], dpi, turn) for number in chosen]
    if change:
        images = [(across, down, change(across, down, grey)) for across, down, grey in images]
    document.close()
    return pdf_of_images(images, dpi)


def pdf_of_images(images, dpi=200, words="", copies=1):
    """Returns a PDF with pages for each image, given as width, height and pixels in grey."""
    writer = Writer()
    tree = writer.reserve()
    font = writer.put("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    places = []
    for across, down, grey in images:
        kind = (
            f"/Type /XObject /Subtype /Image /Width {across} /Height {down} /ColorSpace /DeviceGray /BitsPerComponent 8"
        )
        image = writer.stream(grey, kind)
        width, height = across * 72 / dpi, down * 72 / dpi
        content = writer.stream(f"q {width} 0 0 {height} 0 0 cm /Image Do Q {words}".encode())
        resources = f"/Resources << /XObject << /Image {image} 0 R >> /Font << /F {font} 0 R >> >>"
        box = f"/Parent {tree} 0 R /MediaBox [0 0 {width} {height}]"
        page = f"<< /Type /Page {box} {resources} /Contents {content} 0 R >>"
        places += [writer.put(page) for _ in range(copies)]
    kids = " ".join(f"{at} 0 R" for at in places)
    writer.put(f"<< /Type /Pages /Kids [{kids}] /Count {len(places)} >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))
