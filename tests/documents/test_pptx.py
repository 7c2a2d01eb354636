"""PPTX as Markdown: made presentations compared whole, real ones by what must be found in them."""

import pytest

from corpus.pptx_writer import GOOD, OFFICE, paragraph, presentation, shape, slide
from readwell import Reader
from readwell.documents.pptx import PPTX

MAKERS = dict(GOOD)
EXPECTED = {
    "talk.pptx": [
        """\
# The Title

- First
  - Deeper
- Second

No bullet

**Really** [link](https://example.org/)

3. three
4. four

![A duck]()

Notes:

Say it slowly.

Comments:

- Ada: Too long""",
        """\
*Hidden slide*

# Numbers

| a\\|b | both |  |
| --- | --- | --- |
| 1 | 2 | 3 |""",
    ],
    "bare_placeholder.pptx": ["Plain\n\n- Listed"],
    "missing_slide.pptx": [
        "Here",
        "*This slide is missing from the file.*",
    ],
    "repeated_slide.pptx": ["Once"],
    "malformed.pptx": [
        "![]()\n\n![]()\n\n<!-- a chart cannot be read: its part of the file is missing or damaged -->\n\nwords",
        "*This slide is missing from the file.*",
    ],
    "absurd.pptx": ["- deep\n- odd\n1. n\n\n| wide |\n| --- |", ""],
}
FOUND = {
    "powerpoint_bad_text.pptx": [["# X-Library The fully customisable and copyright-free"]],
    "powerpoint_comments.pptx": [
        ["# Test Slide With Comments", "- John Reviewer: This is a sample reviewer comment\n- Jane Smith: This is a sample response"],
        ["[Python library](https://pypi.org/project/docling)"],
        ["# Features\n\n- Import many document formats"],
    ],
    "powerpoint_sample.pptx": [
        ["# Test Table Slide", "| R1 | True | False |  | False | True | True |"],
        ["- With foo\n- Bar\n- And baz things", "Notes:\n\nSome notes on the second slide."],
        ["1. List item4\n2. List item5\n3. List item6", "Second line of notes."],
    ],
    "pptx_chart.pptx": [["| Wild Duck Observations by Year | Freshwater Ducks | Saltwater Ducks |", "| 2022 | 175 | 130 |"], ["| Q3 | 30 |"]],
}  # fmt: skip


def slides(content):
    opened = PPTX.open(content, None, b"")
    assert opened.unit == "slide"
    return [opened.markdown(number) for number in range(1, opened.count + 1)]


@pytest.mark.parametrize("name", MAKERS)
def test_a_made_presentation_becomes_exactly_this(name):
    assert slides(MAKERS[name]()) == EXPECTED[name]


def test_of_alternatives_one_title_is_shown_and_none_of_a_hidden_group():
    title = shape(paragraph("Sum"), "title")
    either = (
        f'<mc:AlternateContent xmlns:mc="{OFFICE}markup-compatibility/2006"><mc:Choice Requires="a14">{title}</mc:Choice>'
        f"<mc:Fallback>{title}</mc:Fallback></mc:AlternateContent>"
    )
    group = '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"{}/></p:nvGrpSpPr>{}</p:grpSp>'
    assert slides(presentation([slide(either), slide(group.format("", title))])) == ["# Sum", "# Sum"]
    hidden = slides(presentation([slide(group.format(' hidden="1"', title))]))
    assert hidden == ["<!-- hidden content is left out -->"]


def test_a_slide_is_the_same_whichever_others_are_read():
    content = MAKERS["talk.pptx"]()
    assert PPTX.open(content, None, b"").markdown(2) == slides(content)[1]


@pytest.mark.parametrize("name", FOUND)
def test_a_real_presentation_has_what_a_person_sees_in_it(real, name):
    told = slides((real / "documents" / name).read_bytes())
    missing = [part for slide, parts in zip(told, FOUND[name], strict=True) for part in parts if part not in slide]
    assert missing == []


def test_a_presentation_without_slides_holds_no_text(tmp_path):
    (tmp_path / "none.pptx").write_bytes(presentation([]))
    with Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "none.pptx"})
    assert reply.text == "[error DOCUMENT_EMPTY] 'none.pptx' holds no text. Read another file."
