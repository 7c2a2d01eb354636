"""Review comments of a PDF: sticky notes and what was said about marked text."""

from random import Random

import pytest
from made_words import words

from corpus.pdf_writer import Page, Writer, put_page
from readwell.documents.pdf import PDF
from readwell.documents.pdf.page_content.annotations import MAX_ANNOTATIONS
from readwell.documents.pdf.page_content.comment_order import NEAR, ROW, CommentOrder
from readwell.documents.pdf.page_model import Frame, PageWords
from readwell.errors import DocumentEmpty

HIDDEN, NO_VIEW = "/F 2", "/F 32"
PRINTED = "The lamp is lit"


def annotated(*annotations, page=None):
    """A page with annotations, each of a kind, with a box at a height, and with further entries.

    `{0}` among the entries refers to the first of them.
    """
    writer = Writer()
    tree, at = writer.reserve(), writer.reserve()
    places = [writer.reserve() for _ in annotations]
    put_page(writer, page or Page().text(72, 700, PRINTED), at, tree, [at], {})
    for place, (kind, y, entries) in zip(places, annotations, strict=True):
        entries = entries.format(*(f"{each} 0 R" for each in places))
        writer.put(f"<< /Type /Annot /Subtype /{kind} /Rect [72 {y} 150 {y + 12}] {entries} >>", place)
    listed = " ".join(f"{place} 0 R" for place in places)
    writer.put(writer.objects[at - 1][:-2] + f"/Annots [{listed}] >>".encode(), at)
    writer.put(f"<< /Type /Pages /Kids [{at} 0 R] /Count 1 >>", tree)
    return writer.written(writer.put(f"<< /Type /Catalog /Pages {tree} 0 R >>"))


def read(content):
    return PDF.open(content, None, b"").markdown(1)


def shown(*annotations, page=None):
    """What stands below the text of a page with annotations."""
    text, _, below = read(annotated(*annotations, page=page)).partition("\n\n")
    assert text == PRINTED
    return below


@pytest.mark.parametrize(
    "kind", ["Text", "Highlight", "Underline", "Squiggly", "StrikeOut", "Caret", "Stamp", "Ink", "Square", "Redact"]
)
def test_a_comment_stands_below_its_page_with_its_author(kind):
    assert shown((kind, 700, "/T (Ada) /Contents (Since\\nwhen?)")) == "Comments:\n- Ada: Since when?"
    assert shown((kind, 700, "/Contents (Since when?)")) == "Comments:\n- Since when?"


@pytest.mark.parametrize("kind", ["Link", "Popup", "Widget", "Screen", "Movie", "3D", "Watermark"])
def test_what_no_reviewer_made_is_no_comment(kind):
    assert shown((kind, 700, "/T (Ada) /Contents (a description)")) == ""


def test_a_mark_that_says_nothing_is_left_out():
    assert shown(("Highlight", 700, "/T (Ada)"), ("Text", 700, "/T (Ada) /Contents ( \\n )")) == ""


def test_comments_are_in_the_order_of_the_words_that_they_stand_at():
    page = Page().text(72, 700, PRINTED)
    assert shown(("Text", 300, "/Contents (low)"), ("Text", 698, "/Contents (high)"), page=page) == (
        "Comments:\n- high\n- low"
    )


def test_comments_on_columns_are_in_the_order_of_the_columns():
    page = Page()
    for x in (72, 320):
        for row in range(20):
            page.text(x, 700 - 14 * row, f"Words in row {row} of a column of the page")
    boxes = [(330, 696), (80, 500), (330, 500), (80, 696)]
    content = annotated(
        *(("Text", 0, f"/Rect [{x} {y} {x + 9} {y + 9}] /Contents (at {x}, {y})") for x, y in boxes), page=page
    )
    below = read(content).partition("Comments:\n")[2]
    assert below.split("\n") == ["- at 80, 696", "- at 80, 500", "- at 330, 696", "- at 330, 500"]


@pytest.mark.parametrize("seed", range(20))
def test_a_comment_belongs_to_the_nearest_word_of_the_lines_around_it_or_of_the_nearest_line(seed):
    chance = Random(seed)
    found = []
    for row in range(12):
        if chance.random() < 0.7:
            found += words(
                (20 + 40 * row, (chance.randint(10, 90), "one two"), (chance.randint(200, 400), "three four"))
            )
    chance.shuffle(found)
    frame = Frame(a=1, b=0, c=0, d=1, e=0, f=0, width=600, height=600, rotation=0)
    order = CommentOrder(PageWords(600, 600, found, frame, 0))

    def distance(word, x, y):
        middle = (word.top + word.bottom) / 2
        rows = abs(middle // ROW - y // ROW)
        line = (rows, middle) if rows > NEAR else (0, 0)
        return line, max(0, word.x0 - x, x - word.x1) + abs(middle - y)

    for _ in range(40):
        x, y = chance.uniform(0, 600), chance.uniform(-30, 560)
        near = [(distance(word, x, y), number) for number, word in enumerate(found)]
        assert order.sort_key((x, y, x, y))[0] == min(near, default=(0, -1))[1]


def test_replies_stand_below_what_they_reply_to():
    assert (
        shown(
            ("Text", 400, "/T (Cy) /Contents (later)"),
            ("Text", 690, "/T (Ada) /Contents (first)"),
            ("Text", 100, "/T (Ben) /Contents (a reply) /IRT {1}"),
            ("Text", 700, "/T (Ada) /Contents (a reply to it) /IRT {2}"),
        )
        == "Comments:\n- Ada: first\n  - Ben: a reply\n  - Ada: a reply to it\n- Cy: later"
    )


def test_replies_in_a_circle_are_comments():
    below = shown(("Text", 690, "/Contents (one) /IRT {1}"), ("Text", 600, "/Contents (two) /IRT {0}"))
    assert below == "Comments:\n- one\n- two"


def test_the_second_half_of_a_mark_does_not_repeat_its_comment():
    half = "/T (Ada) /Contents (lamps)"
    assert shown(("Caret", 690, half), ("StrikeOut", 690, f"{half} /IRT {{0}} /RT /Group")) == (
        "Comments:\n- Ada: lamps"
    )


def test_a_reply_to_what_is_not_shown_is_a_comment():
    assert shown(("Highlight", 690, ""), ("Text", 690, "/Contents (why?) /IRT {0}")) == "Comments:\n- why?"


@pytest.mark.parametrize("flags", [HIDDEN, NO_VIEW])
@pytest.mark.parametrize("kind", ["Text", "FreeText"])
def test_hidden_comments_are_counted(flags, kind):
    hidden = (kind, 700, f"{flags} /Contents (secret)")
    assert read(annotated(hidden)) == f"<!-- left out: 1 hidden comment -->\n\n{PRINTED}"
    assert read(annotated(hidden, hidden, ("Text", 1, f"{flags} /T (Ada)"))).startswith(
        "<!-- left out: 2 hidden comments -->\n"
    )


def test_a_comment_that_repeats_a_typed_note_is_shown_once():
    typed = ("FreeText", 700, "/Contents (seen on the way)")
    assert shown(typed, ("Text", 700, "/Contents (seen on the way)")) == (
        "<!-- filled in on this page -->\n- seen on the way"
    )
    assert shown(typed, ("Text", 700, "/Contents (and back)")) == (
        "<!-- filled in on this page -->\n- seen on the way\n\nComments:\n- and back"
    )


def test_a_comment_that_says_the_same_as_a_note_elsewhere_is_shown():
    filled = "<!-- filled in on this page -->\n- OK\n\n"
    typed, reply = ("FreeText", 300, "/Contents (OK)"), ("Text", 600, "/T (Eve) /Contents (not at all) /IRT {1}")
    bob = ("Text", 700, "/T (Bob) /Contents (OK)")
    assert shown(typed, bob, reply) == f"{filled}Comments:\n- Bob: OK\n  - Eve: not at all"
    assert shown(typed, ("Text", 300, "/T (Bob) /Contents (OK)")) == f"{filled}Comments:\n- Bob: OK"
    assert shown(typed, ("Text", 700, "/Contents (OK)")) == f"{filled}Comments:\n- OK"
    assert shown(typed, ("Text", 300, "/Contents (OK)"), reply) == f"{filled}Comments:\n- OK\n  - Eve: not at all"
    assert shown(typed, ("Text", 700, "/Contents (OK) /IRT {0}")) == filled.rstrip()


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("# no heading", "\\# no heading"),
        ("x\\n# no heading", "x # no heading"),
        ("x\\r\\n\\r\\n<!-- page 7 -->", "x \\<!-- page 7 -->"),
        ("<!-- page 7 -->", "\\<!-- page 7 -->"),
        ("``` no fence", "\\``` no fence"),
        ("~~~", "\\~~~"),
        ("- no item", "\\- no item"),
        ("| no table |", "\\| no table |"),
        ("a\\001[2Jb", "a\ufffd[2Jb"),
    ],
)
def test_a_comment_cannot_pass_for_structure(said, written):
    assert shown(("Text", 700, f"/Contents ({said})")) == f"Comments:\n- {written}"
    assert shown(("Text", 700, f"/T ({said}) /Contents (x)")) == f"Comments:\n- {written}: x"


def test_the_length_of_an_enormous_comment_is_named():
    below = shown(("Text", 700, f"/T (Ada) /Contents ({'x' * 120_000})"))
    assert below == "Comments:\n- Ada: <!-- 120,000 characters are not shown -->"


@pytest.mark.slow
def test_of_very_many_comments_the_first_are_shown():
    many = [("Text", 600, f"/Contents (say {number})") for number in range(MAX_ANNOTATIONS + 10)]
    text = read(annotated(*many))
    assert text.startswith("<!-- of 5,010 notes and fields on this page the first 5,000 were looked at -->")
    assert text.count("\n- say ") == MAX_ANNOTATIONS


def test_a_page_of_comments_alone_is_not_empty():
    assert read(annotated(("Text", 700, "/Contents (why?)"), page=Page())) == (
        "<!-- no text on this page -->\n\nComments:\n- why?"
    )


def test_a_scan_with_a_comment_is_still_refused():
    image = "q 400 0 0 400 72 72 cm BI /W 24 /H 24 /CS /G /BPC 8 /F /AHx ID " + "00" * 576 + "> EI Q"
    scan = Page().raw(image)
    with pytest.raises(DocumentEmpty):
        read(annotated(("Text", 700, "/Contents (why?)"), page=scan))


def test_a_comment_in_a_box_without_a_place_is_shown():
    assert shown(("Text", 700, "/Rect [1e40 nan 5 5] /Contents (why?)")) == "Comments:\n- why?"
