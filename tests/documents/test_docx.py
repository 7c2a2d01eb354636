"""DOCX as Markdown: made documents compared whole, real ones by what must be found in them."""

import pytest

from corpus.docx_writer import GOOD, NAMESPACES, cell, document, item, paragraph, table, text
from readwell.documents.docx import DOCX
from readwell.documents.docx.symbols import UNKNOWN, symbol
from readwell.errors import ConversionFailed

MAKERS = dict(GOOD)
EXPECTED = {
    "headings.docx": """\
# The Title

# One

\\# not a heading

## Two

### By outline

### I.1 Numbered

### I.2 Numbered again

# Own level

No style of that name""",
    "lists.docx": """\
- apple
- pear
  - quince

Steps

1. first
   - (a) detail
   - (b) more detail

in between

2. resumed
7. restarted

of no list""",
    "tables.docx": """\
| Name | Size |  |
| --- | --- | --- |
| a\\|b | 1 | 2<br>two |
|  | 3 | in \\| ner |

between

alone in a box

| wide | beside it |
| --- | --- |
| second |  |""",
    "footnotes.docx": """\
Text[^1] goes on[^2]

End[^e1]

Doubtful[^c1]

[^1]: Second note.

[^2]: First note.

[^e1]: At the end.

[^c1]: Comment by Ada: Is that so?""",
    "text_box.docx": "beside the box\n\nin the box\n\nafter the box",
    "tracked_changes.docx": "It is always here\n\none paragraph\n\n| kept | row |\n| --- | --- |",
    "marks.docx": """\
plain **bold *both*** x<sup>2</sup>

run `ls -l`

[a site](<https://example.org/a%20(1)>) and [another](https://example.org/b)

[x] done

[ ] open

```
if (x) {
    y();
```

> So it is said.

✓α\ufffd

<!-- hidden content is left out -->""",
    "maths.docx": "inline ${\\frac{a}{b\\_1}}^{2}$\n\n$$\\sum_{i=0}^{n} i+\\sqrt{x}$$",
    "right_to_left.docx": "# عنوان\n\nمرحبا بالعالم\n\nשלום",
    "linked_local_image.docx": "before ![A cat asleep]() after",
    "linked_remote_image.docx": "before ![A cat asleep]() after",
    "chart.docx": "Sales\n\n|  | Sold |\n| --- | --- |\n| Jan | 3 |\n| Feb | 4.5 |",
    "damaged_chart.docx": (
        "chart\n\n<!-- a chart cannot be read: its part of the file is missing or damaged -->\n\n"
        "diagram\n\n<!-- a diagram cannot be read: its part of the file is missing or damaged -->\n\nafter them"
    ),
    "malformed.docx": "![]()words\n\n| wide |\n| --- |\n| x |\n\nlisted\n\n\ufffd",
    "wrong_types.docx": "words",
    "strict.docx": "# Strictly",
    "nested_zip.docx": "outer",
    "deep_enough.docx": "deep",
}
FOUND = {
    "Strict.docx": ["Some text"],
    "bug65738.docx": ["# Sample Word Document Title", "**BOLD** and *ITALIC*", "| The table has things in it |"],
    "docx_checkboxes.docx": ["[x] Orange juice<br>[ ] Tea<br>[x] Coffee", "[ ] Documentation of the task"],
    "docx_code_blocks.docx": ["Call the `printf` function", "```\nimport sys\nprint(sys.argv)\n```", "\n        a, b = b, a + b\n"],
    "docx_comments.docx": ["[^c1]: Comment by John Reviewer: This is a sample reviewer comment"],
    "docx_external_image.docx": ["before the image.\n\n![Picture 1]()\n\nThis paragraph"],
    "docx_list_resumed_numbering.docx": ["2. Second ordered item\n- bullet one\n- bullet two\n3. Third ordered item"],
    "docx_lists.docx": ["  - List item 1.2\n    - List item 1.2.1\n- List item 3", "2. WEEKEND ERRAND LIST\n   - 2.1 Market Stops"],
    "docx_rich_cells.docx": ["This is a list:<br>- A First<br>- A Second", "x<sup>2</sup> and H<sub>2</sub>O", "| ![Owner avatar]() |"],
    "lorem_ipsum.docx": ["Lorem ipsum dolor sit amet", "\n\nNunc vehicula mattis erat"],
    "omml_frac_superscript.docx": ["${\\frac{(x-c)}{v}}^{2}$"],
    "unit_test_headers.docx": ["# Section 1\n", "### Section 1.2.3\n", "## Section 2.1\n"],
    "word_tables.docx": ["| Cell 1.0 | Merged Cell 1.1 1.2 |  | Cell 1.3 |", "| Cell 3.0 | Merged Cell 3.1 4.1 | Cell 3.2 |"],
}  # fmt: skip


def markdown(content):
    opened = DOCX.open(content, None, b"")
    assert (opened.unit, opened.count, opened.prepared()) == ("", 1, b"")
    return opened.markdown(1)


@pytest.mark.parametrize("name", MAKERS)
def test_a_made_document_becomes_exactly_this(name):
    assert markdown(MAKERS[name]()) == EXPECTED[name]


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_bytes_give_the_same_markdown(name):
    assert MAKERS[name]() == MAKERS[name]()
    assert markdown(MAKERS[name]()) == markdown(MAKERS[name]())


@pytest.mark.parametrize("name", FOUND)
def test_a_real_document_has_what_a_person_sees_in_it(real, name):
    told = markdown((real / "documents" / name).read_bytes())
    assert [part for part in FOUND[name] if part not in told] == []
    assert "base64" not in told


def test_an_external_entity_of_a_real_document_is_refused(real):
    with pytest.raises(ConversionFailed) as refused:
        markdown((real / "documents" / "ExternalEntityInText.docx").read_bytes())
    assert refused.value.reason == "its part word/document.xml declares a document type, which could define entities"


def test_a_field_that_never_ends_hides_nothing():
    begun = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r>'
    assert markdown(document(paragraph(begun) + paragraph("seen"))) == "seen"


def test_signs_touch_the_words_they_mark():
    runs = text(" a ", "<w:b/>") + text("b ", "<w:b/><w:i/>") + text("c", "<w:i/>")
    assert markdown(document(paragraph(runs))) == "**a *b*** *c*"


def test_an_empty_item_of_a_list_counts_and_a_deleted_one_does_not():
    deleted = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
    told = markdown(document(item("one", 0, 2) + item("", 0, 2) + item(deleted, 0, 2) + item("three", 0, 2)))
    assert told == "1. one\n3. three"


def test_a_heading_takes_its_level_in_a_list_from_its_style():
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading{n + 1}"/><w:lvlText w:val="{label}"/></w:lvl>'
        for n, label in enumerate(("%1", "%1.%2"))
    )
    numbering = f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="1">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    listed = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    body = "".join(
        paragraph(words, f"Heading{level}", listed) for level, words in ((1, "A"), (2, "B"), (2, "C"), (1, "D"))
    )
    told = markdown(document(body, extra={"word/numbering.xml": numbering}))
    assert told == "# 1 A\n\n## 1.1 B\n\n## 1.2 C\n\n# 2 D"


def test_a_box_is_read_once():
    assert markdown(document(table([cell(item("one", 0, 2))]) + item("two", 0, 2))) == "1. one\n2. two"


def test_a_last_paragraph_whose_end_is_deleted_is_not_lost():
    assert markdown(document("<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>last</w:t></w:r></w:p>")) == "last"


@pytest.mark.parametrize("odd", ["9" * 5000, "-1", "", "x", "²"])
def test_numbers_that_no_document_has_are_not_believed(odd):
    properties = f'<w:outlineLvl w:val="{odd}"/><w:numPr><w:ilvl w:val="{odd}"/><w:numId w:val="1"/></w:numPr>'
    spans = f'<w:gridSpan w:val="{odd}"/>'
    body = paragraph("item", "", properties) + table([cell("a", spans), cell("b")])
    assert markdown(document(body)) == "- item\n\n| a | b |\n| --- | --- |"


@pytest.mark.parametrize(("level", "told"), [(0, "# item"), (8, "###### item"), (9, "item")])
def test_nine_levels_of_an_outline_are_headings_and_the_tenth_is_text(level, told):
    assert markdown(document(paragraph("item", "", f'<w:outlineLvl w:val="{level}"/>'))) == told


def test_a_line_of_the_document_cannot_pass_for_an_anchor():
    assert markdown(document(paragraph("&lt;!-- page 3 -->"))) == "\\<!-- page 3 -->"


SYMBOLS = {
    "Symbol": "22∀ 24∃ 27∋ 2D− 40≅ 41Α 5E⊥ 61α 71θ 7Aζ A3≤ A5∞ AB↔ AC← AD↑ AE→ AF↓ B0° B1± B3≥ B4× B5∝ B6∂ B7• B8÷ B9≠ BA≡ BB≈ BC… "
    "C6∅ C7∩ C8∪ CC⊂ CD⊆ CE∈ CF∉ D0∠ D1∇ D5∏ D6√ D7⋅ D8¬ D9∧ DA∨ DB⇔ DC⇐ DE⇒ E5∑ F2∫ 1F? 21! 7E~ 7F? F3?",
    "Wingdings": "28☎ 2A✉ 4A☺ 4C☹ 6C● 6E■ 6F☐ 71☐ 76❖ 9F• A7▪ A8☐ D8➢ DF← E0→ E1↑ E2↓ E8➔ F0⇨ FB✗ FC✓ FD☒ FE☑ 41? FF?",
    "Wingdings 2": "4F✗ 50✓ 51☒ 52☑ 54☒ A3☐ 53?",
    "Nobody": "41? zz? 100Ā D7FF\ud7ff D800? F000? F0FF? F100?",
}  # fmt: skip
"""What characters of symbol fonts show, by their numbers; `?` where that is not known."""


@pytest.mark.parametrize("font", SYMBOLS)
@pytest.mark.parametrize("base", ["", "F0"])
def test_a_character_of_a_symbol_font_is_the_sign_that_it_shows(font, base):
    shown = {entry[:-1]: entry[-1].replace("?", UNKNOWN) for entry in SYMBOLS[font].split(" ")}
    assert {number: symbol(font, base * (len(number) == 2) + number) for number in shown} == shown
    assert symbol(font, "F020") == (" " if font == "Symbol" else UNKNOWN)


def form_field(kind, data, result="", properties="", of_result=""):
    char = '<w:r><w:rPr>{}</w:rPr><w:fldChar w:fldCharType="{}">{}</w:fldChar></w:r>'
    begin = char.format(properties, "begin", f"<w:ffData>{data}</w:ffData>")
    shown = char.format(properties, "separate", "") + text(result, properties or of_result) if result else ""
    instruction = f"<w:r><w:instrText> {kind} </w:instrText></w:r>"
    return paragraph(text("It is ") + begin + instruction + shown + char.format(properties, "end", "") + text("."))


def drop_down(listed, *more):
    entries = "".join(f'<w:listEntry w:val="{entry}"/>' for entry in ("red", "blue", "green"))
    return form_field("FORMDROPDOWN", f"<w:ddList>{listed}{entries}</w:ddList>", *more)


def check_box(*more):
    return form_field("FORMCHECKBOX", '<w:checkBox><w:default w:val="1"/></w:checkBox>', *more)


HIDDEN = "<w:vanish/>"
TOLD_HIDDEN = "It is .\n\n<!-- hidden content is left out -->"


@pytest.mark.parametrize(
    ("field", "told"),
    [
        (drop_down(""), "It is red."),
        (drop_down('<w:result w:val="1"/>'), "It is blue."),
        (drop_down('<w:default w:val="2"/>'), "It is green."),
        (drop_down('<w:result w:val="0"/><w:default w:val="2"/>'), "It is red."),
        (drop_down('<w:result w:val="3"/>'), "It is ."),
        (drop_down('<w:result w:val="1"/>', " "), "It is  blue."),
        (drop_down('<w:result w:val="1"/>', "blue"), "It is blue."),
        (drop_down("", "", HIDDEN), TOLD_HIDDEN),
        (drop_down("", "red", HIDDEN), TOLD_HIDDEN),
        (drop_down("", "red", "", HIDDEN), TOLD_HIDDEN),
        (check_box(), "It is [x]."),
        (check_box("x"), "It is [x]."),
        (check_box("", HIDDEN), TOLD_HIDDEN),
    ],
)
def test_what_is_chosen_in_an_old_form_is_shown_once_unless_it_is_hidden(field, told):
    assert markdown(document(field)) == told


def test_a_box_of_a_content_control_is_shown_unless_it_is_hidden():
    boxed = "<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    for properties, told in (("", "It is [ ]."), (HIDDEN, TOLD_HIDDEN)):
        box = boxed.format(text("☐", properties))
        assert markdown(document(paragraph(text("It is ") + box + text(".")))) == told


def test_words_set_as_a_drawing_follow_their_paragraph():
    drawn = '<w:r><w:pict><v:shapetype><v:textpath on="t"/></v:shapetype><v:shape><v:textpath string="# GRAND\nSALE"/></v:shape></w:pict></w:r>'
    assert markdown(document(paragraph(text("before") + drawn + text(" after")))) == "before after\n\n\\# GRAND SALE"


@pytest.mark.parametrize(("reading", "told"), [("kan", "a 漢(kan)字"), (" ", "a 漢字")])
def test_a_reading_stands_in_parentheses_behind_its_characters(reading, told):
    ruby = f"<w:ruby><w:rt>{text(reading)}</w:rt><w:rubyBase>{text('漢')}</w:rubyBase></w:ruby>"
    for written in (ruby, f"<w:r>{ruby}</w:r>"):
        assert markdown(document(paragraph(text("a ") + written + text("字")))) == told


def test_a_reading_that_is_hidden_leaves_no_parentheses():
    ruby = f"<w:ruby><w:rt>{text('kan', HIDDEN)}</w:rt><w:rubyBase>{text('漢')}</w:rubyBase></w:ruby>"
    told = markdown(document(paragraph(text("a ") + ruby + text("字"))))
    assert told == "a 漢字\n\n<!-- hidden content is left out -->"


def test_an_empty_document_is_empty():
    assert markdown(document("")) == ""
