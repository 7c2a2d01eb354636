"""XML of documents: what every way of reading it refuses and says, and how it is read piece by piece."""

from xml.etree.ElementTree import fromstring, tostring

import pytest

from readwell.documents.docx.styles import Styles
from readwell.documents.xml_tree import (
    GrowingTree,
    at,
    every,
    parse_xml,
    parse_xml_keeping_namespaces,
    stream_elements,
    whole_number,
)
from readwell.errors import ConversionFailed

TYPED = "its part word/a.xml declares a document type, which could define entities"
DAMAGED = "the XML of its part word/a.xml is damaged"


def grown(form, part, content):
    tree = GrowingTree(form, part, [content[:9], content[9:]])
    while tree.grow():
        pass
    return tree.root


WAYS = [
    parse_xml,
    grown,
    lambda form, part, content: list(stream_elements(form, part, [content], "b")),
    lambda form, part, content: parse_xml_keeping_namespaces(form, part, content, True),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"<!DOCTYPE a><a/>", TYPED), (b"<?xml version='1.0'?><a><b></a>", DAMAGED), (b"<a><b/>" + b" " * 9, DAMAGED)],
    ids=["type", "crossed", "cut off"],
)
def test_what_may_not_be_in_a_part_is_refused_with_its_name(way, content, reason):
    with pytest.raises(ConversionFailed) as failed:
        way("docx", "word/a.xml", content)
    assert failed.value.args == ("docx", reason)


def test_what_breaks_off_is_read_as_far_as_it_goes_where_that_is_wanted():
    assert [each.tag for each in parse_xml_keeping_namespaces("docx", "a", b"<a><b/><c", False)] == ["b"]


def test_xml_in_pieces_reads_the_same_wherever_they_meet():
    content = (
        "<?xml version='1.0'?><!-- <b> --><a><b n='é'>x<c/></b><![CDATA[<b/>]]><d><b/></d><b>&lt;y</b></a>".encode()
    )
    whole = tostring(parse_xml("docx", "a", content))
    for cut in range(len(content) + 1):
        pieces = [content[:cut], content[cut:]]
        tree = GrowingTree("docx", "a", pieces)
        while tree.grow():
            pass
        assert tree.finished and tostring(tree.root) == whole
        told = [(each.get("n"), "".join(each.itertext())) for each in stream_elements("docx", "a", pieces, "b")]
        assert told == [("é", "x"), (None, "<y")]


def test_a_document_type_is_refused_wherever_the_pieces_meet():
    content = b"<?xml version='1.0'?><!-- x --><!DOCTYPE a><a/>"
    for cut in range(len(content)):
        with pytest.raises(ConversionFailed, match="document type"):
            list(stream_elements("docx", "a", [content[:cut], content[cut:]], "b"))


@pytest.mark.parametrize("depth", [256, 257])
def test_xml_is_nested_256_levels_deep(depth):
    content = b"<a>" * depth + b"</a>" * depth
    if depth == 256:
        assert len(every(parse_xml("docx", "a", content), "a")) == depth
        return
    with pytest.raises(ConversionFailed) as failed:
        parse_xml("docx", "a", content)
    assert failed.value.reason == "the XML of its part a is nested more than 256 deep"


def test_elements_below_the_root_come_one_by_one_and_are_forgotten():
    pieces = [b"<a><b n='1'/><c/><b n='2'>", b"</b>", b"<b n='3'/></a>"]
    assert [each.get("n") for each in stream_elements("docx", "a", pieces, "b")] == ["1", "2", "3"]


def test_a_step_that_is_missing_leads_nowhere():
    root = fromstring("<a><b><c/></b></a>")
    assert (at(root, "b", "c").tag, at(root, "c", "b"), at(None, "b"), every(None, "b")) == ("c", None, None, [])


@pytest.mark.parametrize(
    ("written", "number"), [("0", 0), ("123456789", 123456789), ("1234567890", 7), ("-1", 7), ("", 7), (None, 7)]
)
def test_a_whole_number_has_nine_digits_at_most(written, number):
    assert whole_number(written, 7) == number


def test_a_style_of_characters_is_code_by_its_name_and_those_it_is_based_on():
    def style(name, about):
        return f"<w:style w:type='character' w:styleId='{name}'>{about}</w:style>"

    content = (
        "<w:styles xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        + style("A", "<w:name w:val='HTML Code'/>")
        + style("B", "<w:basedOn w:val='A'/><w:name w:val='Mine'/>")
        + style("C", "<w:name w:val='Strong'/><w:rPr><w:b/></w:rPr>")
        + style("D", "<w:basedOn w:val='C'/><w:rPr><w:i/></w:rPr>")
        + "</w:styles>"
    )
    styles = Styles(parse_xml("docx", "a", content.encode()))
    assert [styles.marks(name) for name in ("A", "B", "C", "D", "", None)] == ["c", "c", "b", "bi", "", ""]
    assert (styles.marks("Source Text"), styles.marks("nobody's")) == ("", "")
    assert Styles(None).marks("HTML Code") == "c"
