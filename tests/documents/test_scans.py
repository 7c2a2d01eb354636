"""Scans as text: which pages are recognised, how that is told, kept and bounded, and what happens without an engine."""

import subprocess
import sys

import pytest

import readwell
from corpus.pdf_documents import PROSE, prose
from corpus.pdf_writer import Page, pdf
from corpus.scans import of_images, pixels, scanned
from readwell.documents.ocr import all_languages, find_languages
from readwell.documents.ocr.choice import OcrSettings

pytest.importorskip("tesserocr", reason="NOT TESTED: the extra `ocr` is not installed")


def written(heading=""):
    page = Page()
    if heading:
        page.text(72, 740, heading, 22, "Helvetica-Bold")
    prose(page, 700)
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    (folder / "scan.pdf").write_bytes(scanned(pdf(written("The Keeper of Lights"))))
    (folder / "mixed.pdf").write_bytes(_mixed())
    (folder / "turned.pdf").write_bytes(scanned(pdf(written()), turn=2))
    (folder / "sideways.pdf").write_bytes(scanned(pdf(written()), turn=1))
    return folder


def _mixed():
    """A page of text, and one whose image carries a word of text beside it."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf(written()))
    image = pixels(document[0])
    two = pdfium.PdfDocument.new()
    two.import_pages(pdfium.PdfDocument(pdf(Page().text(72, 700, PROSE[5]))))
    two.import_pages(pdfium.PdfDocument(of_images([image], words="BT /F 10 Tf 20 20 Td (Scanned in May) Tj ET")))
    import io

    held = io.BytesIO()
    two.save(held)
    return held.getvalue()


@pytest.fixture(scope="module")
def reader(folder):
    with readwell.Reader(folder, cache_dir=None, ocr_languages=["eng"]) as reader:
        yield reader


def test_a_scan_is_read_and_told_in_page_and_header(reader):
    reply = reader.reply({"path": "scan.pdf"})
    header, anchor, told, _, heading, *rest = reply.text.split("\n")
    assert header.startswith("[scan.pdf | pdf, 1 page, 1 by ocr | lines 1-")
    assert anchor == "1\t<!-- page 1 -->"
    assert told.startswith("2\t<!-- page 1: read from an image (eng, confidence 9")
    assert told.endswith("), may contain errors -->")
    assert heading == "4\t# The Keeper of Lights"
    words = " ".join(reply.text.split())
    assert all(sentence in words for sentence in PROSE)
    assert reply.data["ocr"] == 1


def test_only_pages_that_are_images_are_recognised(reader):
    reply = reader.reply({"path": "mixed.pdf"})
    assert reply.text.startswith("[mixed.pdf | pdf, 2 pages, 1 by ocr |")
    first, second = reply.text.split("<!-- page 2 -->")
    assert "read from an image" not in first and PROSE[5] in first
    assert "<!-- page 2: read from an image (eng" in second and PROSE[0] in " ".join(second.split())


@pytest.mark.parametrize("name", ["turned.pdf", "sideways.pdf"])
def test_a_scan_that_lies_on_its_side_or_head_is_turned(reader, name):
    assert PROSE[2] in " ".join(reader.reply({"path": name}).text.split())


def test_without_recognition_a_scan_is_refused_with_both_ways_to_read_it(folder):
    with readwell.Reader(folder, cache_dir=None, ocr="never") as plain:
        assert plain.reply({"path": "scan.pdf"}).text == (
            "[error DOCUMENT_EMPTY] 'scan.pdf' has no text layer (1 page of images). "
            'Look at its pages with view="image" pages="1", or install readwell[ocr] to have them read.'
        )
        mixed = plain.reply({"path": "mixed.pdf"}).text
    assert '<!-- mostly an image, whose text is not read: see view="image" -->' in mixed
    assert "Scanned in May" in mixed


def test_a_page_that_cannot_be_read_says_so(reader, folder):
    (folder / "blank.pdf").write_bytes(of_images([(400, 300, bytes([255]) * 120_000)]))
    told = reader.reply({"path": "blank.pdf"}).text.split("\n")[2]
    assert told == '2\t<!-- page 1: read from an image (eng, confidence 0), not read well: see view="image" -->'


def test_a_text_layer_of_nothing_but_unknown_letters_counts_as_none(folder):
    page = Page().text(72, 700, "\ue001\ue002\ue003\ue004\ue005" * 8, 10, "Unicode")
    (folder / "garbage.pdf").write_bytes(pdf(page, Page().text(72, 700, PROSE[0])))
    with readwell.Reader(folder, cache_dir=None, ocr="never") as plain:
        text = plain.reply({"path": "garbage.pdf"}).text
    assert '<!-- the text layer of this page is unreadable: see view="image" -->' in text
    assert "\ue001" not in text and PROSE[0] in text


def test_a_language_without_data_is_named_in_the_page(folder):
    with readwell.Reader(folder, cache_dir=None, ocr_languages=["eng", "tlh"]) as klingon:
        assert "(eng, confidence 9" in (text := klingon.reply({"path": "scan.pdf"}).text)
        assert "; no data for tlh), may contain errors" in text


def test_languages_are_those_installed_and_english_comes_first():
    data = find_languages(sys.path)
    assert data.languages[0] == "eng" and {*data.languages} <= {*all_languages(sys.path)}
    assert find_languages(sys.path, ["tlh"]) is None
    assert find_languages([], ["eng"]) is None or find_languages([], ["eng"]).languages == ("eng",)


@pytest.mark.parametrize("settings", [OcrSettings("sometimes"), OcrSettings("auto", ["../eng"])])
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError):
        settings.checked()


def test_nothing_of_the_engine_is_loaded_for_pages_with_text(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf(written()))
    (tmp_path / "scan.pdf").write_bytes(scanned(pdf(written()), dpi=100))
    program = """if True:
        import pathlib, sys, readwell
        def loaded():
            own = pathlib.Path("/proc/self/task")
            children = [pid for task in own.iterdir() for pid in (task / "children").read_text().split()]
            maps = [pathlib.Path(f"/proc/{pid}/maps").read_text() for pid in ["self", *children]]
            return [any("tesserocr" in each for each in maps), len(children)]
        with readwell.Reader(sys.argv[1], cache_dir=None) as reader:
            reader.read("a.pdf")
            before = loaded()
            reader.read("scan.pdf")
            print(before, loaded())
    """
    run = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert run.stdout == "[False, 1] [True, 1]\n"


def test_a_recognised_page_is_kept_like_others(folder, tmp_path):
    first = readwell.Reader(folder, cache_dir=tmp_path, ocr_languages=["eng"])
    with first as reader:
        text = reader.read("scan.pdf").text
    with readwell.Reader(folder, cache_dir=tmp_path, ocr_languages=["eng"]) as again:
        assert again.read("scan.pdf").text == text
    with readwell.Reader(folder, cache_dir=tmp_path, ocr="never") as plain:
        assert plain.reply({"path": "scan.pdf"}).data["error"]["code"] == "DOCUMENT_EMPTY"
