"""How `qq`, `envelope` and `opencode` answer for a document."""

import re
from pathlib import Path
from typing import Any

import pytest
from small_documents import PASSWORD, REPORT, pdf, whole

from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager

QQ_NOTE = "[Note: Output limited to 200 lines max per request.]"
FAILING = ["damaged.pdf", "damaged.docx", "locked.pdf", "scan.pdf", "blank.pdf", "empty.docx"]


# qq


@pytest.fixture(scope="module")
def manager(shelf: Path) -> FileManager:
    return FileManager(root=str(shelf))


def test_qq_shows_a_document_as_lines_of_its_markdown(manager: FileManager, reader: Any) -> None:
    lines = whole(reader, "report.pdf")
    head = f"[File: report.pdf | Lines 1-{len(lines)} of {len(lines)}]"
    assert manager.read_file("report.pdf") == "\n".join([head, QQ_NOTE, "-" * 40, *lines])


def test_qq_pages_through_a_book_with_one_total(manager: FileManager, reader: Any) -> None:
    lines, start, seen = whole(reader, "book.pdf"), 1, []
    while start <= len(lines):
        end = min(start + 199, len(lines))
        reply = manager.read_file("book.pdf", start_line=start, num_lines=999)
        assert reply.split("\n")[:3] == [f"[File: book.pdf | Lines {start}-{end} of {len(lines)}]", QQ_NOTE, "-" * 40]
        seen += reply.split("\n")[3:]
        start = end + 1
    assert seen == lines


def test_qq_gives_the_same_document_the_same_lines_again(shelf: Path, manager: FileManager) -> None:
    first = manager.read_file("letter.docx", 2, 3)
    assert manager.read_file("letter.docx", 2, 3) == first
    assert FileManager(root=str(shelf)).read_file("letter.docx", 2, 3) == first


def test_qq_counts_the_markdown_when_a_start_is_out_of_bounds(manager: FileManager, reader: Any) -> None:
    total = len(whole(reader, "report.pdf"))
    for start in (0, -1, total + 1):
        assert manager.read_file("report.pdf", start) == f"Start line {start} is out of bounds. Total lines: {total}."


@pytest.mark.parametrize("name", ["damaged.pdf", "damaged.docx"])
def test_qq_says_that_a_damaged_document_could_not_be_converted(manager: FileManager, name: str) -> None:
    reply = manager.read_file(name)
    assert re.fullmatch(rf"Error: Could not convert '{re.escape(name)}' to Markdown: [^\n]*[^.\n]\.", reply)


def test_qq_says_that_a_scan_has_no_text_layer(manager: FileManager) -> None:
    assert manager.read_file("scan.pdf") == "Error: 'scan.pdf' has no text layer (3 pages of images)."


def test_qq_says_that_a_document_is_locked(manager: FileManager) -> None:
    assert manager.read_file("locked.pdf") == "Error: 'locked.pdf' is password-protected."


def test_qq_names_the_base_name_of_a_failing_document_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "locked.pdf").write_bytes(pdf(REPORT, user=PASSWORD))
    assert FileManager(root=str(tmp_path)).read_file("deep/locked.pdf") == "Error: 'locked.pdf' is password-protected."


@pytest.mark.parametrize("name", ["blank.pdf", "empty.docx"])
def test_no_dialect_takes_a_document_without_anything_in_it_for_images(shelf: Path, name: str) -> None:
    assert FileManager(root=str(shelf)).read_file(name) == f"Error: '{name}' holds no text."
    answer = EnvelopeTool(str(shelf), documents=True).run({"path": name})
    assert answer["error"]["message"] == f"Could not read '{name}': it holds no text."
    with pytest.raises(ValueError) as failure:
        OpencodeTool(root=str(shelf), documents=True).execute_sync({"filePath": name})
    assert str(failure.value) == f"Cannot convert {shelf.resolve()}/{name}: it holds no text"


def test_qq_judges_arguments_and_existence_before_the_document(manager: FileManager) -> None:
    assert manager.read_file("damaged.pdf", 1, 0) == "Error: num_lines must be at least 1."
    assert manager.read_file("damaged.pdf", "x") == "Error: start_line must be a whole number."  # pyright: ignore
    assert manager.read_file("locked.pdf", 99999) == "Error: 'locked.pdf' is password-protected."


def test_qq_knows_documents_by_content(manager: FileManager, reader: Any) -> None:
    total = len(whole(reader, "report.pdf"))
    assert manager.read_file("report.txt").startswith(f"[File: report.txt | Lines 1-{total} of {total}]\n")
    assert manager.read_file("words.pdf") == "\n".join(
        ["[File: words.pdf | Lines 1-2 of 2]", QQ_NOTE, "-" * 40, "amber", "basin"]
    )
    assert manager.read_file("damaged.txt") == "Error: File 'damaged.txt' appears to be binary."


def test_qq_reads_documents_with_the_reader_it_is_given(shelf: Path) -> None:
    def shout(data: bytes, name: str) -> str:
        return f"{name.upper()}\n{len(data)}\n"

    size = (shelf / "report.pdf").stat().st_size
    manager = FileManager(root=str(shelf), document_reader=shout)
    expected = ["[File: report.pdf | Lines 1-2 of 2]", QQ_NOTE, "-" * 40, "REPORT.PDF", str(size)]
    assert manager.read_file("report.pdf") == "\n".join(expected)
    assert manager.read_file("notes.txt", 1, 1).endswith("\namber")


def test_qq_words_the_failure_of_the_document_reader_it_is_given(shelf: Path) -> None:
    def fail(data: bytes, name: str) -> str:
        raise ValueError("no such luck")

    reply = FileManager(root=str(shelf), document_reader=fail).read_file("report.pdf")
    assert re.fullmatch(r"Error: Could not convert 'report\.pdf' to Markdown: [^\n]+\.", reply)


# envelope


@pytest.fixture(scope="module")
def envelope(shelf: Path) -> EnvelopeTool:
    return EnvelopeTool(str(shelf), documents=True)


def test_an_envelope_holds_a_document_like_a_text(envelope: EnvelopeTool, reader: Any, shelf: Path) -> None:
    lines, stat = whole(reader, "report.pdf"), (shelf / "report.pdf").stat()
    reply = envelope.run({"path": "report.pdf"})
    took = reply["stats"].pop("time_ms")
    assert isinstance(took, int)
    assert reply == {
        "status": "success",
        "data": {"content": "".join("%4d | %s\n" % pair for pair in enumerate(lines, 1)), "truncated": False},
        "text": f"Read {len(lines)} lines from 'report.pdf' (Lines 1-{len(lines)}).\n(Took {took}ms)",
        "stats": {
            "lines_read": len(lines),
            "chars_read": sum(len(line) + 1 for line in lines),
            "total_lines": len(lines),
            "file_size_bytes": stat.st_size,
            "file_mtime_ms": stat.st_mtime_ns // 1_000_000,
            "encoding": "utf-8",
        },
        "context": {"cwd": ".", "params_input": {"path": "report.pdf"}, "path_resolved": "report.pdf"},
    }


def test_an_envelope_with_a_part_of_a_document_says_how_to_go_on(envelope: EnvelopeTool, reader: Any) -> None:
    lines = whole(reader, "book.pdf")
    reply = envelope.run({"path": "book.pdf", "start_line": 11})
    assert (reply["status"], reply["data"]["truncated"], reply["stats"]["total_lines"]) == ("partial", True, len(lines))
    assert reply["data"]["content"] == "".join("%4d | %s\n" % pair for pair in list(enumerate(lines, 1))[10:510])
    assert reply["text"].split("\n")[2:] == [
        f"[Truncated: Showing first 500 of {len(lines)} lines. Use start_line=511 to continue.]"
    ]


def test_an_envelope_names_the_length_of_a_document_when_the_start_is_past_it(
    envelope: EnvelopeTool, reader: Any
) -> None:
    total = len(whole(reader, "report.pdf"))
    error = envelope.run({"path": "report.pdf", "start_line": total + 1})["error"]
    message = f"Invalid start_line: {total + 1} exceeds file length ({total} lines). Valid range: 1 to {total}."
    assert error == {"code": "INVALID_PARAM", "message": message}


@pytest.mark.parametrize("name", FAILING)
def test_an_envelope_says_why_a_document_could_not_be_read(envelope: EnvelopeTool, name: str) -> None:
    reply = envelope.run({"path": name})
    assert set(reply) == {"status", "data", "text", "stats", "context", "error"}
    assert (reply["status"], reply["data"], reply["error"]["code"]) == ("error", {}, "EXECUTION_ERROR")
    assert re.fullmatch(rf"Could not read '{re.escape(name)}': [^\n]*[^.\n]\.", reply["error"]["message"])
    assert reply["text"].startswith(reply["error"]["message"] + " ")
    assert re.search(r"\b(Try|Check|Use)\b", reply["text"][len(reply["error"]["message"]) :])
    assert set(reply["stats"]) == {"time_ms"}


@pytest.mark.parametrize("name", ["report.pdf", "letter.docx", "report.txt", "letter.bin", "damaged.pdf", "locked.pdf"])
def test_an_envelope_without_documents_calls_them_binary(shelf: Path, name: str) -> None:
    reply = EnvelopeTool(str(shelf)).run({"path": name})
    assert reply["error"] == {"code": "BINARY_FILE", "message": f"File '{name}' appears to be binary."}
    assert reply["context"] == {"cwd": ".", "params_input": {"path": name}, "path_resolved": name}


def test_an_envelope_knows_documents_by_content(envelope: EnvelopeTool, reader: Any) -> None:
    total = len(whole(reader, "report.pdf"))
    assert envelope.run({"path": "report.txt"})["stats"]["total_lines"] == total
    assert envelope.run({"path": "words.pdf"})["data"] == {
        "content": "   1 | amber\n   2 | basin\n",
        "truncated": False,
    }
    assert envelope.run({"path": "damaged.txt"})["error"]["code"] == "BINARY_FILE"


def test_an_envelope_judges_its_parameters_before_the_document(envelope: EnvelopeTool) -> None:
    assert envelope.run({"path": "damaged.pdf", "limit": 0})["error"]["code"] == "INVALID_PARAM"


# opencode


@pytest.fixture(scope="module")
def opencode(shelf: Path) -> OpencodeTool:
    return OpencodeTool(cwd=str(shelf), documents=True)


def _opencode_output(path: Path, lines: list[str], start: int, remark: str) -> str:
    body = [f"{n}: {line}" for n, line in enumerate(lines, start)]
    return "\n".join([f"<path>{path}</path>", "<type>file</type>", "<content>", *body, "", remark, "</content>"])


def test_opencode_shows_a_document_like_a_file(opencode: OpencodeTool, reader: Any, shelf: Path) -> None:
    lines = whole(reader, "report.pdf")
    assert opencode.execute_sync({"filePath": "report.pdf"}) == {
        "title": "report.pdf",
        "output": _opencode_output(shelf / "report.pdf", lines, 1, f"(End of file - total {len(lines)} lines)"),
        "metadata": {"preview": "\n".join(lines[:20]), "truncated": False},
    }


def test_opencode_shows_a_part_of_a_document(opencode: OpencodeTool, reader: Any, shelf: Path) -> None:
    lines = whole(reader, "report.pdf")
    reply = opencode.execute_sync({"filePath": "report.pdf", "offset": 5, "limit": 4})
    remark = "(File has more lines. Use 'offset' parameter to read beyond line 8)"
    assert reply["output"] == _opencode_output(shelf / "report.pdf", lines[4:8], 5, remark)
    assert reply["metadata"] == {"preview": "\n".join(lines[4:8]), "truncated": True}


def test_opencode_ends_a_book_at_its_byte_budget(opencode: OpencodeTool, reader: Any, shelf: Path) -> None:
    lines, spent, fits = whole(reader, "book.pdf"), -1, 0
    for line in lines:
        spent += len(line.encode()) + 1
        fits += spent <= 51200
    assert fits < len(lines)
    remark = f"(Output truncated at 51200 bytes. Use 'offset' parameter to read beyond line {fits})"
    reply = opencode.execute_sync({"filePath": "book.pdf"})
    assert reply["output"] == _opencode_output(shelf / "book.pdf", lines[:fits], 1, remark)


def test_opencode_names_the_length_of_a_document_when_the_offset_is_past_it(
    opencode: OpencodeTool, reader: Any
) -> None:
    total = len(whole(reader, "report.pdf"))
    with pytest.raises(ValueError) as failure:
        opencode.execute_sync({"filePath": "report.pdf", "offset": total + 1})
    assert str(failure.value) == f"Offset {total + 1} is out of range for this file ({total} lines)"


@pytest.mark.parametrize("name", FAILING)
def test_opencode_says_why_a_document_does_not_convert(opencode: OpencodeTool, shelf: Path, name: str) -> None:
    with pytest.raises(ValueError) as failure:
        opencode.execute_sync({"filePath": name})
    assert re.fullmatch(rf"Cannot convert {re.escape(str(shelf / name))}: [^\n]+", str(failure.value))


@pytest.mark.parametrize("name", ["report.pdf", "letter.docx", "words.pdf", "damaged.pdf", "report.txt"])
def test_opencode_without_documents_calls_them_binary(shelf: Path, name: str) -> None:
    with pytest.raises(ValueError) as failure:
        OpencodeTool(cwd=str(shelf)).execute_sync({"filePath": name})
    assert str(failure.value) == f"Cannot read binary file: {shelf / name}"


def test_opencode_knows_documents_by_content(opencode: OpencodeTool, reader: Any) -> None:
    lines = whole(reader, "report.pdf")
    assert opencode.execute_sync({"filePath": "report.txt"})["metadata"]["preview"] == "\n".join(lines[:20])


def test_opencode_refuses_a_text_under_the_name_of_a_document(opencode: OpencodeTool, shelf: Path) -> None:
    with pytest.raises(ValueError) as failure:
        opencode.execute_sync({"filePath": "words.pdf"})
    assert str(failure.value) == f"Cannot read binary file: {shelf / 'words.pdf'}"
