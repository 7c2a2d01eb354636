"""Draws a made scan and the text that is read from it, side by side: docs/pictures/scan.png."""

import io
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFont
from scan_set import POOR_QUALITY, as_pdf, degraded, pixels

from corpus.pdf_documents import prose
from corpus.pdf_writer import Page, pdf
from readwell.documents.ocr import scan_converter

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "scan.png"
SIZE, CROP = (640, 560), (0, 40, 1700, 1560)
ROWS = (
    ("Month", "Ships", "Fog (h)"),
    ("January", "214", "31.5"),
    ("February", "198", "44.0"),
    ("March", "260", "12.5"),
)


def main() -> None:
    across, down, grey = pixels(pdfium.PdfDocument(pdf(_page()))[0], 200)
    image = degraded(Image.frombytes("L", (across, down), grey))
    made = as_pdf(image, 200, POOR_QUALITY)
    text = getattr(scan_converter, "paragraphs,auto,eng").open(made, None, b"").markdown(1)
    shown = Image.new("L", (2 * SIZE[0], SIZE[1]), 255)
    shown.paste(image.crop(CROP).resize(SIZE, Image.Resampling.LANCZOS), (0, 0))
    ImageDraw.Draw(shown).multiline_text((SIZE[0] + 12, 24), _wrapped(text), fill=0, font=ImageFont.load_default(14))
    held = io.BytesIO()
    shown.quantize(16).save(held, "PNG", optimize=True)
    PICTURE.write_bytes(held.getvalue())
    print(f"drawn: {PICTURE.name}")


def _page() -> Page:
    page = Page().text(72, 720, "The Keeper of Lights", 22, "Helvetica-Bold")
    prose(page, 690, 6)
    xs, ys = (72, 200, 300, 420), [560 - 22 * row for row in range(len(ROWS) + 1)]
    page.fill(72, ys[1], 348, 22, (0.8, 0.8, 0.8)).grid(xs, ys)
    for y, row in zip(ys, ROWS, strict=False):
        for x, cell in zip(xs, row, strict=False):
            page.text(x + 6, y - 15, cell, 11, "Times-Roman")
    prose(page, 440, 4)
    return page


def _wrapped(text: str, width: int = 84) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        while len(line) > width:
            cut = line.rfind(" ", 0, width)
            lines, line = [*lines, line[:cut]], line[cut + 1 :]
        lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main()
