"""Word 97–2003, PowerPoint 97–2003 and Outlook messages: read from their containers, in the cage, without a library."""

import struct

import pytest

from corpus.ole_writer import doc, message, msg, numbered_list, ole, ppt
from readwell import Reader
from readwell.documents.compressed_rtf import unpacked_rtf
from readwell.documents.doc import DOC
from readwell.documents.msg import DEEPEST, MAX_MESSAGES, MSG
from readwell.documents.ole_container import OleContainer
from readwell.documents.ppt import PPT
from readwell.errors import ConversionFailed, DocumentLocked


def sprm(number, value):
    return struct.pack("<H", number) + value


BOLD, HIDDEN, DELETED = sprm(0x0835, b"\1"), sprm(0x083C, b"\1"), sprm(0x0800, b"\1")
IN_TABLE, ROW = sprm(0x2416, b"\1"), sprm(0x2417, b"\1")
EDGES = sprm(0xD608, struct.pack("<HB3h", 8, 2, 0, 1000, 2000))
LINK = '\x13 HYPERLINK "https://lights.test/" \x14the list\x15'
LETTER = [
    ([("Lighthouses", b"")], "\r", 1, b""),
    ([("All are ", b""), ("lit", BOLD), (" but one", b""), (" secret", HIDDEN), (" gone", DELETED), (".\2", b"")], "\r", 0, b""),
    ([(f"See {LINK} of 😀.", b"")], "\r", 0, b""),
    ([("first", b"")], "\r", 0, sprm(0x460B, b"\1\0")),
    ([("second", b"")], "\r", 0, sprm(0x460B, b"\1\0")),
    ([("bullet", b"")], "\r", 0, sprm(0x460B, b"\2\0")),
    ([("name", b"")], "\x07", 0, IN_TABLE),
    ([("height", b"")], "\x07", 0, IN_TABLE),
    ([], "\x07", 0, IN_TABLE + ROW + EDGES),
    ([("north", b"")], "\x07", 0, IN_TABLE),
    ([("31", b"")], "\x07", 0, IN_TABLE),
    ([], "\x07", 0, IN_TABLE + ROW + EDGES),
    ([("End", b"")], "\r", 0, b""),
]  # fmt: skip


def markdown(converter, content, number=1):
    return converter.open(content, None, b"").markdown(number)


def letter():
    return doc(LETTER, ["\2 Except in June."], numbered_list())


def presentation():
    table = [["name", "height"], ["north", "31"]]
    return ppt([([(0, "Lights"), (1, "one\rtwo"), (4, "beside")], table, "say it"), ([(0, "Second")], None, "")])


def test_a_word_document_keeps_headings_marks_lists_tables_links_and_notes():
    assert markdown(DOC, letter()).split("\n\n") == [
        "# Lighthouses",
        "All are **lit** but one.[^1]",
        "See [the list](https://lights.test/) of 😀.",
        "1. first\n2. second\n- bullet",
        "| name | height |\n| --- | --- |\n| north | 31 |",
        "End",
        "[^1]: Except in June.",
        "<!-- hidden content is left out -->",
    ]


def test_a_presentation_keeps_titles_points_tables_and_notes():
    content = presentation()
    first = "# Lights\n\n- one\n- two\n\nbeside\n\n| name | height |\n| --- | --- |\n| north | 31 |\n\nNotes:\n\nsay it"
    assert [markdown(PPT, content, number) for number in (1, 2)] == [first, "# Second"]


SENT = 0x01D4_6FB3_0000_0000
PERSON = {0x3001: "Ann", 0x39FE: "ann@lights.test", 0x0C15: 1}
COPY = {0x3001: "bob@lights.test", 0x3003: "bob@lights.test", 0x0C15: 2}
MAIL = {0x0037: "Lamps", 0x0C1A: "Keeper", 0x5D01: "keeper@lights.test", 0x0039: SENT}
FILE = {0x3707: "plan.pdf", 0x370E: "application/pdf", 0x3701: b"%PDF" * 100}


def mail():
    inner = message({0x0037: "Inner", 0x1000: "deep"})
    return msg(MAIL | {0x1000: "All lit.\r\n# no heading"}, [PERSON, COPY], [FILE, {0x3001: "Inner", "message": inner}])


def test_a_message_tells_people_date_text_and_what_is_attached():
    assert markdown(MSG, mail()).split("\n\n") == [
        "# Lamps",
        "- From: Keeper <keeper@lights.test>\n- To: Ann <ann@lights.test>\n- Cc: bob@lights.test\n"
        "- Date: Mon, 29 Oct 2018 18:12:49 +0000",
        "All lit.\n\\# no heading",
        "## Attachments",
        "- plan.pdf (application/pdf, 400 bytes)\n- Inner (message)",
        "# Inner",
        "deep",
    ]


def test_a_message_that_is_not_shown_is_nested_too_deep_or_one_of_too_many():
    inner = message({0x0037: "Inner"})
    many = [{0x3001: f"Inner {number}", "message": inner} for number in range(1, MAX_MESSAGES + 1)]
    told = markdown(MSG, msg(MAIL, attachments=many))
    assert (
        f"- Inner {MAX_MESSAGES - 1} (message)\n- Inner {MAX_MESSAGES} (message, not shown: it is one of too many)"
        in told
    )
    for depth in range(DEEPEST + 1):
        inner = message({0x0037: f"Level {depth}"}, attachments=[{0x3001: "Below", "message": inner}])
    told = markdown(MSG, msg(MAIL, attachments=[{0x3001: "First", "message": inner}]))
    assert told.count("# Level") == DEEPEST and "- Below (message, not shown: it is nested too deep)" in told


PACKED_RTF = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)


def test_a_message_without_plain_text_is_read_from_its_html_or_its_packed_rtf():
    """The packed text is the example of Microsoft's description of the format."""
    assert unpacked_rtf(PACKED_RTF) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert "**lit**" in markdown(MSG, msg(MAIL | {0x1013: b"<p>All <b>lit</b></p>"}))
    assert markdown(MSG, msg(MAIL | {0x1009: PACKED_RTF})).endswith("hello world")


@pytest.mark.parametrize("name, content, converter", [
    ("letter.doc", letter, "doc"), ("talk.ppt", presentation, "ppt"), ("mail.msg", mail, "msg"), ("any.bin", letter, "doc"),
])  # fmt: skip
def test_an_old_file_is_a_document_by_its_content_and_its_source_is_refused(tmp_path, name, content, converter):
    (tmp_path / name).write_bytes(content())
    with Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": name})
        assert reply.text.startswith(f"[{name} | {converter}")
        assert reader.reply({"path": name, "view": "source"}).data["error"]["code"] == "BINARY_FILE"


@pytest.mark.parametrize("content, told", [
    (doc(LETTER, flags=0x0100), "is password-protected. Save it as .docx without its password, and read that."),
    (letter().replace(b"\xec\xa5\xc1\0", b"\xec\xa5\x65\0"), "it is of Word 95 or older. Save it as .docx, and read that."),
    (b"\xd0\xcf\x11\xe0" + bytes(900), "it is damaged: it has no header of an OLE container. Save it as .docx, and read that."),
])  # fmt: skip
def test_a_refusal_of_an_old_file_says_what_to_save_it_as(tmp_path, content, told):
    (tmp_path / "a.doc").write_bytes(content)
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.doc"}).text.endswith(told)


def test_a_presentation_with_a_password_is_locked():
    with pytest.raises(DocumentLocked):
        PPT.open(ppt([([(0, "x")], None, "")], token=0xF3D1C4DF), None, b"")


def test_sectors_that_go_in_a_circle_end():
    content = bytearray(ole({"a": bytes(5000)}))
    table = 512 + 512 * int.from_bytes(content[76:80], "little")
    struct.pack_into("<L", content, table + 4, 0)
    with pytest.raises(ConversionFailed, match="circle"):
        OleContainer("doc", bytes(content)).read(("a",))


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (struct.pack("<HH", 0xA5EC, 0xC0) + bytes(0x1FC), "it is of Word 95 or older"),
        (struct.pack("<HH", 0xA5EC, 0xC0) + bytes(0x1FB), "it is damaged: it has no text of Word's"),
        (struct.pack("<HH", 0xA5ED, 0xC0) + bytes(0x1FC), "it is damaged: it has no text of Word's"),
    ],
    ids=["old", "cut off", "of another program"],
)
def test_what_is_no_text_of_word_97_is_told(head, told):
    with pytest.raises(ConversionFailed) as failed:
        DOC.open(ole({"WordDocument": head}), None, b"")
    assert failed.value.reason == told


@pytest.mark.parametrize("count", [0, 1, 2])
def test_boxes_and_lists_of_a_form_are_told_where_they_are_not_read(count):
    fields = "".join(f"\x13 {name} \x01\x14\x15" for name in ("FORMCHECKBOX", "FORMDROPDOWN")[:count])
    told = (
        f"\n\n<!-- left out: what is ticked or chosen in {count} field{'s' * (count > 1)} of the form -->"
        if count
        else ""
    )
    content = doc([([(f"Tick: {fields}\x13 FORMTEXT \x01\x14Ada\x15", b"")], "\r", 0, b"")])
    assert DOC.open(content, None, b"").markdown(1) == f"Tick: Ada{told}"
