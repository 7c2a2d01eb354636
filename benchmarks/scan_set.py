"""Scans made of pages whose text is known: drawn, degraded as scanners and copies degrade, and packed as PDFs."""

import io
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, zip_longest
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageDraw, ImageFont
from scores import COMMENT, words_of

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from corpus.scans import pixels
from readwell.documents.contract import Document
from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_content.text_lines import Line, lines_of
from readwell.documents.pdf.page_content.words import read_words
from readwell.errors import ReadError

MIN_WORDS = 80
SEED, UNSEEN_PAGES = 2026, 43
"""Which pages are drawn by lot, and how many: as many as the others."""
NOT_COMPARED = {
    "crdt-study": "French",
    "detect_vertical_false": "French",
    "indictb1h_14": "Hebrew",
    "mexican_towns": "Spanish",
    "normal_4pages": "Korean",
    "right_to_left_01": "Arabic",
    "us-019": "its text layer has lost letters",
    "us-021": "its text layer has lost letters",
    "us-023": "its text layer has lost letters",
    "us-025": "its text layer has lost letters",
}
"""Documents that are no measure: their language has no data in the extra, or their text is not what is printed."""
GERMAN = ("book-chapter-german",)
CLEAN_QUALITY, POOR_QUALITY = 90, 40
SKEW, NOISE = 1.0, 20.0
MISPLACED = 0.1
"""The share of words in lines above earlier lines of their column, from which a page's text is in no order of sight."""

CHINESE_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
CHINESE = (
    "灯塔管理员每天清晨检查灯光，然后把天气写进日志。海面上的船只依靠这束光找到港口。",
    "第一章介绍了设备的安装方法，第二章说明日常维护，最后一章列出常见故障和解决办法。",
    "二〇二三年，公司的销售额增长了百分之十二，其中南方市场的贡献最大。",
    "如果水位超过三米，值班人员必须立即通知指挥中心，并且关闭所有闸门。",
    "学校图书馆周一至周五开放，读者可以借阅五本书，借期为四个星期。",
    "研究人员比较了两种算法的速度和准确度，结果表明新的方法更加稳定。",
    "请将填写完整的表格寄到下列地址，我们会在十个工作日内答复。",
    "春天来了，河边的柳树发出嫩绿的新芽，孩子们在草地上放风筝。",
)


class Page(NamedTuple):
    """A page whose text is known; `ordered`: its text layer is in the order in which a person reads."""

    path: Path
    number: int
    markdown: str
    ordered: bool
    languages: str

    @property
    def name(self) -> str:
        return f"{self.path.stem} {self.number}"


def known_pages(corpus: Path) -> Iterator[Page]:
    """Yields of each PDF of a corpus the first page with enough words."""
    for path, document in _compared(corpus):
        page = next(_pages(path, document, range(1, document.count + 1)), None)
        if page:
            yield page


def unseen_pages(corpus: Path) -> list[Page]:
    """Returns pages that nothing was tuned by: drawn by lot, the same every time, in turns of one page a document.

    The first page with enough words of each document is left out: it belongs to `known_pages`.
    """
    lot = random.Random(SEED)
    rest: list[Iterator[Page]] = []
    for path, document in _compared(corpus):
        numbers = [*range(1, document.count + 1)]
        first = next(_pages(path, document, numbers), None)
        left = [number for number in numbers if first and number > first.number]
        rest.append(_pages(path, document, lot.sample(left, len(left))))
    lot.shuffle(rest)
    turns = zip_longest(*rest)
    return [*islice((page for turn in turns for page in turn if page), UNSEEN_PAGES)]


def _compared(corpus: Path) -> Iterator[tuple[Path, Document]]:
    """Yields the PDFs of a corpus that can be opened and compared."""
    for path in sorted(corpus.glob("**/*.pdf")):
        if path.stem not in NOT_COMPARED:
            with suppress(ReadError):
                yield path, PDF.open(path.read_bytes(), None, b"")


def _pages(path: Path, document: Document, numbers: Iterable[int]) -> Iterator[Page]:
    """Yields those of the pages that have enough words."""
    for number in numbers:
        markdown = document.markdown(number)
        if len(words_of(COMMENT.sub("", markdown))) >= MIN_WORDS:
            languages = "deu" if path.stem in GERMAN else "eng"
            yield Page(path, number, markdown, _is_ordered(path, number), languages)


def _is_ordered(path: Path, number: int) -> bool:
    """Whether lines stand below all earlier ones of their column, but for a few such as a footer that comes first."""
    page = pdfium.PdfDocument(path)[number - 1]
    lines = lines_of(read_words(page, page.get_textpage()).words)
    above = {
        number: {place for place, other in enumerate(lines[:number]) if _is_above(line, other)}
        for number, line in enumerate(lines)
    }
    misplaced = 0
    while any(above.values()):
        conflicts = Counter(place for number, places in above.items() for place in (number, *places) if places)
        worst = max(conflicts, key=lambda place: (conflicts[place], place))
        misplaced += len(lines[worst].words)
        above = {number: places - {worst} for number, places in above.items() if number != worst}
    return misplaced <= MISPLACED * sum(len(line.words) for line in lines)


def _is_above(line: Line, other: Line) -> bool:
    return line.bottom < other.top and min(line.x1, other.x1) - max(line.x0, other.x0) > 0


def page_image(page: Page, dots_per_inch: int) -> Image.Image:
    """Returns a page in grey."""
    across, down, grey = pixels(pdfium.PdfDocument(page.path)[page.number - 1], dots_per_inch)
    return Image.frombytes("L", (across, down), grey)


def degraded(image: Image.Image) -> Image.Image:
    """Returns an image that is skewed by a degree, and noisy; the same for the same image."""
    image = image.rotate(SKEW, resample=Image.Resampling.BICUBIC, fillcolor=255)
    normal = NormalDist(128, NOISE)
    levels = bytes(max(0, min(255, round(normal.inv_cdf((level + 0.5) / 256)))) for level in range(256))
    noise = random.Random(1).randbytes(image.width * image.height).translate(levels)
    return ImageChops.add(image, Image.frombytes("L", image.size, noise), 1, -128)


def as_pdf(image: Image.Image, dots_per_inch: int, quality: int) -> bytes:
    """Returns a PDF whose page is an image, kept as JPEG."""
    held = io.BytesIO()
    image.save(held, "PDF", resolution=dots_per_inch, quality=quality)
    return held.getvalue()


def chinese_pages(dots_per_inch: int) -> Iterator[tuple[str, Image.Image]]:
    """Yields pages of Chinese, each with its text."""
    em = round(11 * dots_per_inch / 72)
    font = ImageFont.truetype(CHINESE_FONT, em)
    for turn in range(4):
        image = Image.new("L", (round(8.27 * dots_per_inch), round(11.69 * dots_per_inch)), 255)
        paper, y = ImageDraw.Draw(image), 2 * em
        text = "".join(CHINESE[turn:] + CHINESE[:turn])
        across = image.width // em - 8
        for start in range(0, len(text), across):
            paper.text((4 * em, y), text[start : start + across], fill=0, font=font)
            y += round(1.7 * em)
        yield text, image
