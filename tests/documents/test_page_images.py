"""Pages of a PDF and image files as a person sees them: sizes, regions, several pages, budgets, bad input."""

import io
import os
import time
from zlib import compressobj

import pytest

import readwell
from corpus.pdf_documents import headings, prose, scan
from corpus.pdf_writer import Page, Writer, pdf
from readwell import ConversionFailed
from readwell.deadline import Deadline
from readwell.documents.requested_page_images import draw_pages
from readwell.documents.worker import Worker
from readwell.doors.cli import main
from readwell.doors.image_files import write_pictures
from readwell.encoded_image import Picture as Encoded
from readwell.errors import InvalidRequest
from readwell.model import Reply, Span
from readwell.toolspec import text_specs

Image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
RED, WHITE = (255, 0, 0), (255, 255, 255)


def marked(box=(0, 0, 600, 800), rotate=0):
    """A page whose upper left quarter is red."""
    left, bottom, right, top = box
    page = Page(box, rotate)
    return page.fill(left, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2, (1, 0, 0))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "one.pdf").write_bytes(pdf(marked()))
    (folder / "turned.pdf").write_bytes(pdf(marked(rotate=90)))
    (folder / "many.pdf").write_bytes(pdf(*[Page((0, 0, 595, 842)).text(72, 700, f"Page {n}") for n in range(1, 13)]))
    (folder / "headings.pdf").write_bytes(headings())
    (folder / "scan.pdf").write_bytes(scan())
    (folder / "a.txt").write_text("text\n")
    return folder


@pytest.fixture(scope="module")
def reader(folder):
    with readwell.Reader(folder, cache_dir=None) as reader:
        yield reader


def look(reader, path, **params):
    return reader.reply({"path": path, "view": "image", **params})


class Picture:
    def __init__(self, content):
        self.content = content


def pixels(picture):
    image = Image.open(io.BytesIO(picture.content)).convert("RGB")
    width, height = image.size
    spots = [(width // 4, height // 4), (3 * width // 4, height // 4), (width // 4, 3 * height // 4)]
    return image.size, [tuple(255 * (value > 127) for value in image.getpixel(spot)) for spot in spots]


def test_a_page_is_shown_as_an_image_and_told_by_its_size(reader):
    reply = look(reader, "one.pdf", pages="1")
    assert reply.text == "[one.pdf | pdf, 1 page | page 1 | image 1176x1568]\n[end]"
    assert pixels(reply.picture) == ((1176, 1568), [RED, WHITE, WHITE])
    assert (reply.picture.media_type, reply.data["kind"]) == ("image/png", "image")
    assert reply.data["images"] == [{"page": 1, "width": 1176, "height": 1568, "media_type": "image/png"}]


def test_a_page_full_of_text_is_a_small_image(reader, folder):
    page = Page((0, 0, 595, 842))
    prose(page, 800, 64)
    (folder / "text.pdf").write_bytes(pdf(page))
    assert 30_000 < len(look(reader, "text.pdf").picture.content) <= 400_000


def test_a_turned_page_is_shown_as_a_viewer_turns_it(reader):
    assert pixels(look(reader, "turned.pdf").picture) == ((1568, 1176), [WHITE, RED, WHITE])


def test_a_region_is_drawn_at_the_resolution_that_fills_it(reader):
    reply = look(reader, "one.pdf", region="0,250,1000,750")
    assert reply.text.startswith("[one.pdf | pdf, 1 page | page 1, region 0,250,1000,750 | image 1568x1045]")
    assert pixels(reply.picture) == ((1568, 1045), [RED, WHITE, WHITE])
    assert reply.data["images"][0]["region"] == [0, 250, 1000, 750]
    assert pixels(look(reader, "one.pdf", region="0,0,10,10").picture)[1] == [RED, RED, RED]
    assert look(reader, "one.pdf", region=[0, 0, 1000, 1000]).text == look(reader, "one.pdf").text


@pytest.mark.parametrize(
    "asked, shown, more",
    [
        (None, "page 1 | image 1108x1568", "[more: pages=2]"),
        ("3", "page 3 | image 1108x1568", "[more: pages=4]"),
        ("3-12", "pages 3-7 | 5 images 1108x1568", "[more: pages=8-12]"),
        ("-2", "pages 11-12 | 2 images 1108x1568", "[end]"),
        ("-12", "pages 1-5 | 5 images 1108x1568", "[more: pages=6-12]"),
        ("10-11", "pages 10-11 | 2 images 1108x1568", "[more: pages=12]"),
    ],
)
def test_several_pages_are_an_image_each_and_the_reply_says_how_to_go_on(reader, asked, shown, more):
    reply = look(reader, "many.pdf", **({"pages": asked} if asked else {}))
    assert reply.text == f"[many.pdf | pdf, 12 pages | {shown}]\n{more}"
    following = {"pages": more.removeprefix("[more: pages=").removesuffix("]")} if more != "[end]" else None
    assert reply.data.get("next") == following
    assert len(reply.pictures) == len(reply.data["images"])
    assert reply.data["tokens"] <= 12000


def test_progress_tells_the_number_of_the_page_that_was_drawn(folder):
    drawn = []
    with readwell.Reader(folder, cache_dir=None, on_progress=lambda done, total, _: drawn.append((done, total))) as one:
        assert look(one, "many.pdf", pages="3-5").error is None
    assert drawn == [(3, 12), (4, 12), (5, 12)]


def test_images_keep_the_budget_and_one_is_always_shown(reader):
    assert look(reader, "many.pdf", pages="1-4", max_tokens=5000).text.startswith(
        "[many.pdf | pdf, 12 pages | pages 1-2 | 2 images 1108x1568]\n[more: pages=3-4]"
    )
    small = look(reader, "many.pdf", pages="1-4", max_tokens=256)
    assert small.data["tokens"] <= 256 and max(small.picture.shown) < 600
    assert small.text.endswith("[more: pages=2-4]")


@pytest.mark.parametrize(
    "params, message",
    [
        ({"pages": "13"}, "Invalid pages. It must be within 1-12."),
        ({"pages": "11-13"}, "Invalid pages. It must be within 1-12."),
        ({"pages": "3-2"}, "Invalid pages. It must be in rising order: 2-3."),
        ({"pages": "-13"}, "Invalid pages. It must be within 1-12."),
        ({"pages": "Sheet"}, "Invalid pages. It must be within 1-12."),
        ({"region": "0,0,1001,10"}, "Invalid region. It must be x0,y0,x1,y1 from 0 to 1000"),
        ({"region": "5,0,5,10"}, "Invalid region. It must be x0,y0,x1,y1 from 0 to 1000"),
        ({"region": "0,0,10"}, "Invalid region. It must be x0,y0,x1,y1 from 0 to 1000"),
        ({"region": "a,0,10,10"}, "Invalid region. It must be x0,y0,x1,y1 from 0 to 1000"),
        ({"region": {}}, "Invalid region. It must be x0,y0,x1,y1 from 0 to 1000"),
        ({"region": "0,0,9,9", "view": "markdown"}, 'Invalid region. It must be sent with view="image".'),
        ({"path": "a.txt"}, "Invalid view. It must be left out: only pages of a PDF and image files can be looked at."),
        ({"path": "", "paths": ["one.pdf"]}, 'Invalid paths. It must be sent without view="image"'),
    ],
)
def test_what_cannot_be_looked_at_is_refused_with_the_next_step(reader, params, message):
    reply = reader.reply({"path": "many.pdf", "view": "image", **params})
    assert reply.text.startswith(f"[error INVALID_PARAM] {message}")
    assert reply.pictures == ()


def test_pages_of_any_size_are_shown(reader, folder):
    boxes = {
        "huge": (0, 0, 10**6, 10**6),
        "flat": (0, 0, 10**6, 1),
        "zero": (0, 0, 0, 0),
        "far": (-9e8, -9e8, 9e8, 9e8),
    }
    for name, box in boxes.items():
        (folder / f"{name}.pdf").write_bytes(pdf(Page(box).text(10, 10, "Here")))
        reply = look(reader, f"{name}.pdf", region="0,0,500,500")
        assert max(reply.picture.shown) == 1568, name


@pytest.mark.slow
def test_a_page_that_takes_too_long_is_shown_as_far_as_it_is_drawn(reader, folder):
    page = Page().fill(0, 396, 306, 396, (1, 0, 0))
    page.raw("q\n" + "0.5 w 10 10 m 600 700 500 20 30 780 c 600 10 10 700 300 300 c S\n" * 400_000 + "Q")
    (folder / "slow.pdf").write_bytes(pdf(page))
    reply = look(reader, "slow.pdf")
    assert reply.text.splitlines()[1] == (
        "[note: drawing took too long and was stopped: parts of the page are missing]"
    )
    assert pixels(reply.picture)[0] == (1212, 1568)


def test_a_scan_is_looked_at(reader):
    assert look(reader, "scan.pdf", pages="2").text.startswith("[scan.pdf | pdf, 2 pages | page 2 | image 1212x1568]")


def test_a_part_of_an_image_file_is_shown_with_the_pixels_it_has(reader, folder):
    image = Image.new("RGB", (400, 200), "white")
    image.paste((255, 0, 0), (0, 0, 100, 100))
    image.save(folder / "red.png")
    reply = look(reader, "red.png", region="0,0,500,500")
    head = "[red.png | PNG image, 400x200 pixels | region 0,0,500,500 | image 200x100 | rev "
    assert reply.text.startswith(head)
    assert pixels(reply.picture) == ((200, 100), [RED, WHITE, RED])
    assert look(reader, "red.png").text.startswith("[red.png | PNG image, 400x200 pixels | shown in full size | rev ")
    assert max(look(reader, "red.png", max_tokens=256).picture.shown) <= 400
    (folder / "empty.png").write_bytes(b"")
    assert "the file is empty" in look(reader, "empty.png").text


def test_the_longest_side_is_a_setting(folder):
    with readwell.Reader(folder, cache_dir=None, image_side=400) as small:
        assert look(small, "one.pdf").picture.shown == (300, 400)
    with pytest.raises(ValueError):
        readwell.Reader(folder, image_side=0)


def test_the_library_returns_images_with_the_result(reader):
    result = reader.read("many.pdf", view="image", pages="2-3", region="0,0,1000,500")
    assert [picture.shown for picture in result.pictures] == [(1568, 1109)] * 2
    assert result.picture == result.pictures[0]
    with pytest.raises(InvalidRequest):
        reader.read("many.pdf", region="0,0,1000,500")


def test_who_carries_only_text_is_told_so(reader):
    reply = text_specs(reader)[0].call({"path": "one.pdf", "view": "image"})
    assert reply.text == "[error INVALID_PARAM] Invalid view. It must be left out: images are not carried here."


def test_the_command_line_writes_images_to_new_files(folder, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    asked = [str(folder / "many.pdf"), "--view", "image", "-o", "page.png"]
    assert main([*asked, "--pages", "2-3"]) == 0
    assert main([*asked, "--pages", "2"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page-2.png", "page-3.png", "page.png"]
    assert pixels(Picture((tmp_path / "page.png").read_bytes()))[0] == (1108, 1568)
    capfd.readouterr()
    assert main([*asked, "--pages", "2"]) == 1
    assert "'page.png' is not written over" in capfd.readouterr().err
    assert main([str(folder / "many.pdf"), "--view", "image"]) == 0
    assert "-o FILE writes the image to a file" in capfd.readouterr().err
    with pytest.raises(SystemExit) as wrong:
        main([str(folder / "a.txt"), "-o", "a.png"])
    assert wrong.value.code == 2


@pytest.mark.parametrize(
    ("given", "pages", "written"),
    [
        ("a.png", ["png"], ["a.png"]),
        ("a.PNG", ["png"], ["a.PNG"]),
        ("a.jpg", ["png"], ["a.png"]),
        ("a", ["png"], ["a.png"]),
        ("a.png", ["jpeg"], ["a.jpg"]),
        ("a.jpeg", ["jpeg"], ["a.jpeg"]),
        ("a.b.gif", ["gif"], ["a.b.gif"]),
        ("a.jpg", ["png", "jpeg"], ["a-3.png", "a-4.jpg"]),
    ],
)
def test_the_name_of_an_image_fits_its_format_and_its_page(tmp_path, capsys, given, pages, written):
    pictures = [Encoded(kind.encode(), f"image/{kind}", kind.upper(), (9, 9), (9, 9)) for kind in pages]
    reply = Reply("", {"images": [{"page": number} for number in range(3, 3 + len(pages))]}, pictures=(*pictures,))
    assert write_pictures(reply, str(tmp_path / given)) == ""
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict(zip(written, pages, strict=True))
    assert capsys.readouterr().err == "".join(f"written: {tmp_path / name}\n" for name in written)
    said = f"'{tmp_path / written[0]}' is not written over: remove it, or choose another name with -o."
    assert write_pictures(reply, str(tmp_path / given)) == said
    assert write_pictures(reply, str(tmp_path / "none" / "a")).endswith("cannot be written: No such file or directory.")


@pytest.mark.slow
def test_an_image_file_gets_the_ending_of_its_own_format(folder, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (40, 20), "red").save(folder / "photo.jpg")
    assert main([str(folder / "photo.jpg"), "--view", "image", "-o", "photo.png"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["photo.jpg"]
    assert capfd.readouterr().err == "written: photo.jpg\n"


def of_very_many_pixels(side):
    """A page whose image has so many pixels on each side, all alike, packed in a few bytes."""
    writer, rows = Writer(), compressobj(9)
    tree = writer.reserve()
    packed = b"".join(rows.compress(bytes(side // 8 * 1000)) for _ in range(side // 1000)) + rows.flush()
    kind = f"/Type /XObject /Subtype /Image /Width {side} /Height {side} /ColorSpace /DeviceGray /BitsPerComponent 1"
    image = writer.stream(packed, f"{kind} /Filter /FlateDecode")
    content = writer.stream(b"q 612 0 0 792 0 0 cm /Image Do Q")
    resources = f"/Resources << /XObject << /Image {image} 0 R >> >>"
    page = f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 612 792] {resources} /Contents {content} 0 R >>"
    writer.put(f"<< /Type /Pages /Kids [{writer.put(page)} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


@pytest.mark.slow
def test_an_image_of_60000_by_60000_pixels_and_a_page_of_a_million_objects_are_shown(tmp_path):
    (tmp_path / "large.pdf").write_bytes(of_very_many_pixels(60_000))
    page = marked().raw("\n".join(f"{n % 300} {n % 390} 1 1 re f" for n in range(1_000_000)))
    (tmp_path / "many.pdf").write_bytes(pdf(page))
    with readwell.Reader(tmp_path, cache_dir=None, deadline_s=120) as reader:
        assert look(reader, "large.pdf").picture.shown == (1212, 1568)
        assert pixels(look(reader, "many.pdf").picture)[0] == (1176, 1568)
        text = reader.reply({"path": "large.pdf"}).text
    assert "<!-- page 1: read from an image (" in text or text.startswith("[error DOCUMENT_EMPTY]")


@pytest.mark.parametrize(("name", "what"), [("a.bmp", "BMP image"), ("a.tiff", "TIFF image"), ("a.ico", "icon")])
def test_an_image_of_another_format_is_told_as_one_with_the_next_step(tmp_path, name, what):
    Image.new("RGB", (16, 16)).save(tmp_path / name)
    (tmp_path / "a.txt").write_text("BM is how a bitmap begins\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        looked_at, plain = look(reader, name), reader.reply({"path": name})
        assert looked_at.text == plain.text
        assert f"is {'an' if what == 'icon' else 'a'} {what}, " in looked_at.text
        assert looked_at.text.endswith("Save it as PNG, and look at that.")
        assert "Invalid view. It must be left out: only pages" in look(reader, "a.txt").text


def test_what_is_sent_as_the_image_of_a_page_and_is_none_is_a_failure(tmp_path):
    """The child that draws has read the document, and is not believed."""
    (tmp_path / "leaves").write_bytes(b"no image\f{}\f")
    deadline = Deadline(time.monotonic, time.monotonic() + 20, 20)
    descriptor = os.open(tmp_path / "leaves", os.O_RDONLY)
    try:
        with Worker({"leaves": "plain_converters:LEAVES"}) as worker:
            for page in (1, 2, 3):
                with pytest.raises(ConversionFailed) as failed:
                    draw_pages(
                        lambda units: worker.convert(descriptor, "leaves", deadline, units), Span(page, page), 1000
                    )
                assert (failed.value.converter, failed.value.reason) == ("pdf", "the decoder sent what is no image")
    finally:
        os.close(descriptor)


def test_the_record_of_a_read_counts_every_image(folder):
    records = []
    with readwell.Reader(folder, cache_dir=None, audit=records.append) as reader:
        one, three = (reader.reply({"path": "many.pdf", "pages": pages, "view": "image"}) for pages in ("1", "1-3"))
    images = one.picture.tokens
    assert [picture.tokens for picture in three.pictures] == [images] * 3
    assert [record.tokens - count * images for record, count in zip(records, (1, 3), strict=True)] == [
        (2 * len(reply.text) + 6) // 7 for reply in (one, three)
    ]
