"""Images on a page of text: named by the page and region that show exactly them, where the text has its gap."""

import io
import re

import pytest
from made_lines import line, lines, profile

import readwell
from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_content.embedded_images import EmbeddedImage
from readwell.documents.pdf.page_text.page_markdown import PageHints, page_markdown

MARK = re.compile(r"!\[(.*)\]\(#page=(\d+)&region=([\d,]+)\)")
RED, GREEN, BLUE, WHITE = "ff0000", "00ff00", "0000ff", "ffffff"


def pictured(page, x, y, width, height, colours=(RED, GREEN, BLUE, WHITE), clip=""):
    """Draws an image of two by two pixels."""
    dots = f"BI /W 2 /H 2 /CS /RGB /BPC 8 /F /AHx ID {''.join(colours)}> EI"
    return page.raw(f"q {clip} {width} 0 0 {height} {x} {y} cm {dots} Q")


def prose(page, y, count=3):
    for number in range(count):
        page.text(72, y - 14 * number, f"Line {number} of the text at {y}, long enough to be one of a paragraph.")
    return page


def marks(*pages):
    document = PDF.open(pdf(*pages), None, b"")
    return [MARK.findall(document.markdown(number)) for number in range(1, document.count + 1)]


def test_an_image_is_named_between_the_texts_above_and_below_it():
    page = prose(prose(Page(), 740).text(72, 380, "Figure 3: A house"), 300)
    document = PDF.open(pdf(pictured(page, 72, 400, 300, 200)), None, b"")
    above, below = document.markdown(1).split("\n![Figure 3](#page=1&region=117,242,608,495)\n")
    assert above.strip().endswith("Line 2 of the text at 740, long enough to be one of a paragraph.")
    assert below.strip().startswith("Figure 3: A house")


@pytest.mark.parametrize("box, rotate", [((0, 0, 612, 792), 0), ((0, 0, 612, 792), 90), ((50, 30, 500, 700), 270)])
def test_the_region_shows_exactly_the_image(tmp_path, box, rotate):
    image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    (tmp_path / "a.pdf").write_bytes(pdf(pictured(prose(Page(box, rotate), 640), 101, 203, 300, 200)))
    with readwell.Reader(tmp_path, cache_dir=None, image_side=400) as reader:
        [(_, page, region)] = MARK.findall(reader.reply({"path": "a.pdf"}).text)
        shown = reader.reply({"path": "a.pdf", "view": "image", "pages": page, "region": region})
    picture = image.open(io.BytesIO(shown.picture.content)).convert("RGB")
    across, down = picture.size
    longer, shorter = max(picture.size), min(picture.size)
    assert longer / shorter == pytest.approx(1.5, abs=0.02)
    corners = [picture.getpixel((x, y)) for y in (4, down - 5) for x in (4, across - 5)]
    turned = {0: (RED, GREEN, BLUE, WHITE), 90: (BLUE, RED, WHITE, GREEN), 270: (GREEN, WHITE, RED, BLUE)}[rotate]
    assert ["%02x%02x%02x" % colour for colour in corners] == [*turned]


def test_only_what_a_clip_lets_through_counts():
    clip = "100 500 120 100 re W n"
    assert marks(pictured(prose(Page(), 740), 72, 400, 300, 300, clip=clip)) == [[("", "1", "163,242,360,369")]]


def test_stripes_are_one_image_and_neighbours_are_two():
    striped, apart = prose(Page(), 740), prose(Page(), 740)
    for number in range(5):
        pictured(striped, 72, 400 + 40 * number, 300, 40)
    pictured(pictured(apart, 72, 400, 200, 200), 300, 400, 200, 200)
    assert list(map(len, marks(striped, apart))) == [1, 2]


def test_ruling_lines_that_are_drawn_as_images_are_no_image():
    page = prose(Page(), 740)
    for number in range(6):
        pictured(page, 72, 400 + 40 * number, 300, 0.5)
        pictured(page, 72 + 60 * number, 400, 0.5, 200)
    assert marks(page) == [[]]


def test_logos_and_grounds_are_not_named():
    page = prose(Page(), 600)
    assert marks(pictured(pictured(page, 0, 0, 612, 792), 500, 740, 80, 40)) == [[]]
    assert marks(pictured(prose(Page(), 600), 72, 700, 468, 20)) == [[]]


def test_a_page_of_very_many_images_is_bounded():
    page = prose(Page(), 740)
    for number in range(3000):
        page.raw(
            f"q 9 0 0 9 {10 * (number % 60)} {10 * (number // 60)} cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 00> EI Q"
        )
    assert marks(page) == [[]]


def test_an_image_inside_a_paragraph_is_named_below_it():
    image = EmbeddedImage((40, 111, 100, 118), "#page=1&region=1,2,3,4", "[a] cat")
    shown = lines("The first line of a paragraph that goes on,", "and on, and ends here.", "Another one.")
    text = page_markdown(shown, [], profile(), PageHints((), {}, {}, [image]))
    assert [each for each in text.split("\n") if each.startswith("![")] == [r"![\[a\] cat](#page=1&region=1,2,3,4)"]
    assert text.replace("\n", " ").startswith("The first line of a paragraph that goes on, and on, and ends here.")


def test_an_image_beside_no_text_is_named_at_the_nearest():
    image = EmbeddedImage((500, 300, 560, 380), "#page=1&region=1,2,3,4")
    text = page_markdown([line("Above", 100), line("Below", 400)], [], profile(), PageHints((), {}, {}, [image]))
    assert text.split("\n") == ["Above", "", "![](#page=1&region=1,2,3,4)", "", "Below"]
