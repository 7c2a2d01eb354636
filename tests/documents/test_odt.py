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


def test_a_real_document_has_what_a_person_sees_in_it(real):
    told = markdown((real / "documents" / "simple.odt").read_bytes())
    assert told.startswith(
        '<!-- left out: page footer "1" -->\n\n# These are a few of my favorite things:\n\n• Parrots\n'
    )
    assert "\n\n- Hockey\n\nAnalysis\n" in told
