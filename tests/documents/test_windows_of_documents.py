"""Windows over a document in `native`: limits, budgets, columns, totals, tails."""

import re
from pathlib import Path
from typing import Any

import pytest
from printed_lines import Reader
from small_documents import BOOK, LONG, docx, gutter_lines, paragraph, printed, whole

from readwell.qq import FileManager


def _text_of(lines: list[str]) -> list[str]:
    """Lines without anchors and blank ones."""
    return [line for line in lines if line and not line.startswith("<!--")]


@pytest.mark.parametrize("limit", [1, 3, 7, 10, 500])
def test_windows_over_a_document_give_every_line_once_with_the_same_number(reader: Any, limit: int) -> None:
    lines, offset, seen = whole(reader, "report.pdf"), 1, {}
    while True:
        reply = reader.reply({"path": "report.pdf", "offset": offset, "limit": limit})
        shown = gutter_lines(reply.text)
        assert list(shown) == list(range(offset, min(offset + limit, len(lines) + 1)))
        assert (reply.data["start"], reply.data["end"]) == (min(shown), max(shown))
        seen |= shown
        if reply.data["next"] is None:
            assert (reply.text.split("\n")[-1], reply.data["reason"]) == ("[end]", "end")
            break
        assert reply.text.split("\n")[-1] == f"[more: offset={offset + limit}]"
        assert (reply.data["next"], reply.data["reason"]) == ({"offset": offset + limit, "column": 1}, "lines")
        offset += limit
    assert list(seen.values()) == lines


def test_a_window_says_which_pages_its_lines_come_from(reader: Any) -> None:
    lines = whole(reader, "report.pdf")
    page_of, page = {}, 0
    for number, line in enumerate(lines, 1):
        page += line.startswith("<!-- page ")
        page_of[number] = page
    for start in range(1, len(lines) + 1, 4):
        reply = reader.reply({"path": "report.pdf", "offset": start, "limit": 6, "total": "exact"})
        first, last = page_of[start], page_of[min(start + 5, len(lines))]
        assert reply.data["pages"] == {"first": first, "last": last, "total": 5}
        shown = f"pages {first}-{last}" if first != last else rf"pages? {first}(-{first})?"
        span = rf"lines {start}-{reply.data['end']} of {len(lines)} \({shown}\)"
        assert re.search(span, reply.text.split("\n")[0])


def test_a_book_beyond_the_budgets_is_read_whole_by_following_the_continuation(reader: Any) -> None:
    lines = whole(reader, "book.pdf")
    assert _text_of(lines) == [line for page in BOOK for line in page]
    assert [line for line in lines if line.startswith("<!--")] == [f"<!-- page {n} -->" for n in range(1, 31)]
    first = reader.reply({"path": "book.pdf"})
    assert first.data["reason"] in ("bytes", "tokens")
    offset = first.data["end"] + 1
    assert re.fullmatch(rf"\[more: offset={offset} \| \d+ (token|byte) budget reached\]", first.text.split("\n")[-1])


def test_a_token_budget_ends_a_window_over_a_document_and_is_named(reader: Any) -> None:
    reply = reader.reply({"path": "book.pdf", "max_tokens": 300})
    end = reply.data["end"]
    assert (reply.data["reason"], reply.data["next"]) == ("tokens", {"offset": end + 1, "column": 1})
    assert reply.text.split("\n")[-1] == f"[more: offset={end + 1} | 300 token budget reached]"
    assert reply.data["tokens"] <= 300


def test_a_token_budget_below_256_is_raised_and_the_reply_says_so(reader: Any) -> None:
    reply = reader.reply({"path": "book.pdf", "max_tokens": 10})
    assert len(reply.data["notices"]) == 1
    assert "256" in reply.data["notices"][0]["message"]
    assert reply.text.split("\n")[-1].endswith("| 256 token budget reached]")


def test_a_limit_above_the_setting_is_clamped_and_the_reply_says_so(reader: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "limit": 1_000_000})
    assert [("2000" in notice["message"]) for notice in reply.data["notices"]] == [True]
    assert "[note: " in reply.text


def test_the_last_lines_of_a_document_are_had_by_a_negative_offset(reader: Any) -> None:
    lines = whole(reader, "report.pdf")
    reply = reader.reply({"path": "report.pdf", "offset": -3, "total": "exact"})
    total = len(lines)
    assert gutter_lines(reply.text) == dict(list(enumerate(lines, 1))[-3:])
    assert reply.text.split("\n")[1] == f"[before: lines 1-{total - 3}]"
    assert reply.text.split("\n")[-1] == "[end]"
    assert reply.data["pages"] == {"first": 5, "last": 5, "total": 5}


def test_an_offset_past_the_end_of_a_document_names_its_total(reader: Any) -> None:
    total = len(whole(reader, "report.pdf"))
    waiting = reader.reply({"path": "report.pdf", "offset": total + 1})
    assert f"| lines {total + 1}-{total} of {total} | rev" in waiting.text
    reply = reader.reply({"path": "report.pdf", "offset": total + 2})
    assert (reply.is_error, reply.data["error"]["code"], reply.data["error"]["retryable"]) == (
        True,
        "OUT_OF_RANGE",
        True,
    )
    assert re.search(rf"\b{total}\b", reply.text)


@pytest.mark.parametrize("total", ["lazy", "exact"])
def test_an_exact_total_is_true_and_a_lazy_one_is_true_or_unknown(shelf: Path, total: str) -> None:
    with Reader(root=str(shelf), cache_dir=None) as fresh:
        reply = fresh.reply({"path": "book.pdf", "limit": 5, "total": total})
        count = len(whole(fresh, "book.pdf"))
    assert reply.data["total"] in ((count,) if total == "exact" else (count, None))
    shown = "?" if reply.data["total"] is None else count
    head = reply.text.split("\n")[0]
    assert head.startswith("[book.pdf | pdf, 30 pages | lines 1-5 of %s (" % shown)


def test_a_long_line_of_a_docx_is_clipped_and_continued_by_column(reader: Any) -> None:
    lines = whole(reader, "letter.docx")
    number = next(n for n, line in enumerate(lines, 1) if line.startswith(LONG[:100]))
    first = reader.reply({"path": "letter.docx", "offset": number, "limit": 1})
    rest = len(LONG) - 2000
    assert gutter_lines(first.text)[number] == f"{LONG[:2000]} …[+{rest} characters: offset={number} column=2001]"
    assert first.data["clipped"] == [{"line": number, "column": 2001}]
    second = reader.reply({"path": "letter.docx", "offset": number, "column": 2001, "limit": 1})
    assert gutter_lines(second.text)[number] == LONG[2000:]


def test_every_character_of_a_long_line_is_had_by_following_its_columns(reader: Any) -> None:
    assert [line for line in whole(reader, "letter.docx") if line.startswith(LONG[:100])] == [LONG]


def test_a_line_of_a_pdf_is_clipped_at_the_line_length_of_the_reader(shelf: Path) -> None:
    line = printed(1, 3)[0][1]
    with Reader(root=str(shelf), line_length=20) as narrow:
        shown = gutter_lines(narrow.reply({"path": "single.pdf"}).text)
        number = next(n for n, text in shown.items() if text.startswith(line[:20]))
        assert shown[number] == f"{line[:20]} …[+{len(line) - 20} characters: offset={number} column=21]"
        again = narrow.reply({"path": "single.pdf", "offset": number, "column": 21, "limit": 1})
    assert gutter_lines(again.text)[number].startswith(line[20:40])


def test_a_column_past_the_end_of_a_documents_line_is_refused(reader: Any) -> None:
    reply = reader.reply({"path": "report.pdf", "offset": 1, "column": 500})
    assert (reply.is_error, reply.data["error"]["code"] in ("INVALID_PARAM", "OUT_OF_RANGE")) == (True, True)


def test_a_documents_lines_end_as_all_lines_do(tmp_path: Path) -> None:
    odd = "amber\u2028basin\u0085cedar"
    (tmp_path / "odd.docx").write_bytes(docx(paragraph("first"), paragraph(odd), paragraph("last")))
    with Reader(root=str(tmp_path)) as reader:
        lines = whole(reader, "odd.docx")
        assert reader.reply({"path": "odd.docx", "total": "exact"}).data["total"] == len(lines)
    header, _, _, *bare = FileManager(root=str(tmp_path)).read_file("odd.docx").split("\n")
    assert (header, bare) == (f"[File: odd.docx | Lines 1-{len(lines)} of {len(lines)}]", lines)
    assert [line for line in lines if "amber" in line and "cedar" in line] != []
