"""ODT as Markdown: made documents compared whole, a real one by what must be found in it."""

import pytest

from corpus.odt_writer import GOOD, document, paragraph
from readwell.documents.odt import ODT

MAKERS = dict(GOOD)
EXPECTED = {
    "report.odt": """\
# The Title

## A heading

plain **bold *both*** x<sup>2</sup>

two   spaces
next line\ttab

[a site](https://example.org/) and here

noted[^1][^e1][^c1]

```
x = 1
    y = 2
```

> So it is said.

round

![A duck]()

beside

in the box

in a section

[^1]: At the foot.

[^e1]: At the end.

[^c1]: Comment by Ada: Sure?

<!-- hidden content is left out -->""",
    "lists.odt": """\
- a
- b
  - deep
  - deeper

between

1. one
2. two
   - a) deep
   - b) deeper

interrupted

3. three
9. nine""",
    "outline.odt": """\
# 1. One

## 1.1. Sub

## 1.2. Sub again

### Without

# 2. Two

## 2.1. Sub of two

# 1. Listed""",
    "tables.odt": """\
| Name | Size | More |
| --- | --- | --- |
| a\\|b | wide |  |
| again | x | x |
| again | x | x |""",
}


def markdown(content):
    opened = ODT.open(content, None, b"")
    assert (opened.unit, opened.count) == ("", 1)
    return opened.markdown(1)


@pytest.mark.parametrize("name", MAKERS)
def test_a_made_document_becomes_exactly_this(name):
    assert markdown(MAKERS[name]()) == EXPECTED[name]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<text:ruby-text>kan</text:ruby-text>", "漢(kan)字"),
        ("<text:ruby-text>ka<text:span>n</text:span></text:ruby-text>", "漢(kan)字"),
        ("<text:ruby-text> </text:ruby-text>", "漢字"),
    ],
)
def test_a_reading_stands_in_parentheses_behind_its_characters(written, shown):
    ruby = f"<text:ruby><text:ruby-base>漢</text:ruby-base>{written}</text:ruby>字"
    assert markdown(document(paragraph(ruby))) == shown


SHAPE = "<draw:{0}>{1}<text:p>ONE</text:p><text:p>TWO</text:p></draw:{0}>"


@pytest.mark.parametrize(
    ("drawn", "line", "behind"),
    [
        (SHAPE.format("custom-shape", ""), "beforeafter", "\n\nONE\n\nTWO"),
        (SHAPE.format("rect", "<svg:desc>A lamp</svg:desc>"), "before![A lamp]()after", "\n\nONE\n\nTWO"),
        (f"<draw:g>{SHAPE.format('ellipse', '')}<draw:line/></draw:g>", "beforeafter", "\n\nONE\n\nTWO"),
        ("<draw:path><svg:title>A lamp</svg:title></draw:path>", "before![A lamp]()after", ""),
        ("<draw:rect><text:list><text:list-item><text:p>a</text:p></text:list-item></text:list></draw:rect>", "beforeafter", "\n\n- a"),
    ],
)  # fmt: skip
def test_the_text_of_a_shape_stands_behind_its_paragraph(drawn, line, behind):
    assert markdown(document(paragraph(f"before{drawn}after"))) == line + behind


def test_a_real_document_has_what_a_person_sees_in_it(real):
    told = markdown((real / "documents" / "simple.odt").read_bytes())
    assert told.startswith(
        '<!-- left out: page footer "1" -->\n\n# These are a few of my favorite things:\n\n• Parrots\n'
    )
    assert "\n\n- Hockey\n\nAnalysis\n" in told
