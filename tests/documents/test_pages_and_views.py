"""The parameters `pages` and `view` of the `native` dialect."""

import re
from pathlib import Path
from typing import Any

import pytest
from small_documents import gutter_lines, pdf, whole

from corpus import pptx_writer
from readwell import Reader


def _numbered(reader: Any, name: str, first: int, last: int) -> dict[int, str]:
    """The lines of some pages with the numbers they have in the whole."""
    page, lines = 0, {}
    for number, line in enumerate(whole(reader, name), 1):
        page += line.startswith("<!-- page ")
        if first <= page <= last:
            lines[number] = line
    return lines


@pytest.mark.parametrize(
    ("pages", "first", "last"),
    [
        ("3", 3, 3),
        ("1", 1, 1),
        ("5", 5, 5),
        ("2-4", 2, 4),
        ("1-5", 1, 5),
        ("4-4", 4, 4),
        ("-2", 4, 5),
        ("-1", 5, 5),
        ("-5", 1, 5),
    ],
)
def test_pages_choose_the_window_and_keep_the_numbers_of_the_whole(
    reader: Any, pages: str, first: int, last: int
) -> None:
    wanted = _numbered(reader, "report.pdf", first, last)
    reply = reader.reply({"path": "report.pdf", "pages": pages, "total": "exact"})
    total = len(whole(reader, "report.pdf"))
    assert not reply.is_error, reply.text
    assert gutter_lines(reply.text) == wanted
    assert (reply.data["start"], reply.data["end"], reply.data["total"]) == (min(wanted), max(wanted), total)
    assert reply.data["pages"] == {"first": first, "last": last, "total": 5}
    span = f"pages {first}-{last}" if first != last else rf"pages? {first}(-{first})?"
    head = rf"\[report\.pdf \| pdf, 5 pages \| lines {min(wanted)}-{max(wanted)} of {total} \({span}\) \| rev \S+\]"
    assert re.fullmatch(head, reply.text.split("\n")[0])


def test_after_chosen_pages_the_reply_says_where_the_next_page_begins(reader: Any) -> None:
    following = min(_numbered(reader, "report.pdf", 4, 4))
    reply = reader.reply({"path": "report.pdf", "pages": "2-3"})
    assert reply.data["next"] == {"offset": following, "column": 1}
    assert reply.text.split("\n")[-1] == f"[more: offset={following}]"


@pytest.mark.parametrize("pages", ["5", "-2", "1-5"])
def test_after_the_last_pages_the_reply_says_that_it_is_the_end(reader: Any, pages: str) -> None:
    reply = reader.reply({"path": "report.pdf", "pages": pages})
    assert (reply.text.split("\n")[-1], reply.data["next"], reply.data["reason"]) == ("[end]", None, "end")


def test_pages_of_a_document_nobody_read_before_have_their_true_numbers(reader: Any, shelf: Path) -> None:
    wanted = _numbered(reader, "book.pdf", 17, 18)
    with Reader(root=str(shelf), cache_dir=None) as fresh:
        assert gutter_lines(fresh.reply({"path": "book.pdf", "pages": "17-18"}).text) == wanted
    with Reader(root=str(shelf), cache_dir=None, total="lazy") as fresh:
        assert gutter_lines(fresh.reply({"path": "book.pdf", "pages": "17-18"}).text) == wanted


def test_a_far_window_of_a_document_nobody_read_before_has_its_true_lines(reader: Any, shelf: Path) -> None:
    lines = whole(reader, "book.pdf")
    with Reader(root=str(shelf), cache_dir=None) as fresh:
        shown = gutter_lines(fresh.reply({"path": "book.pdf", "offset": 900, "limit": 20}).text)
    assert shown == dict(list(enumerate(lines, 1))[899:919])


def test_a_limit_ends_a_window_of_pages_before_its_last_page(reader: Any) -> None:
    wanted = list(_numbered(reader, "report.pdf", 2, 3).items())
    reply = reader.reply({"path": "report.pdf", "pages": "2-3", "limit": 4})
    assert list(gutter_lines(reply.text).items()) == wanted[:4]
    assert (reply.data["next"], reply.data["reason"]) == ({"offset": wanted[4][0], "column": 1}, "lines")


def test_a_budget_ends_a_window_of_pages_and_the_continuation_goes_on_from_there(reader: Any) -> None:
    wanted = _numbered(reader, "book.pdf", 10, 20)
    reply = reader.reply({"path": "book.pdf", "pages": "10-20", "max_tokens": 500})
    shown = gutter_lines(reply.text)
    end = max(shown)
    assert shown == {number: line for number, line in wanted.items() if number <= end}
    assert (reply.data["next"], reply.data["reason"]) == ({"offset": end + 1, "column": 1}, "tokens")
    assert reply.text.split("\n")[-1] == f"[more: offset={end + 1} | 500 token budget reached]"


@pytest.mark.parametrize(
    "pages", ["6", "99", "6-9", "0", "0-2", "4-2", " ", "x", "1,3", "1-x", "2-", "--2", "-0", "1.5.2", "2 3"]
)
def test_pages_that_do_not_exist_or_make_no_sense_are_refused(reader: Any, pages: str) -> None:
    reply = reader.reply({"path": "report.pdf", "pages": pages})
    assert (reply.is_error, set(reply.data)) == (True, {"error"})
    assert reply.data["error"]["code"] in ("INVALID_PARAM", "OUT_OF_RANGE")
    assert reply.data["error"]["retryable"] is True


@pytest.mark.parametrize("pages", ["6", "99", "6-9"])
def test_pages_out_of_range_are_told_how_many_there_are(reader: Any, pages: str) -> None:
    assert re.search(r"\b5\b", reader.reply({"path": "report.pdf", "pages": pages}).text)


@pytest.mark.parametrize("pages", ["4-9", "-9"])
def test_pages_partly_out_of_range_are_never_cut_in_silence(reader: Any, pages: str) -> None:
    reply = reader.reply({"path": "report.pdf", "pages": pages})
    assert reply.data["error"]["code"] == "INVALID_PARAM"
    assert re.search(r"\b5\b", reply.text)


@pytest.mark.parametrize("value", [True, 2.5, ["1"], {"first": 1}])
def test_pages_of_a_foreign_type_are_refused(reader: Any, value: Any) -> None:
    assert reader.reply({"path": "report.pdf", "pages": value}).data["error"]["code"] == "INVALID_PARAM"


def test_pages_of_null_are_no_pages(reader: Any) -> None:
    assert reader.reply({"path": "report.pdf", "pages": None}).text == reader.reply({"path": "report.pdf"}).text


def test_pages_together_with_an_offset_are_refused(reader: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "pages": "2", "offset": 5})
    assert reply.data["error"]["code"] == "INVALID_PARAM"
    wants = "left out to go on at an offset, or sent without offset"
    assert reply.text == f"[error INVALID_PARAM] Invalid pages. It must be {wants}."


def test_pages_of_a_text_are_refused(reader: Any) -> None:
    assert reader.reply({"path": "notes.txt", "pages": "1"}).data["error"]["code"] == "INVALID_PARAM"


def test_pages_of_a_directory_are_refused(reader: Any) -> None:
    assert reader.reply({"path": "folder", "pages": "1"}).data["error"]["code"] in ("INVALID_PARAM", "IS_DIRECTORY")


def test_pages_of_a_docx_beyond_the_first_are_refused(reader: Any) -> None:
    assert reader.reply({"path": "letter.docx", "pages": "2"}).data["error"]["code"] in (
        "INVALID_PARAM",
        "OUT_OF_RANGE",
    )


def test_pages_of_a_failing_document_fail_as_the_document_does(reader: Any) -> None:
    assert reader.reply({"path": "locked.pdf", "pages": "1"}).data["error"]["code"] == "DOCUMENT_LOCKED"
    assert reader.reply({"path": "damaged.pdf", "pages": "1"}).data["error"]["code"] == "CONVERSION_FAILED"


def test_a_line_that_looks_like_an_anchor_moves_no_page(tmp_path: Path) -> None:
    (tmp_path / "sly.pdf").write_bytes(pdf([["amber basin.", "<!-- page 2 -->", "cedar delta."], ["ember fable."]]))
    with Reader(root=str(tmp_path)) as reader:
        assert reader.reply({"path": "sly.pdf"}).data["pages"] == {"first": 1, "last": 2, "total": 2}
        second = [line for line in gutter_lines(reader.reply({"path": "sly.pdf", "pages": "2"}).text).values() if line]
        first = gutter_lines(reader.reply({"path": "sly.pdf", "pages": "1"}).text).values()
    assert second == ["<!-- page 2 -->", "ember fable."]
    assert "cedar delta." in first


# view


@pytest.mark.parametrize("name", ["report.pdf", "letter.docx"])
def test_markdown_is_the_view_of_a_document_asked_or_not(reader: Any, name: str) -> None:
    assert reader.reply({"path": name, "view": "markdown"}).text == reader.reply({"path": name}).text


def test_source_is_the_view_of_a_text_asked_or_not(reader: Any) -> None:
    assert reader.reply({"path": "notes.txt", "view": "source"}).text == reader.reply({"path": "notes.txt"}).text


@pytest.mark.parametrize("name", ["report.pdf", "letter.docx"])
def test_the_source_of_a_binary_document_is_binary_and_the_way_to_read_it_is_told(reader: Any, name: str) -> None:
    error = reader.reply({"path": name, "view": "source"}).data["error"]
    kind = name.rpartition(".")[2].upper()
    assert (error["code"], error["hint"]) == ("BINARY_FILE", "Leave out view to read it as Markdown.")
    assert error["message"].startswith(f"'{name}' is a {kind} document, ")


@pytest.mark.parametrize(
    ("name", "view", "kind"),
    [("report.pdf", None, "document"), ("letter.docx", "markdown", "document"), ("folder", None, "directory")],
)
def test_an_encoding_is_told_to_be_of_no_use(reader: Any, name: str, view: str | None, kind: str) -> None:
    plain, told = (reader.reply({"path": name, "view": view, "encoding": encoding}) for encoding in (None, "cp1252"))
    note = f"encoding ignored: it holds for texts, and this is read as a {kind}"
    before, newline, last = plain.text.rpartition("\n")
    assert told.text == f"{before}\n[note: {note}]{newline}{last}"
    assert told.data["notices"] == [{"code": "encoding-ignored", "message": note, "lines": []}]


@pytest.mark.parametrize("view", ["source", "markdown"])
def test_a_view_of_a_directory_is_refused(reader: Any, view: str) -> None:
    reply = reader.reply({"path": "folder", "view": view})
    assert (reply.is_error, reply.data["error"]["code"], reply.data["error"]["retryable"]) == (
        True,
        "IS_DIRECTORY",
        True,
    )


def test_a_markdown_view_of_a_text_that_has_none_is_refused_with_the_next_step(reader: Any) -> None:
    error = reader.reply({"path": "notes.txt", "view": "markdown"}).data["error"]
    assert (error["code"], error["retryable"], error["hint"] != "") == ("INVALID_PARAM", True, True)


@pytest.mark.parametrize("view", ["Markdown ", "html", " ", 1, True])
def test_an_unknown_view_is_refused_and_the_known_ones_named(reader: Any, view: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "view": view})
    assert reply.data["error"]["code"] == "INVALID_PARAM"
    assert "source" in reply.text and "markdown" in reply.text


def test_html_stays_text_unless_markdown_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>Harbor</h1>\n<p>accounts</p>\n")
    with Reader(root=str(tmp_path)) as reader:
        assert gutter_lines(reader.reply({"path": "page.html"}).text) == {1: "<h1>Harbor</h1>", 2: "<p>accounts</p>"}


def test_a_docx_has_no_pages_and_says_so(reader: Any) -> None:
    reply = reader.reply({"path": "letter.docx", "pages": "1"})
    assert (reply.is_error, reply.data["error"]["code"]) == (True, "INVALID_PARAM")


def test_what_is_numbered_by_a_view_goes_on_in_that_view(tmp_path):
    """Lines of a text's Markdown are not those of its source."""
    (tmp_path / "a.csv").write_text("a,b\n" + "1,2\n" * 20)
    (tmp_path / "n.ipynb").write_text('{"cells": [], "nbformat": 4,\n' + "\n" * 20 + '"metadata": {}}')
    with Reader(tmp_path) as reader:
        rendered = reader.reply({"path": "a.csv", "view": "markdown", "limit": 5}).text
        source = reader.reply({"path": "n.ipynb", "view": "source", "limit": 5}).text
        usual = reader.reply({"path": "a.csv", "limit": 5}).text
    last = [text.rpartition("\n")[2] for text in (rendered, source, usual)]
    assert last == ['[more: offset=6 view="markdown"]', '[more: offset=6 view="source"]', "[more: offset=6]"]


@pytest.mark.parametrize(("name", "slides"), [("Boats", "(slides 1-2)"), ("Nets", "(slide 3)"), ("ropes", "(slide 5)")])
def test_a_name_stands_for_the_units_of_that_name_that_follow_each_other(tmp_path, name, slides):
    def titled(text):
        return pptx_writer.slide(pptx_writer.shape(pptx_writer.paragraph(text), "title"))

    titles = ("Boats", "Boats", "Nets", "Boats", "Ropes")
    (tmp_path / "a.pptx").write_bytes(pptx_writer.presentation(list(map(titled, titles))))
    with Reader(tmp_path, cache_dir=None) as reader:
        assert slides in reader.reply({"path": "a.pptx", "pages": name}).text.split("\n")[0]
