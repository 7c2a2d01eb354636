"""The converter as a whole, on documents of our own and on real ones."""

import hashlib
import json
import pickle
import re
import subprocess
import sys
from collections import Counter

import pypdfium2 as pdfium
import pytest

from corpus.pdf_documents import PASSWORD, PDFS, PROSE
from corpus.pdf_writer import Heading, Page, pdf
from readwell.documents.converters import find_converter, version_of
from readwell.documents.pdf import PDF
from readwell.documents.pdf.pdf_document import UNREADABLE
from readwell.errors import ConversionFailed, DocumentEmpty, DocumentLocked, ReadError

DEADLY = {"bomb.pdf", "exploding.pdf"}
"""What only a process with limits may open."""
NAMES = [name for name, _ in PDFS if name not in DEADLY]
TEXT = "\n".join(PROSE)


def opened(content, password=None, prepared=b""):
    return PDF.open(content, password, prepared)


def pages(document):
    return [document.markdown(number) for number in range(1, document.count + 1)]


def test_the_version_names_the_engine_and_our_own_rules():
    version = version_of(find_converter("pdf", {}))
    assert re.fullmatch(r"readwell\.documents\.pdf, \d+, pypdfium2 [\d.]+", version)


def test_a_document_tells_its_unit_and_how_many_there_are(made):
    document = opened((made / "headings.pdf").read_bytes())
    assert (document.unit, document.count) == ("page", 4)
    for number in (0, 5, -1):
        with pytest.raises(IndexError):
            document.markdown(number)


def test_headings_by_size_and_weight_beside_running_heads_captions_and_labels(made):
    first, second, *_ = pages(opened((made / "headings.pdf").read_bytes()))
    assert [row for row in first.split("\n") if row.startswith("#")] == [
        "# On Lights and Keepers",
        "## 1 Section first",
        "### Evening of day one",
    ]
    assert [row for row in second.split("\n") if row.startswith("#")] == [
        "## 2 Section second",
        "### Evening of day two",
    ]
    assert ("The Keeper's Book" in first, "The Keeper's Book" in second) == (True, False)
    assert "Figure 2: the lamp\n" in second and "\nDefinition 2 is what is meant here.\n" in second


def test_an_outline_names_headings_that_look_like_text(made):
    first, second = pages(opened((made / "outline.pdf").read_bytes()))
    assert first == f"# Beginnings\n\n{TEXT}\n\n## Of the weather in the northern waters\n\n{TEXT}"
    assert second == f"# Chapter 2 Returning home\n\n{TEXT}"


def test_an_outline_may_lead_to_its_pages_by_actions():
    page = Page().text(72, 700, "Beginnings").text(72, 650, "and what follows")
    content = pdf(page, outline=[Heading("Beginnings", 0)])
    (target,) = re.findall(rb"/Dest (\[.*?\])", content)
    assert pages(opened(content)) == ["# Beginnings\n\nand what follows"]
    by_action = content.replace(b"/Dest " + target, b"/A << /S /GoTo /D " + target + b" >>")
    assert pages(opened(by_action)) == ["# Beginnings\n\nand what follows"]
    elsewhere = content.replace(b"/Dest " + target, b"/A << /S /URI /URI (https://example.org) >>")
    assert pages(opened(elsewhere)) == ["Beginnings\nand what follows"]


def test_a_structure_tree_names_headings(made):
    (page,) = pages(opened((made / "tagged.pdf").read_bytes()))
    assert page.split("\n")[:3] == ["## Named by its tag", "", "Large and yet no heading"]


def test_tables_with_and_without_rules(made):
    rows = [
        "| Light | Height | Range |",
        "| --- | --- | --- |",
        "| North | 31 | 18 |",
        "| East | 24 | 15 |",
        "| South | 40 | 22 |",
    ]
    text = "\n".join(PROSE[:3])
    assert pages(opened((made / "tables.pdf").read_bytes())) == [f"{text}\n\n{chr(10).join(rows)}\n\n{text}"] * 2


def test_a_footnote_stays_below_its_text(made):
    (page,) = pages(opened((made / "footnotes.pdf").read_bytes()))
    assert page.endswith("The lamp burns colza1\n1 An oil pressed from seeds.")


def test_columns_are_read_one_after_the_other(made):
    (page,) = pages(opened((made / "columns.pdf").read_bytes()))
    sides = [f"{side} column, line {number} of twenty" for side in ("Left", "Right") for number in range(1, 21)]
    assert page.split("\n") == sides


def test_right_to_left_text_is_in_the_order_in_which_it_is_read(made):
    (page,) = pages(opened((made / "right_to_left.pdf").read_bytes()))
    assert page == "שלום לכל הקוראים\nהמגדלור עומד בצפון\nהים שקט היום"


def test_a_turned_page_reads_like_any_other(made):
    assert pages(opened((made / "rotated.pdf").read_bytes())) == [TEXT]


def test_a_listing_is_fenced(made):
    (page,) = pages(opened((made / "code.pdf").read_bytes()))
    listing = "````\ndef light(hours):\n    burnt = 3 * hours\n    return burnt\n\n```\n````"
    text = "\n".join(PROSE[:3])
    assert page == f"{TEXT}\n\n{listing}\n\n{text}\nmake test\n{text}"


FILLED_IN = """<!-- filled in on this page -->
- Name of the keeper: Ada Lind
- height: 31 m
- lit: [x]
- seen on the way"""


def test_what_was_filled_in_stands_below_the_page(made):
    (page,) = pages(opened((made / "form.pdf").read_bytes()))
    assert page == f"Name:\nHeight:\nThe lamp is lit\nIt is foggy\n\n{FILLED_IN}"


def test_a_form_without_a_printed_word_is_not_empty(made):
    assert pages(opened((made / "scanned_form.pdf").read_bytes())) == [FILLED_IN]


def test_a_scan_is_refused_with_its_number_of_pages(made):
    with pytest.raises(DocumentEmpty) as refusal:
        opened((made / "scan.pdf").read_bytes())
    assert (refusal.value.converter, refusal.value.pages) == ("pdf", 2)


def test_a_scanned_page_among_others_says_what_it_is(made):
    assert pages(opened((made / "scan_with_text.pdf").read_bytes())) == [TEXT, "<!-- no text on this page: 1 image -->"]


def test_a_blank_page_says_so_and_one_with_a_drawing_is_not_blank():
    page, drawn = Page().text(72, 700, "the only line"), Page().line(72, 700, 300, 700)
    grouped, empty_group = Page().form(Page().fill(72, 72, 50, 50)), Page().form(Page())
    linked = Page().link(72, 700, 200, 720, "https://example.org")
    blank, no_text = "<!-- this page is blank -->", "<!-- no text on this page -->"
    shown = pages(opened(pdf(page, Page(), drawn, grouped, empty_group, linked)))
    assert shown == ["the only line", blank, no_text, no_text, blank, no_text]


def test_a_document_without_text_tells_how_many_of_its_pages_are_blank():
    for made, counts in (([Page(), Page()], (2, 2)), ([Page(), Page().line(72, 700, 300, 700)], (2, 1))):
        with pytest.raises(DocumentEmpty) as refusal:
            opened(pdf(*made))
        assert (refusal.value.pages, refusal.value.blank) == counts


def test_text_on_the_one_page_outside_the_sample_is_found():
    blank = [Page() for _ in range(99)]
    blank[1] = Page().text(72, 700, "the only line")
    assert opened(pdf(*blank)).markdown(2) == "the only line"


@pytest.mark.parametrize("password", [None, "", "wrong", "\ud800", PASSWORD.upper(), "x" * 5000])
def test_a_locked_document_asks_for_its_password(made, password):
    with pytest.raises(DocumentLocked) as refusal:
        opened((made / "locked.pdf").read_bytes(), password)
    assert pickle.loads(pickle.dumps(refusal.value)).args == ("pdf",)


def test_the_password_opens_a_locked_document(made):
    content = (made / "locked.pdf").read_bytes()
    document = opened(content, PASSWORD)
    assert pages(document) == [TEXT]
    with pytest.raises(DocumentLocked):
        opened(content, None, document.prepared())


def test_a_password_that_is_not_needed_does_no_harm(made):
    assert pages(opened((made / "rotated.pdf").read_bytes(), "\ud800")) == [TEXT]


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"hello", b"%PDF-1.7\n" + bytes(5000), b"\xff" * 100])
def test_what_is_no_pdf_is_refused_in_plain_words(content):
    with pytest.raises(ConversionFailed) as refusal:
        opened(content)
    assert type(refusal.value) is ConversionFailed
    assert refusal.value.args == ("pdf", "it is damaged or not a PDF")


def test_a_damaged_document_is_refused(made):
    with pytest.raises(ConversionFailed, match="damaged"):
        opened((made / "damaged.pdf").read_bytes())


def test_a_damaged_page_does_not_take_the_others_with_it(made):
    assert pages(opened((made / "damaged_page.pdf").read_bytes())) == [TEXT, UNREADABLE]


def test_a_form_that_draws_itself_ends(made):
    assert pages(opened((made / "recursive.pdf").read_bytes())) == ["Still read"]


def test_an_outline_that_loops_ends(made):
    assert pages(opened((made / "looped_outline.pdf").read_bytes())) == [f"# Beginnings\n\n{TEXT}"]


def test_a_structure_tree_that_loops_ends(made):
    (page,) = pages(opened((made / "looped_tags.pdf").read_bytes()))
    assert page.endswith(TEXT)


def test_an_outline_of_very_many_entries_is_read_up_to_a_bound():
    page = Page().text(72, 700, "Beginnings").text(72, 650, "and what follows them")
    content = pdf(page, outline=[Heading("Beginnings", 0), *[Heading("More", 0)] * 30_000])
    assert pages(opened(content)) == ["# Beginnings\n\nand what follows them"]


def test_an_outline_of_very_many_levels_is_read_up_to_a_bound():
    entry = Heading("Deepest", 0)
    for _ in range(300):
        entry = Heading("Deeper", 0, entry)
    page = Page().text(72, 700, "Deeper").text(72, 650, "and what follows")
    assert pages(opened(pdf(page, outline=[entry]))) == ["# Deeper\n\nand what follows"]


@pytest.mark.parametrize("name", NAMES)
def test_every_page_keeps_the_contract(made, name):
    """Lines end in a newline, not in a space; no two empty lines in a row; never nothing."""
    try:
        document = opened((made / name).read_bytes(), PASSWORD)
    except ReadError:
        return
    for page in pages(document):
        keeps_the_contract(page)


def keeps_the_contract(page):
    assert page and page == page.strip("\n")
    assert "\r" not in page and "\n\n\n" not in page
    assert not [row for row in page.split("\n") if row != row.rstrip()]
    page.encode()


def test_a_page_is_the_same_alone_and_in_any_order(made):
    for name in ("headings.pdf", "outline.pdf", "tables.pdf", "links.pdf"):
        content = (made / name).read_bytes()
        whole = opened(content)
        expected = pages(whole)
        prepared = whole.prepared()
        assert [opened(content).markdown(number) for number in range(1, whole.count + 1)] == expected
        assert [opened(content, None, prepared).markdown(number) for number in range(1, whole.count + 1)] == expected
        backwards = opened(content)
        assert [backwards.markdown(number) for number in range(whole.count, 0, -1)] == expected[::-1]
        assert pages(whole) == expected


def test_what_was_prepared_is_used_and_anything_else_is_made_anew(made):
    content = (made / "headings.pdf").read_bytes()
    document = opened(content)
    without_heads = json.loads(document.prepared()) | {"running": []}
    prepared = json.dumps(without_heads, separators=(",", ":")).encode()
    assert "The Keeper's Book" in opened(content, None, prepared).markdown(2)
    for odd in (b"{", b"null", prepared[:-1], prepared + b"\n"):
        assert pages(opened(content, None, odd)) == pages(document)


MANY = 250


def test_many_pages_are_the_same_whether_the_document_was_loaded_anew_or_not():
    content = pdf(*[Page().text(72, 700, f"this is page {number}") for number in range(1, MANY + 1)])
    document = opened(content)
    assert pages(document) == [f"this is page {number}" for number in range(1, MANY + 1)]
    assert document.markdown(3) == "this is page 3"


def test_nothing_is_printed(made):
    """Neither PDFium nor its binding says anything, not even at the end of the process."""
    code = (
        "import sys\nfrom readwell.documents.pdf import PDF\nfrom readwell.errors import ReadError\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        document = PDF.open(open(name, 'rb').read(), None, b'')\n"
        "        [document.markdown(number) for number in range(1, document.count + 1)]\n"
        "    except ReadError:\n        pass\n"
    )
    command = [sys.executable, "-c", code, *[str(made / name) for name in NAMES]]
    run = subprocess.run(command, capture_output=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_nothing_is_imported_once_the_sample_is_converted(made):
    """A process that is caged after its imports can load nothing more, not even a codec."""
    code = (
        "import sys\nfrom readwell.documents.pdf import PDF\nfrom readwell.errors import ReadError\n"
        "PDF.open(PDF.sample(), None, b'').markdown(1)\n"
        "known = set(sys.modules)\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        document = PDF.open(open(name, 'rb').read(), None, b'')\n"
        "        [document.markdown(number) for number in range(1, document.count + 1)]\n        document.prepared()\n"
        "    except ReadError:\n        pass\n"
        "print(sorted(set(sys.modules) - known))\n"
    )
    command = [sys.executable, "-c", code, *[str(made / name) for name in NAMES]]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "[]\n", "")


def digests(paths):
    """One digest of all pages for each document, made in a process of its own."""
    code = (
        "import sys, hashlib\nfrom readwell.documents.pdf import PDF\nfrom readwell.errors import ReadError\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        document = PDF.open(open(name, 'rb').read(), None, b'')\n"
        "        told = '\\0'.join(document.markdown(number) for number in range(1, document.count + 1))\n"
        "    except ReadError as error:\n        told = repr(error)\n"
        "    print(hashlib.sha256(told.encode()).hexdigest())\n"
    )
    run = subprocess.run([sys.executable, "-c", code, *map(str, paths)], capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.split()


def test_another_process_writes_the_same_bytes(made):
    paths = [made / name for name in NAMES]
    ours = []
    for path in paths:
        try:
            told = "\0".join(pages(opened(path.read_bytes())))
        except ReadError as error:
            told = repr(error)
        ours.append(hashlib.sha256(told.encode()).hexdigest())
    assert digests(paths) == ours


@pytest.mark.parametrize(
    "name, found",
    [
        ("documents/code_and_formula.pdf", ["# JavaScript Code Example", "    return a + b;", "# Formula"]),
        (
            "documents/multi_page.pdf",
            ["# Future of Word Processing", "1. Undo/Redo: Introduced in the 1980s, the ability"],
        ),
        ("documents/right_to_left_01.pdf", ["pandas في Python"]),
        ("documents/normal_4pages.pdf", ["# 1 들어가며", "# 2 코로나-19 관련 보험 현황"]),
        ("documents/2305.03393v1-pg9.pdf", ["## 5.1 Hyper Parameter Optimization", "| 0.965 |"]),
        ("headings/crdt-study.pdf", ["### 3.3.2 2P-Set", "[ConcoRDanT](http://concordant.lip6.fr/)"]),
        ("headings/2408.02509v1.pdf", ["## 4.1. Attack Template", "    hasher = hashlib.sha256()"]),
        ("headings/intel-5-level-paging.pdf", ["### 2.5.1 Canonicality Checking on RIP Loads"]),
    ],
)
def test_real_documents_hold_what_must_be_found_in_them(real, name, found):
    text = "\n\n".join(pages(opened((real / name).read_bytes())))
    assert [part for part in found if part not in text] == []


@pytest.mark.parametrize(
    "name, error",
    [
        ("GHOSTSCRIPT-698804-1-fuzzed.pdf", DocumentEmpty),
        ("bug1020226.pdf", ConversionFailed),
        ("bug1250079.pdf", ConversionFailed),
        ("poppler-395-0-fuzzed.pdf", ConversionFailed),
        ("poppler-742-0-fuzzed.pdf", ConversionFailed),
        ("poppler-937-0-fuzzed.pdf", ConversionFailed),
        ("issue6010_1.pdf", DocumentLocked),
        ("issue15893_reduced.pdf", DocumentLocked),
        ("ocr_test.pdf", DocumentEmpty),
    ],
)
def test_real_documents_that_cannot_be_read_are_refused(real, name, error):
    with pytest.raises(error) as refusal:
        opened((real / "documents" / name).read_bytes())
    assert type(refusal.value) is error


def test_why_a_document_is_refused_does_not_depend_on_the_one_before(made):
    """PDFium's last error stays: a document without pages was taken for locked after a locked one."""
    without_pages = pdf()
    for before in ("locked.pdf", "damaged.pdf"):
        with pytest.raises(ReadError):
            opened((made / before).read_bytes())
        with pytest.raises(ConversionFailed) as refusal:
            opened(without_pages)
        assert refusal.value.args == ("pdf", "none of its pages can be read")


@pytest.mark.slow
def test_six_hundred_pages_need_no_more_memory_than_two_hundred(tmp_path):
    book = tmp_path / "book.pdf"
    book.write_bytes(pdf(*[full_page(number) for number in range(600)]))
    code = (
        "import sys, resource\nfrom readwell.documents.pdf import PDF\n"
        "document = PDF.open(open(sys.argv[1], 'rb').read(), None, b'')\n"
        "def peak(*numbers):\n"
        "    for number in range(*numbers):\n        document.markdown(number)\n"
        "    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(peak(1, 201), peak(201, 601))\n"
    )
    run = subprocess.run([sys.executable, "-c", code, str(book)], capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stderr) == (0, "")
    before, after = map(int, run.stdout.split())
    assert after - before < 8 * 1024


def full_page(number):
    page = Page()
    for row in range(30):
        page.text(72, 740 - 20 * row, f"{PROSE[row % len(PROSE)]} {number * row}", 10, "Times-Roman")
    return page


@pytest.mark.slow
def test_real_documents_keep_their_text_and_every_page_stands_alone(real):
    """Letters and digits against PDFium's own text; what may be missing is what runs through the document."""
    paths = sorted(real.rglob("*.pdf"))
    shares, ours = [], []
    for path in paths:
        content = path.read_bytes()
        try:
            document = opened(content)
        except ReadError as error:
            ours.append(hashlib.sha256(repr(error).encode()).hexdigest())
            continue
        whole = pages(document)
        ours.append(hashlib.sha256("\0".join(whole).encode()).hexdigest())
        shares.append(share(content, whole))
        alone = [opened(content, None, document.prepared()).markdown(number) for number in (1, document.count)]
        assert alone == [whole[0], whole[-1]], path
        for page in whole:
            keeps_the_contract(page)
    assert digests(paths) == ours
    assert sum(shares) / len(shares) >= 0.985 and min(shares) >= 0.9


def share(content, written):
    kept = wanted = 0
    with pdfium.PdfDocument(content) as document:
        for number, page in enumerate(written):
            printed = Counter(filter(str.isalnum, document[number].get_textpage().get_text_bounded()))
            kept += (printed & Counter(filter(str.isalnum, page))).total()
            wanted += printed.total()
    return kept / max(1, wanted)
