"""Scans as text: which pages are recognised, how that is told, kept and bounded, and what happens without an engine."""

import io
import os
import random
import re
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path

import broken_engines
import pytest

import readwell
from command_line import called
from corpus.pdf_documents import PROSE, columns, prose, tables
from corpus.pdf_writer import Page, Writer, pdf
from corpus.scans import pdf_of_images, pixels, scanned
from readwell.documents import ocr
from readwell.documents.image_size import Wanted
from readwell.documents.ocr import (
    EngineSpec,
    find_installed_engine,
    find_language_data,
    installed_languages,
    scan_converter,
)
from readwell.documents.ocr.engine_choice import OcrSettings, find_recogniser
from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_bitmap import GREY, draw_page

pytest.importorskip("tesserocr", reason="NOT TESTED: the extra `ocr` is not installed")
from readwell.documents.ocr.tesseract import Tesseract

CHINESE_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
CHINESE = (
    "灯塔管理员每天清晨检查灯光，然后把天气写进日志。海面上的船只依靠这束光找到港口。如果水位超过三米，"
    "值班人员必须立即通知指挥中心，并且关闭所有闸门。学校图书馆周一至周五开放，读者可以借阅五本书。"
)


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
    two.import_pages(pdfium.PdfDocument(pdf_of_images([image], words="BT /F 10 Tf 20 20 Td (Scanned in May) Tj ET")))
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


def test_search_and_outline_tell_what_was_recognised_as_a_read_does(reader):
    alone = reader.search_reply({"pattern": "lighthouse|Keeper", "path": "scan.pdf"}).text
    assert alone.startswith('[scan.pdf | pdf, 1 page, 1 by ocr | search "')
    tree = reader.search_reply({"pattern": "Scanned in May", "paths": ["mixed.pdf", "scan.pdf"]}).text.split("\n")
    assert tree[1].startswith("[mixed.pdf | pdf, 2 pages, 1 by ocr | 1 match | rev ")
    outline = reader.reply({"path": "scan.pdf", "view": "outline"})
    assert outline.text.startswith("[scan.pdf | pdf, 1 page, 1 by ocr | outline 1-1 of 1 | rev ")
    assert outline.data["ocr"] == 1


@pytest.mark.parametrize("name", ["turned.pdf", pytest.param("sideways.pdf", marks=pytest.mark.slow)])
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


def test_a_table_of_a_scan_is_read_by_its_rules_and_one_without_by_its_white_space(reader, folder):
    (folder / "tables.pdf").write_bytes(scanned(tables()))
    text = reader.reply({"path": "tables.pdf"}).text
    ruled, unruled = text.split("<!-- page 2 -->")
    for page in (ruled, unruled):
        assert page.count("\t| ") >= 4 and PROSE[0].split()[0] in page
    printed = PDF.open(tables(), None, b"").markdown(1)
    rows = [line for line in printed.split("\n") if line.startswith("| ")]
    assert [line.split("\t")[1] for line in ruled.split("\n") if "\t| " in line] == rows


@pytest.mark.slow
def test_the_columns_of_a_scan_are_read_one_after_the_other(reader, folder):
    (folder / "columns.pdf").write_bytes(scanned(columns()))
    scan, printed = (words_in(text) for text in (reader.reply({"path": "columns.pdf"}).text, _printed(columns())))
    assert SequenceMatcher(None, printed, scan, autojunk=False).ratio() > 0.9


def _printed(content):
    return PDF.open(content, None, b"").markdown(1)


def words_in(text):
    return re.findall(r"[A-Za-z]{2,}", re.sub(r"<!--.*?-->|^\[.*\]$", "", text, flags=re.M))


@pytest.mark.slow
def test_handwriting_is_told_as_unsure(reader, folder):
    page, chance = Page(), random.Random(4)
    for y in range(700, 100, -40):
        for x in range(80, 520, 9):
            dots = [value for _ in range(4) for value in (x + chance.uniform(-4, 14), y + chance.uniform(-9, 14))]
            page.curve(*dots)
    (folder / "written.pdf").write_bytes(scanned(pdf(page)))
    told = reader.reply({"path": "written.pdf"}).text.split("\n")[2]
    assert re.match(r"2\t<!-- page 1: read from an image \(eng, confidence [1-5]?\d\), not read well: see view=", told)


def test_a_page_that_cannot_be_read_says_so(reader, folder):
    (folder / "blank.pdf").write_bytes(pdf_of_images([(400, 300, bytes([255]) * 120_000)]))
    told = reader.reply({"path": "blank.pdf"}).text.split("\n")[2]
    assert told == '2\t<!-- page 1: read from an image (eng, confidence 0), not read well: see view="image" -->'


@pytest.mark.parametrize("ocr", ["auto", "always", "never"])
def test_a_blank_page_is_told_as_blank_and_not_recognised(folder, ocr):
    (folder / "empty.pdf").write_bytes(pdf(Page(), Page()))
    (folder / "one.pdf").write_bytes(pdf(Page()))
    (folder / "with_blank.pdf").write_bytes(pdf(Page().text(72, 700, PROSE[0]), Page()))
    (folder / "scan_and_blank.pdf").write_bytes(_with_blank_page((folder / "scan.pdf").read_bytes()))
    with readwell.Reader(folder, cache_dir=None, ocr=ocr, ocr_languages=["eng"]) as reader:
        told = [reader.reply({"path": name}).text for name in ("empty.pdf", "one.pdf")]
        texts = [reader.reply({"path": name}).text for name in ("with_blank.pdf", "scan_and_blank.pdf")]
    assert told == [
        "[error DOCUMENT_EMPTY] 'empty.pdf' holds no text: all of its 2 pages are blank. Read another file.",
        "[error DOCUMENT_EMPTY] 'one.pdf' holds no text: its only page is blank. Read another file.",
    ]
    assert texts[0].split("<!-- page 2 -->\n")[1].split("\n")[0].endswith("\t<!-- this page is blank -->")
    if ocr == "never":
        said = "[error DOCUMENT_EMPTY] 'scan_and_blank.pdf' has no text layer (1 page of images, 1 blank). "
        assert texts[1].startswith(said)
    else:
        assert texts[1].startswith("[scan_and_blank.pdf | pdf, 2 pages, 1 by ocr |")
        assert "\t<!-- this page is blank -->\n" in texts[1].split("<!-- page 2 -->\n")[1]


def test_a_document_in_which_the_engine_sees_no_scan_is_only_to_be_looked_at(reader, folder):
    (folder / "icon.pdf").write_bytes(pdf_of_images([(16, 16, bytes(256))]))
    assert reader.reply({"path": "icon.pdf"}).text == (
        "[error DOCUMENT_EMPTY] 'icon.pdf' has no text layer (1 page of images). "
        'Look at its pages with view="image" pages="1".'
    )


def _with_blank_page(content):
    import pypdfium2 as pdfium

    document, held = pdfium.PdfDocument(content), io.BytesIO()
    document.new_page(612, 792)
    document.save(held)
    return held.getvalue()


def test_a_text_layer_of_nothing_but_unknown_letters_counts_as_none(folder):
    page = Page().text(72, 700, "\ue001\ue002\ue003\ue004\ue005" * 8, 10, "Unicode")
    (folder / "garbage.pdf").write_bytes(pdf(page, Page().text(72, 700, PROSE[0])))
    with readwell.Reader(folder, cache_dir=None, ocr="never") as plain:
        text = plain.reply({"path": "garbage.pdf"}).text
    assert '<!-- the text layer of this page is unreadable: see view="image" -->' in text
    assert "\ue001" not in text and PROSE[0] in text


def test_a_text_layer_of_nothing_but_unknown_letters_is_recognised_instead(reader, folder):
    (folder / "unknown.pdf").write_bytes(printed_as_unknown_letters(written()))
    text = reader.reply({"path": "unknown.pdf"}).text
    assert text.startswith("[unknown.pdf | pdf, 1 page, 1 by ocr |")
    assert "<!-- page 1: read from an image (eng, confidence 9" in text
    assert all(sentence in " ".join(text.split()) for sentence in PROSE[:3])
    assert not re.search("[\ue000-\uf8ff]", text)


def printed_as_unknown_letters(page):
    """A PDF whose page looks as it does, and whose font says of every letter that it is one of nobody's."""
    writer = Writer()
    tree = writer.reserve()
    unknown = writer.stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"1 beginbfrange <00> <FF> <E000> endbfrange\nendcmap end end"
    )
    kind = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding"
    font = writer.put(f"<< {kind} /ToUnicode {unknown} 0 R >>")
    drawn = writer.stream(b"\n".join(page.drawn))
    named = " ".join(f"/{name} {font} 0 R" for name in sorted(page.fonts))
    at = writer.put(
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 612 792] /Resources << /Font << {named} >> >>"
        f" /Contents {drawn} 0 R >>"
    )
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def test_doctor_names_the_engine_and_its_languages(tmp_path):
    done = called(tmp_path, "doctor", env=os.environ | {"READWELL_CACHE_DIR": str(tmp_path)})
    [told] = re.findall(r"^ok +scans +(.+)$", done.stdout, re.M)
    engine, languages = told.split(": ")
    assert engine == find_installed_engine(sys.path).name == "tesseract"
    assert languages.split(", ") == [*installed_languages(sys.path)] and {"eng", "deu"} <= {*languages.split(", ")}


def test_a_language_without_data_is_named_in_the_page(folder):
    with readwell.Reader(folder, cache_dir=None, ocr_languages=["eng", "tlh"]) as klingon:
        assert "(eng, confidence 9" in (text := klingon.reply({"path": "scan.pdf"}).text)
        assert "; no data for tlh), may contain errors" in text


def test_the_extra_brings_the_data_of_two_languages(monkeypatch):
    """Nothing of the system is needed, and nothing is downloaded."""
    monkeypatch.setattr(ocr, "SYSTEM_FOLDERS", ())
    data = find_language_data(sys.path)
    assert {"eng", "deu"} <= {*data.folders}
    assert all(Path(folder, f"{name}.traineddata").stat().st_size > 1_000_000 for name, folder in data.folders.items())


def test_every_page_is_recognised_on_request(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf(written()))
    with readwell.Reader(tmp_path, cache_dir=None, ocr="always", ocr_languages=["eng"]) as reader:
        text = reader.reply({"path": "a.pdf"}).text
    assert text.startswith("[a.pdf | pdf, 1 page, 1 by ocr |")
    assert "<!-- page 1: read from an image (eng" in text and PROSE[0] in " ".join(text.split())


def test_a_recognised_page_is_judged_alone(tmp_path):
    """What is printed on every page stays on every page: another page would have to be recognised to know."""
    pages = []
    for number in range(3):
        page = Page((0, 0, 400, 250)).text(72, 230, "Keeper of Lights, Annual Report", 10)
        prose(page, 190, 4, 4 * number)
        pages.append(page)
    (tmp_path / "heads.pdf").write_bytes(scanned(pdf(*pages)))
    with readwell.Reader(tmp_path, cache_dir=None, ocr_languages=["eng"]) as reader:
        assert reader.reply({"path": "heads.pdf"}).text.count("Annual Report") == 3


def test_languages_are_those_installed_and_english_comes_first():
    data = find_language_data(sys.path)
    first, *others = data.folders
    assert first == "eng" and {*others} <= {*installed_languages(sys.path)} and len(others) < 3
    assert find_language_data(sys.path, ["tlh"]) is None
    assert find_recogniser(OcrSettings("auto", ("tlh",)), False, tuple(sys.path)) is None
    assert find_language_data([], ["eng"]) is None or [*find_language_data([], ["eng"]).folders] == ["eng"]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("printed,auto,eng+deu", ("eng+deu", True, False)),
        ("paragraphs,auto,eng", ("eng", False, False)),
        ("paragraphs,always,eng", ("eng", False, True)),
    ],
)
def test_the_name_of_a_recogniser_says_what_it_does(name, options):
    assert getattr(scan_converter, name).open.args == options
    for wrong in (name.replace("a", "o"), name.partition(",")[0], ""):
        with pytest.raises(AttributeError):
            getattr(scan_converter, wrong)


@pytest.mark.slow
def test_languages_of_several_folders_are_used_together(folder, tmp_path, monkeypatch):
    elsewhere = tmp_path / "more"
    elsewhere.mkdir()
    packaged = find_language_data(sys.path, ["deu"]).folders["deu"]
    (elsewhere / "deu2.traineddata").write_bytes(Path(packaged, "deu.traineddata").read_bytes())
    monkeypatch.setattr(ocr, "SYSTEM_FOLDERS", (str(elsewhere),))
    data = find_language_data(sys.path, ["eng", "deu2"])
    assert data.name == "eng+deu2" and data.folders["deu2"] == str(elsewhere) != data.folders["eng"]
    words = Tesseract(data).recognise(_drawn(folder / "scan.pdf"), 200)
    assert [word.text for word in words][:4] == ["The", "Keeper", "of", "Lights"]


def _drawn(path):
    import pypdfium2 as pdfium

    return draw_page(pdfium.PdfDocument(path)[0], Wanted(side=2200), colours=GREY)


@pytest.mark.slow
def test_a_script_without_data_is_named_in_the_page(tmp_path):
    if find_language_data(sys.path, ["eng"]).orientation is None:
        pytest.skip("NOT TESTED: apt-get install tesseract-ocr-osd")
    (tmp_path / "chinese.pdf").write_bytes(chinese())
    with readwell.Reader(tmp_path, cache_dir=None, ocr_languages=["eng"]) as reader:
        told = reader.reply({"path": "chinese.pdf"}).text.split("\n")[2]
    assert re.fullmatch(
        r"2\t<!-- page 1: read from an image \(eng, confidence \d+; no data for Han script\),"
        r' not read well: see view="image" -->',
        told,
    )


@pytest.mark.slow
def test_chinese_is_read_where_its_data_are_installed(tmp_path):
    if "chi_sim" not in installed_languages(sys.path):
        pytest.skip("NOT TESTED: apt-get install tesseract-ocr-chi-sim")
    (tmp_path / "chinese.pdf").write_bytes(chinese())
    with readwell.Reader(tmp_path, cache_dir=None, ocr_languages=["chi_sim", "eng"]) as reader:
        text = reader.reply({"path": "chinese.pdf"}).text
    assert "(chi_sim+eng, confidence 9" in text
    read = {*re.sub(r"\s", "", text)}
    assert len({*CHINESE} - read) <= 3


def chinese():
    """A scan of a page of Chinese; needs a font."""
    if not CHINESE_FONT.exists():
        pytest.skip("NOT TESTED: apt-get install fonts-wqy-microhei")
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (1654, 1200), 255)
    paper, font = ImageDraw.Draw(image), ImageFont.truetype(CHINESE_FONT, 31)
    for number, start in enumerate(range(0, 3 * len(CHINESE), 40)):
        paper.text((150, 100 + 54 * number), (3 * CHINESE)[start : start + 40], fill=0, font=font)
    held = io.BytesIO()
    image.save(held, "PDF", resolution=200)
    return held.getvalue()


@pytest.mark.parametrize("settings", [OcrSettings("sometimes"), OcrSettings("auto", ["../eng"])])
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError):
        settings.checked()


@pytest.mark.slow
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


@pytest.fixture
def broken(monkeypatch, tmp_path):
    """A reader whose engine fails as the grey of a page asks for."""
    monkeypatch.setattr(ocr, "ENGINES", (EngineSpec("broken", "broken_engines", ("pypdfium2",)),))
    find_recogniser.cache_clear()
    with readwell.Reader(tmp_path, cache_dir=None, ocr_languages=["eng"]) as reader:
        yield tmp_path, reader
    find_recogniser.cache_clear()


@pytest.mark.parametrize(
    "failure, told",
    [
        ("CRASHES", r"the parser crashed \(Aborted; it may use \d+ MiB of memory\)"),
        pytest.param("HANGS", "it took too much processor time", marks=pytest.mark.slow),
        pytest.param("EATS_MEMORY", r"more than \d+ MiB of memory would be needed", marks=pytest.mark.slow),
        pytest.param("WAITS", "it waited without working", marks=pytest.mark.slow),
        ("RAISES", "its parser says 'no such luck'"),
    ],
)
def test_an_engine_that_fails_costs_its_page_and_not_the_document(broken, failure, told):
    folder, reader = broken
    greys = [broken_engines.FINE, getattr(broken_engines, failure), broken_engines.FINE, broken_engines.FINE]
    (folder / "scan.pdf").write_bytes(pdf_of_images([(400, 300, bytes([grey]) * 120_000) for grey in greys]))
    text = reader.reply({"path": "scan.pdf"}).text
    pages = re.split(r"\d+\t<!-- page \d -->\n", text)[1:]
    assert len(pages) == 4 and text.endswith("[end]")
    assert re.search(rf"<!-- not converted: {told} -->", pages[1])
    assert [page.count("\tread\n") for page in pages] == [1, 0, 1, 1]


def test_a_scan_of_very_many_pages_gives_its_first_window_at_once(broken):
    folder, reader = broken
    (folder / "long.pdf").write_bytes(pdf_of_images([(400, 300, bytes([250]) * 120_000)], copies=2000))
    first = reader.reply({"path": "long.pdf", "limit": 6}).text
    assert first.startswith("[long.pdf | pdf, 2000 pages, 2 by ocr | lines 1-6 of ? (pages 1-2) | rev ")
    assert first.endswith("[more: offset=7]")
    last = reader.reply({"path": "long.pdf", "pages": "1999-2000"}).text
    assert "<!-- page 1999 -->" in last and last.endswith("[end]")
