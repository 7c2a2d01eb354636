"""How `native` answers for a document: header, numbers, windows, failures."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from printed_lines import Reader as PrintedReader
from small_documents import (
    LETTER,
    PASSWORD,
    REPORT,
    gutter_lines,
    pdf,
    printed,
    whole,
)

from readwell import Reader

DATA_FIELDS = set(
    "path kind start end total next reason clipped encoding bom newline final_newline size mtime_ms revision tokens "
    "converter pages notices".split()
)
FAILING = {
    "damaged.pdf": "CONVERSION_FAILED",
    "damaged.docx": "CONVERSION_FAILED",
    "locked.pdf": "DOCUMENT_LOCKED",
    "scan.pdf": "DOCUMENT_EMPTY",
    "blank.pdf": "DOCUMENT_EMPTY",
    "empty.docx": "DOCUMENT_EMPTY",
}


def _text_of(lines: list[str]) -> list[str]:
    """Lines without anchors and blank ones."""
    return [line for line in lines if line and not line.startswith("<!--")]


# native: the whole of a document


def test_a_pdf_gives_every_printed_line_in_order_after_the_anchor_of_its_page(shelf: Path) -> None:
    with PrintedReader(root=str(shelf)) as reader:
        lines = [line for line in whole(reader, "report.pdf") if line]
    assert lines == [line for n, page in enumerate(REPORT, 1) for line in (f"<!-- page {n} -->", *page)]


def test_the_first_line_of_a_pdf_is_the_anchor_of_page_one(reader: Any) -> None:
    assert whole(reader, "report.pdf")[0] == "<!-- page 1 -->"


def test_a_docx_gives_its_heading_its_paragraphs_its_table_and_its_long_line_in_order(reader: Any) -> None:
    lines = whole(reader, "letter.docx")
    wanted = ["# Harbor accounts", *LETTER]
    assert [line for line in lines if line in wanted] == wanted
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert [row for row in rows if not set("".join(row)) <= set("-: ")] == [["Item", "Amount"], ["Timber", "120"]]


def test_the_header_of_a_pdf_names_kind_pages_lines_and_revision(reader: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "total": "exact"})
    total = len(whole(reader, "report.pdf"))
    revision = reply.data["revision"]
    lines = reply.text.split("\n")
    assert lines[0] == f"[report.pdf | pdf, 5 pages | lines 1-{total} of {total} (pages 1-5) | rev {revision}]"
    assert lines[1] == "1\t<!-- page 1 -->"
    assert lines[-1] == "[end]"


def test_the_header_of_a_docx_names_kind_lines_and_revision(reader: Any) -> None:
    reply = reader.reply({"path": "letter.docx", "total": "exact"})
    total, revision = len(whole(reader, "letter.docx")), reply.data["revision"]
    pattern = rf"\[letter\.docx \| docx[^|]* \| lines 1-{total} of {total}[^|]* \| rev {revision}\]"
    assert re.fullmatch(pattern, reply.text.split("\n")[0])


def test_the_data_of_a_pdf_tells_its_converter_its_pages_and_the_file_it_came_from(reader: Any, shelf: Path) -> None:
    data = reader.reply({"path": "report.pdf", "total": "exact"}).data
    stat = (shelf / "report.pdf").stat()
    total = len(whole(reader, "report.pdf"))
    told = {key: data[key] for key in ("path", "kind", "start", "end", "total", "next", "reason", "clipped", "pages")}
    assert told == {
        "path": "report.pdf",
        "kind": "document",
        "start": 1,
        "end": total,
        "total": total,
        "next": None,
        "reason": "end",
        "clipped": [],
        "pages": {"first": 1, "last": 5, "total": 5},
    }
    assert (data["size"], data["mtime_ms"]) == (stat.st_size, stat.st_mtime_ns // 1_000_000)
    assert isinstance(data["converter"], str) and data["converter"]
    assert set(data) == DATA_FIELDS
    assert json.loads(json.dumps(data)) == data


def test_a_text_has_neither_converter_nor_pages(reader: Any) -> None:
    data = reader.reply({"path": "notes.txt"}).data
    assert (data["kind"], data["converter"], data["pages"]) == ("file", None, None)


def test_the_data_of_a_docx_is_that_of_a_document(reader: Any) -> None:
    data = reader.reply({"path": "letter.docx"}).data
    assert data["kind"] == "document"
    assert isinstance(data["converter"], str) and data["converter"]
    assert set(data) == DATA_FIELDS


def test_the_notices_of_texts_are_not_given_for_a_document(reader: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "total": "exact"})
    assert (reply.data["notices"], "[note:" in reply.text) == ([], False)


# native: revision


def test_a_document_held_at_its_revision_is_answered_by_unchanged_alone(reader: Any) -> None:
    revision = reader.reply({"path": "report.pdf"}).data["revision"]
    reply = reader.reply({"path": "report.pdf", "if_revision": revision})
    assert (reply.text, reply.is_error) == (
        f"[report.pdf | unchanged since rev {revision} | for its lines leave out if_revision]",
        False,
    )


def test_a_document_held_at_another_revision_is_read(reader: Any) -> None:
    assert (
        reader.reply({"path": "report.pdf", "if_revision": "000000000000"}).text
        == reader.reply({"path": "report.pdf"}).text
    )


def test_a_touched_but_equal_document_keeps_its_revision_and_a_changed_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(printed(2, 3)))
    with PrintedReader(root=str(tmp_path)) as reader:
        before = reader.reply({"path": "a.pdf"}).data["revision"]
        path.touch()
        assert reader.reply({"path": "a.pdf"}).data["revision"] == before
        path.write_bytes(pdf(printed(3, 4)))
        changed = reader.reply({"path": "a.pdf", "if_revision": before})
        assert changed.data["revision"] != before
        assert _text_of(list(gutter_lines(changed.text).values())) == [line for page in printed(3, 4) for line in page]


# native: what is a document


def test_a_pdf_under_the_name_of_a_text_is_a_document(reader: Any) -> None:
    reply = reader.reply({"path": "report.txt", "total": "exact"})
    assert reply.data["kind"] == "document"
    assert reply.text.startswith("[report.txt | pdf, 5 pages | lines 1-")
    assert whole(reader, "report.txt") == whole(reader, "report.pdf")


def test_a_docx_under_a_foreign_name_is_a_document(reader: Any) -> None:
    assert reader.reply({"path": "letter.bin"}).data["kind"] == "document"
    assert whole(reader, "letter.bin") == whole(reader, "letter.docx")


def test_a_text_under_the_name_of_a_pdf_is_a_text(reader: Any) -> None:
    reply = reader.reply({"path": "words.pdf"})
    revision = reply.data["revision"]
    assert reply.text == f"[words.pdf | lines 1-2 of 2 | utf-8 LF | rev {revision}]\n1\tamber\n2\tbasin\n[end]"
    assert (reply.data["kind"], reply.data["converter"], reply.data["pages"]) == ("file", None, None)


def test_a_damaged_pdf_under_the_name_of_a_text_is_binary(reader: Any) -> None:
    reply = reader.reply({"path": "damaged.txt"})
    assert (reply.is_error, reply.data["error"]["code"]) == (True, "BINARY_FILE")


@pytest.mark.parametrize("name", ["report.pdf", "letter.docx", "locked.pdf", "damaged.pdf", "report.txt"])
def test_a_reader_without_documents_calls_them_binary_and_names_type_and_size(shelf: Path, name: str) -> None:
    with Reader(root=str(shelf), documents=False) as plain:
        reply = plain.reply({"path": name})
    error = reply.data["error"]
    assert (reply.is_error, set(reply.data), error["code"], error["retryable"]) == (
        True,
        {"error"},
        "BINARY_FILE",
        False,
    )
    assert re.match(rf"'{re.escape(name)}' is .+, [\d.]+ ?[KM]?B", error["message"])


def test_a_reader_without_documents_still_reads_text_under_the_name_of_one(shelf: Path) -> None:
    with Reader(root=str(shelf), documents=False) as plain:
        assert gutter_lines(plain.reply({"path": "words.pdf"}).text) == {1: "amber", 2: "basin"}


# native: failures


@pytest.mark.parametrize(("name", "code"), FAILING.items())
def test_a_document_that_gives_no_text_is_a_typed_failure_on_one_line(reader: Any, name: str, code: str) -> None:
    reply = reader.reply({"path": name})
    assert reply.is_error
    assert set(reply.data) == {"error"}
    assert set(reply.data["error"]) == {"code", "message", "hint", "retryable"}
    assert (reply.data["error"]["code"], reply.data["error"]["retryable"]) == (code, False)
    assert reply.text.startswith(f"[error {code}] ")
    assert "\n" not in reply.text
    assert name in reply.text
    assert "Traceback" not in reply.text


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_document_fails_the_same_way_again_and_harms_no_other(reader: Any, name: str) -> None:
    assert reader.reply({"path": name}).text == reader.reply({"path": name}).text
    assert not reader.reply({"path": "report.pdf"}).is_error


def test_a_scan_is_told_with_its_pages_and_images(reader: Any) -> None:
    text = reader.reply({"path": "scan.pdf"}).text
    assert re.search(r"\b3 pages\b", text)
    assert "image" in text


def test_a_locked_document_asks_for_its_password(reader: Any) -> None:
    assert "password" in reader.reply({"path": "locked.pdf"}).text.lower()


def test_a_locked_document_opens_with_its_password(shelf: Path, reader: Any) -> None:
    with Reader(root=str(shelf), password=PASSWORD) as keyed:
        assert whole(keyed, "locked.pdf") == whole(reader, "report.pdf")


def test_a_wrong_password_leaves_a_document_locked_and_is_not_repeated(shelf: Path) -> None:
    with Reader(root=str(shelf), password="abracadabra") as keyed:
        reply = keyed.reply({"path": "locked.pdf"})
    assert reply.data["error"]["code"] == "DOCUMENT_LOCKED"
    assert "abracadabra" not in reply.text + repr(reply.data)


def test_what_a_password_opened_stays_locked_for_a_reader_without_it(shelf: Path) -> None:
    with Reader(root=str(shelf), password=PASSWORD) as keyed:
        assert not keyed.reply({"path": "locked.pdf"}).is_error
    with Reader(root=str(shelf)) as bare:
        assert bare.reply({"path": "locked.pdf"}).data["error"]["code"] == "DOCUMENT_LOCKED"


@pytest.mark.parametrize("name", ["open.pdf", "report.pdf", "letter.docx"])
def test_a_password_does_no_harm_to_documents_that_need_none(shelf: Path, reader: Any, name: str) -> None:
    with Reader(root=str(shelf), password=PASSWORD) as keyed:
        assert whole(keyed, name) == whole(reader, name)


def test_a_page_without_text_between_others_keeps_its_anchor(tmp_path: Path) -> None:
    (tmp_path / "gap.pdf").write_bytes(pdf([["amber basin."], [], ["cedar delta."]]))
    with Reader(root=str(tmp_path)) as reader:
        lines = whole(reader, "gap.pdf")
        middle = list(gutter_lines(reader.reply({"path": "gap.pdf", "pages": "2"}).text).values())
    assert [line for line in lines if line.startswith("<!-- page ")] == [f"<!-- page {n} -->" for n in (1, 2, 3)]
    assert _text_of(lines) == ["amber basin.", "cedar delta."]
    assert (middle[0], _text_of(middle)) == ("<!-- page 2 -->", [])


def test_a_document_outside_the_root_is_refused_through_a_link_too(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "a.pdf").write_bytes(pdf(printed(1, 1)))
    (tmp_path / "root" / "b.pdf").symlink_to(tmp_path / "a.pdf")
    with Reader(root=str(tmp_path / "root")) as reader:
        assert reader.reply({"path": "b.pdf"}).data["error"]["code"] == "ACCESS_DENIED"
