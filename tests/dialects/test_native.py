"""The text `readwell.Reader` shows of a file: window, long lines, budgets, totals, notices, encodings."""

import re
import tracemalloc

import pytest
from native_replies import ABC, ask, code_of, numbered, put, shown, without_notes

import readwell
from readwell.documents.format_detection import RENDERED


def notes(reply):
    return [line for line in reply.text.split("\n") if line.startswith("[note: ")]


# --- the window ---------------------------------------------------------------------------------

WINDOWS = {
    "the whole file": (ABC, {}, "lines 1-3 of 3 | utf-8 LF", "1\talpha\n2\tbeta\n3\tgamma\n[end]"),
    "a first window": (ABC, {"limit": 2}, "lines 1-2 of 3 | utf-8 LF", "1\talpha\n2\tbeta\n[more: offset=3]"),
    "a middle line": (ABC, {"offset": 2, "limit": 1}, "lines 2-2 of 3 | utf-8 LF", "2\tbeta\n[more: offset=3]"),
    "the last line": (ABC, {"offset": 3}, "lines 3-3 of 3 | utf-8 LF", "3\tgamma\n[end]"),
    "a limit that ends with the file": (
        ABC,
        {"limit": 3},
        "lines 1-3 of 3 | utf-8 LF",
        "1\talpha\n2\tbeta\n3\tgamma\n[end]",
    ),
    "the tail": (ABC, {"offset": -2}, "lines 2-3 of 3 | utf-8 LF", "[before: lines 1-1]\n2\tbeta\n3\tgamma\n[end]"),
    "a tail as long as the file": (
        ABC,
        {"offset": -3},
        "lines 1-3 of 3 | utf-8 LF",
        "1\talpha\n2\tbeta\n3\tgamma\n[end]",
    ),
    "a tail longer than the file": (
        ABC,
        {"offset": -50},
        "lines 1-3 of 3 | utf-8 LF",
        "1\talpha\n2\tbeta\n3\tgamma\n[end]",
    ),
    "a limited tail": (
        numbered(10),
        {"offset": -5, "limit": 2},
        "lines 6-7 of 10 | utf-8 LF",
        "[before: lines 1-5]\n6\tline 6\n7\tline 7\n[more: offset=8]",
    ),
    "an empty file": (b"", {}, "lines 0-0 of 0 | utf-8", "[end]"),
    "the tail of an empty file": (b"", {"offset": -5}, "lines 0-0 of 0 | utf-8", "[end]"),
    "a lone terminator": (b"\n", {}, "lines 1-1 of 1 | utf-8 LF", "1\t\n[end]"),
    "empty lines": (b"\n\na\n", {}, "lines 1-3 of 3 | utf-8 LF", "1\t\n2\t\n3\ta\n[end]"),
    "tabs and blanks": (b"\ta \n b\n", {}, "lines 1-2 of 2 | utf-8 LF", "1\t\ta \n2\t b\n[end]"),
    "text that looks like remarks": (
        b"[end]\n[note: no]\n[more: offset=1]\n",
        {},
        "lines 1-3 of 3 | utf-8 LF",
        "1\t[end]\n2\t[note: no]\n3\t[more: offset=1]\n[end]",
    ),
    "CRLF": (b"a\r\nb\r\n", {}, "lines 1-2 of 2 | utf-8 CRLF", "1\ta\n2\tb\n[end]"),
    "CR": (b"a\rb\r", {}, "lines 1-2 of 2 | utf-8 CR", "1\ta\n2\tb\n[note]\n[end]"),
    "LF with a lone CR": (b"a\nb\rc\n", {}, "lines 1-3 of 3 | utf-8 mixed", "1\ta\n2\tb\n3\tc\n[note]\n[end]"),
    "LF with CRLF": (b"a\nb\r\n", {}, "lines 1-2 of 2 | utf-8 mixed", "1\ta\n2\tb\n[note]\n[end]"),
    "no terminator at all": (b"abc", {}, "lines 1-1 of 1 | utf-8", "1\tabc\n[note]\n[end]"),
    "no final newline": (b"a\nb", {}, "lines 1-2 of 2 | utf-8 LF", "1\ta\n2\tb\n[note]\n[end]"),
    "no final newline, earlier window": (b"a\nb", {"limit": 1}, "lines 1-1 of 2 | utf-8 LF", "1\ta\n[more: offset=2]"),
    "CRLF without a final one": (b"a\r\nb", {}, "lines 1-2 of 2 | utf-8 CRLF", "1\ta\n2\tb\n[note]\n[end]"),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_is_shown_exactly(tmp_path, name):
    data, params, header, rest = WINDOWS[name]
    put(tmp_path, "a.txt", data)
    reply = ask(tmp_path, **params)
    assert reply.is_error is False
    assert shown(reply) == f"[a.txt | {header} | rev REV]\n{rest}"


def test_an_offset_of_zero_means_the_first_line(tmp_path):
    put(tmp_path, "a.txt", ABC)
    assert without_notes(ask(tmp_path, offset=0, limit=1)) == (
        "[a.txt | lines 1-1 of 3 | utf-8 LF | rev REV]\n1\talpha\n[more: offset=2]"
    )


def test_only_the_three_terminators_end_a_line(tmp_path):
    odd = "a\x0cb\x0bc\x85d\u2028e\u2029f\x1cg\x1dh\x1ei"
    put(tmp_path, "a.txt", odd + "\nlast\n")
    assert without_notes(ask(tmp_path)) == (f"[a.txt | lines 1-2 of 2 | utf-8 LF | rev REV]\n1\t{odd}\n2\tlast\n[end]")


def test_a_path_in_a_folder_is_shown_from_the_root(tmp_path):
    inside = put(tmp_path, "src/app.py", "import os\n")
    expected = "[src/app.py | lines 1-1 of 1 | utf-8 LF | rev REV]\n1\timport os\n[end]"
    assert shown(ask(tmp_path, "src/app.py")) == expected
    assert shown(ask(tmp_path, str(inside))) == expected


def test_the_default_limit_is_2000_lines(tmp_path):
    put(tmp_path, "a.txt", "x\n" * 2500)
    reply = ask(tmp_path)
    assert shown(reply).startswith("[a.txt | lines 1-2000 of 2500 | utf-8 LF | rev REV]\n1\tx\n")
    assert reply.text.endswith("\n2000\tx\n[more: offset=2001]")
    assert reply.data["reason"] == "lines"


# --- long lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["x", "é", "漢", "😀"])
@pytest.mark.parametrize(
    "length, cut",
    [
        (1999, ""),
        (2000, ""),
        (2001, " …[+1 characters: offset=2 column=2001]"),
        (4500, " …[+2500 characters: offset=2 column=2001]"),
    ],
)
def test_a_line_is_cut_at_2000_characters_and_says_how_to_go_on(tmp_path, letter, length, cut):
    put(tmp_path, "a.txt", f"a\n{letter * length}\nb\n")
    reply = ask(tmp_path)
    assert shown(reply) == (
        f"[a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\ta\n2\t{letter * min(length, 2000)}{cut}\n3\tb\n[end{' | 1 line is cut' * bool(cut)}]"
    )
    assert reply.data["clipped"] == ([{"line": 2, "column": 2001}] if cut else [])


def test_a_cut_line_is_continued_by_column(tmp_path):
    line = "".join(f"{n:04d}" for n in range(6))
    put(tmp_path, "a.txt", f"a\n{line}\nb\n")
    settings = {"line_length": 10}
    assert shown(ask(tmp_path, settings=settings, offset=2, column=11)) == (
        f"[a.txt | lines 2-3 of 3 | utf-8 LF | rev REV]\n2@11\t{line[10:]}\n3\tb\n[end]"
    )
    assert shown(ask(tmp_path, settings=settings, offset=2, column=21)) == (
        f"[a.txt | lines 2-3 of 3 | utf-8 LF | rev REV]\n2@21\t{line[20:]}\n3\tb\n[end]"
    )
    assert shown(ask(tmp_path, settings=settings, offset=2, column=21, limit=1)) == (
        f"[a.txt | lines 2-2 of 3 | utf-8 LF | rev REV]\n2@21\t{line[20:]}\n[more: offset=3]"
    )
    assert ask(tmp_path, settings=settings, offset=2, column=21, limit=1).data["next"] == {"offset": 3, "column": 1}


def test_end_alone_means_that_every_character_was_shown(tmp_path):
    put(tmp_path, "a.txt", "12345678901\nb\n12345678901\nc\n")
    put(tmp_path, "last.txt", "12345678901\n1234567890123\n")
    settings = {"line_length": 10}
    assert ask(tmp_path, settings=settings).text.endswith("\n[end | 2 lines are cut]")
    assert ask(tmp_path, settings=settings, offset=2).text.endswith("\n[end | 1 line is cut]")
    assert ask(tmp_path, settings=settings, offset=4).text.endswith("\n[end]")
    reply = ask(tmp_path, "last.txt", settings=settings)
    assert reply.text.endswith("2\t1234567890 …[+3 characters: offset=2 column=11]\n[more: offset=2 column=11]")
    assert reply.data["next"] == {"offset": 2, "column": 11}
    assert ask(tmp_path, "last.txt", settings=settings, **reply.data["next"]).text.endswith("\n2@11\t123\n[end]")


@pytest.mark.parametrize("newline", ["", "\n"])
def test_one_line_of_120_kb_takes_four_calls(tmp_path, newline):
    line = "".join(f"{number} some words of a long line, " for number in range(4000))[:120_000]
    put(tmp_path, "a.txt", line + newline)
    read, here = [], {"offset": 1, "column": 1}
    while here:
        reply = ask(tmp_path, settings={"max_tokens": 50_000}, **here)
        read.append(re.search(r"^1(?:@\d+)?\t(.*?)(?: …\[|$)", reply.text, re.MULTILINE)[1])
        here = reply.data["next"]
    assert (len(read), "".join(read) == line) == (4, True)


def test_the_first_column_needs_no_mark(tmp_path):
    put(tmp_path, "a.txt", ABC)
    assert ask(tmp_path, offset=2, column=1).text == ask(tmp_path, offset=2).text


def test_a_column_counts_characters_not_bytes(tmp_path):
    put(tmp_path, "a.txt", "é漢😀z\nb\n")
    assert shown(ask(tmp_path, column=4)) == "[a.txt | lines 1-2 of 2 | utf-8 LF | rev REV]\n1@4\tz\n2\tb\n[end]"


def test_the_rest_of_an_enormous_line_is_not_counted(tmp_path):
    length = 3 * 2**20
    put(tmp_path, "a.txt", "x" * (length - 3) + "END\ny\n")
    assert shown(ask(tmp_path)) == (
        f"[a.txt | lines 1-2 of 2 | utf-8 LF | rev REV]\n1\t{'x' * 2000} …[more: offset=1 column=2001]\n2\ty\n"
        "[end | 1 line is cut]"
    )
    assert shown(ask(tmp_path, column=length - 2)) == (
        f"[a.txt | lines 1-2 of 2 | utf-8 LF | rev REV]\n1@{length - 2}\tEND\n2\ty\n[end]"
    )


def test_one_enormous_line_is_never_held_whole(tmp_path):
    put(tmp_path, "a.txt", b"x" * (48 * 2**20) + b"\n")
    with readwell.Reader(root=str(tmp_path)) as reader:
        tracemalloc.start()
        try:
            reply = reader.reply({"path": "a.txt"})
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert reply.is_error is False
    assert peak < 24 * 2**20


@pytest.mark.parametrize("column", [100, 10**9])
def test_a_column_past_the_end_of_its_line_is_refused(tmp_path, column):
    put(tmp_path, "a.txt", ABC)
    assert code_of(ask(tmp_path, offset=2, column=column)) in {"INVALID_PARAM", "OUT_OF_RANGE"}


# --- budgets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings, params, remark, reason",
    [
        ({"max_bytes": 1000}, {}, "1000 byte budget reached", "bytes"),
        ({"max_tokens": 1000}, {}, "1000 token budget reached", "tokens"),
        ({}, {"max_tokens": 300}, "300 token budget reached", "tokens"),
    ],
)
def test_a_budget_ends_the_window_on_a_line_and_says_so(tmp_path, settings, params, remark, reason):
    lines = [f"{n:09d}" for n in range(1, 1501)]
    put(tmp_path, "a.txt", "\n".join(lines) + "\n")
    reply = ask(tmp_path, settings=settings, **params)
    end = reply.data["end"]
    body = "".join(f"{n}\t{lines[n - 1]}\n" for n in range(1, end + 1))
    assert shown(reply) == (
        f"[a.txt | lines 1-{end} of 1500 | utf-8 LF | rev REV]\n{body}[more: offset={end + 1} | {remark}]"
    )
    assert (reply.data["reason"], reply.data["next"]) == (reason, {"offset": end + 1, "column": 1})
    assert 1 <= end < 1500
    if reason == "tokens":
        assert reply.data["tokens"] <= int(remark.split()[0])
    else:
        assert end * 10 - 1 <= 1000


@pytest.mark.parametrize("asked", [255, 1, 0])
def test_a_token_budget_below_256_is_raised_and_the_reply_says_so(tmp_path, asked):
    put(tmp_path, "a.txt", "some words\n" * 1000)
    reply = ask(tmp_path, max_tokens=asked)
    assert re.search(r"\n\[note: [^\n]+\]\n\[more: offset=\d+ \| 256 token budget reached\]\Z", reply.text)
    assert len(notes(reply)) == len(reply.data["notices"]) == 1


def test_a_token_budget_of_256_is_taken_as_it_is(tmp_path):
    put(tmp_path, "a.txt", "some words\n" * 1000)
    reply = ask(tmp_path, max_tokens=256)
    assert notes(reply) == reply.data["notices"] == []


def test_a_limit_above_the_setting_is_clamped_and_the_reply_says_so(tmp_path):
    put(tmp_path, "a.txt", numbered(5))
    for asked in (4, 10**30):
        assert shown(ask(tmp_path, settings={"limit": 2}, limit=asked)) == (
            "[a.txt | lines 1-2 of 5 | utf-8 LF | rev REV]\n1\tline 1\n2\tline 2\n[note]\n[more: offset=3]"
        )


@pytest.mark.parametrize("asked", [0, -1, -(10**30)])
def test_a_limit_below_one_is_refused(tmp_path, asked):
    put(tmp_path, "a.txt", ABC)
    reply = ask(tmp_path, limit=asked)
    assert code_of(reply) in {"INVALID_PARAM", "OUT_OF_RANGE"}
    assert "1" in reply.text


def test_without_numbers_the_text_stands_bare_inside_a_random_fence(tmp_path):
    put(tmp_path, "a.txt", "[end]\nbeta\n")
    marks = []
    for _ in range(2):
        lines = ask(tmp_path, settings={"numbers": False}).text.split("\n")
        at = lines.index("beta")
        assert lines[at - 1] == "[end]"
        shared = set(re.findall(r"\w{4,}", lines[at - 2])) & set(re.findall(r"\w{4,}", lines[at + 1]))
        assert shared, "the fence does not close with the mark it opened with"
        marks.append((lines[at - 2], lines[at + 1]))
    assert marks[0] != marks[1]


def test_the_environment_does_not_reach_the_library(tmp_path, monkeypatch):
    put(tmp_path, "a.txt", ABC)
    monkeypatch.setenv("READWELL_LIMIT", "1")
    assert ask(tmp_path).data["end"] == 3


# --- lazy totals --------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["parameter", "setting"])
def test_a_lazy_total_is_a_question_mark(tmp_path, how):
    put(tmp_path, "a.txt", numbered(20000))
    settings, params = ({}, {"total": "lazy"}) if how == "parameter" else ({"total": "lazy"}, {})
    reply = ask(tmp_path, settings=settings, limit=200, **params)
    body = "".join(f"{n}\tline {n}\n" for n in range(1, 201))
    assert shown(reply) == f"[a.txt | lines 1-200 of ? | utf-8 LF | rev REV]\n{body}[more: offset=201]"
    assert [reply.data[k] for k in ("start", "end", "total", "next")] == [1, 200, None, {"offset": 201, "column": 1}]


def test_a_lazy_tail_counts_from_the_end(tmp_path):
    put(tmp_path, "a.txt", numbered(20000))
    reply = ask(tmp_path, offset=-200, total="lazy")
    lines = shown(reply).split("\n")
    assert lines[0].startswith("[a.txt | lines ")
    assert " of ? | " in lines[0]
    assert lines[1:] == ["[before: offset=-400]", *(f"-{k}\tline {20001 - k}" for k in range(200, 0, -1)), "[end]"]
    assert [reply.data[k] for k in ("start", "end", "total", "next")] == [-200, -1, None, None]


def test_a_limited_lazy_tail_goes_on_from_where_it_stopped(tmp_path):
    put(tmp_path, "a.txt", numbered(20000))
    data = ask(tmp_path, offset=-200, limit=50, total="lazy").data
    assert [data[k] for k in ("start", "end", "next")] == [-200, -151, {"offset": -150, "column": 1}]


def test_an_exact_total_overrides_a_lazy_setting(tmp_path):
    put(tmp_path, "a.txt", numbered(20000))
    assert ask(tmp_path, settings={"total": "lazy"}, limit=1, total="exact").data["total"] == 20000


# --- notices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, words",
    [
        pytest.param(b"a\rb\r", ["numbers differ from grep and sed"], id="lone CR"),
        pytest.param(b"a\nb\rc\n", ["numbers differ from grep and sed"], id="mixed"),
        pytest.param("é\na\nüö\n".encode() + b"b\xff\n", [r"\b1\b", r"\b4\b"], id="one replaced byte on line 4"),
        pytest.param(b"a\n\x1b[31mred\x1b[0m\nc\n", [r"\b2\b"], id="escape sequence"),
        pytest.param("a\nb\u202ec\nd\n", [r"\b2\b"], id="bidi"),
        pytest.param("a\nb\u200bc\nd\n", [r"\b2\b"], id="invisible"),
        pytest.param(b"a\nb", [], id="no final newline"),
    ],
)
def test_what_is_odd_about_a_file_is_noted_once(tmp_path, data, words):
    put(tmp_path, "a.txt", data)
    reply = ask(tmp_path)
    (note,) = notes(reply)
    assert reply.text.split("\n")[-2:] == [note, "[end]"]
    assert note.endswith("]")
    for word in words:
        assert re.search(word, note)
    (notice,) = reply.data["notices"]
    assert set(notice) == {"code", "message", "lines"}
    assert notice["code"] and notice["message"]


@pytest.mark.parametrize("damaged, told", [(b"\xff", "1 character"), (b"\xff.\xff", "2 characters")])
def test_characters_that_were_replaced_are_counted(tmp_path, damaged, told):
    put(tmp_path, "a.txt", "é\nüö\n".encode() + damaged + b"\n")
    why = "; damaged, or encodings are mixed: encoding= reads another"
    message = f"{told} replaced, not valid utf-8, first in line 3{why}"
    assert ask(tmp_path).data["notices"] == [{"code": "bytes-replaced", "message": message, "lines": [3]}]


def test_different_oddities_have_different_codes(tmp_path):
    codes = []
    for data in (b"a\rb\r", "é\n".encode() + b"\xff\n", b"\x1b[1m\n", "\u202e\n", b"a"):
        put(tmp_path, "a.txt", data)
        codes += [notice["code"] for notice in ask(tmp_path).data["notices"]]
    assert len(codes) == len(set(codes)) == 5


def test_an_unknown_parameter_is_ignored_with_a_notice(tmp_path):
    put(tmp_path, "a.txt", ABC)
    reply = ask(tmp_path, limit=1, frobnicate=3)
    assert shown(reply) == "[a.txt | lines 1-1 of 3 | utf-8 LF | rev REV]\n1\talpha\n[note]\n[more: offset=2]"
    assert "frobnicate" in notes(reply)[0]


def test_escape_sequences_of_the_file_stay_as_they_are_in_the_text(tmp_path):
    put(tmp_path, "a.txt", "\x1b[31mred\x1b[0m\n")
    assert "\n1\t\x1b[31mred\x1b[0m\n" in ask(tmp_path).text


# --- encodings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "codec, bom, label",
    [
        ("utf-8", True, "utf-8-bom"),
        ("utf-16-le", True, "utf-16-le"),
        ("utf-16-be", True, "utf-16-be"),
        ("utf-32-le", True, "utf-32-le"),
        ("utf-32-be", True, "utf-32-be"),
        ("utf-16-le", False, "utf-16-le"),
        ("utf-16-be", False, "utf-16-be"),
    ],
)
@pytest.mark.parametrize("end, ends", [("\n", "LF"), ("\r\n", "CRLF"), ("\r", "CR")])
def test_unicode_files_are_known_by_their_bytes(tmp_path, codec, bom, label, end, ends):
    put(tmp_path, "a.txt", (("\ufeff" if bom else "") + f"hello{end}wörld{end}").encode(codec))
    reply = ask(tmp_path)
    assert without_notes(reply) == f"[a.txt | lines 1-2 of 2 | {label} {ends} | rev REV]\n1\thello\n2\twörld\n[end]"
    assert (reply.data["bom"], reply.data["newline"]) == (bom, ends.lower())
    if codec != "utf-8":
        assert reply.data["encoding"] == codec


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_mark_is_no_guess_and_needs_no_notice(tmp_path, codec):
    put(tmp_path, "a.txt", "\ufeffa😀\n".encode(codec))
    assert shown(ask(tmp_path)) == f"[a.txt | lines 1-1 of 1 | {codec} LF | rev REV]\n1\ta😀\n[end]"


def test_a_file_of_only_a_mark_is_empty(tmp_path):
    put(tmp_path, "a.txt", b"\xef\xbb\xbf")
    assert shown(ask(tmp_path)) == "[a.txt | lines 0-0 of 0 | utf-8-bom | rev REV]\n[end]"


@pytest.mark.parametrize("before", range(65532, 65538))
def test_a_character_across_the_sample_edge_is_not_damaged(tmp_path, before):
    head = ("x" * 99 + "\n") * 655
    put(tmp_path, "a.txt", head + "y" * (before - len(head)) + "€\n")
    assert shown(ask(tmp_path, offset=656)) == (
        f"[a.txt | lines 656-656 of 656 | utf-8 LF | rev REV]\n656\t{'y' * (before - len(head))}€\n[end]"
    )


def test_damaged_utf8_is_shown_with_replacements(tmp_path):
    put(tmp_path, "a.txt", "é漢\n".encode() + b"a\xffb\n")
    assert "\n1\té漢\n2\ta\ufffdb\n[note: " in ask(tmp_path).text


def test_a_stray_eight_bit_text_is_read_with_a_notice(tmp_path):
    put(tmp_path, "a.txt", b"caf\xe9\n")
    reply = ask(tmp_path)
    assert "\n1\tcaf" in reply.text
    assert len(notes(reply)) == 1


@pytest.mark.parametrize(
    "encoding, data, line",
    [
        ("cp1252", b"\x80 caf\xe9\n", "€ café"),
        ("latin-1", b"caf\xe9\n", "café"),
        ("utf-16-le", "hé\n".encode("utf-16-le"), "hé"),
        ("shift_jis", "日本\n".encode("shift_jis"), "日本"),
        ("utf-8", "é\n".encode(), "é"),
    ],
)
def test_a_given_encoding_overrides_detection(tmp_path, encoding, data, line):
    put(tmp_path, "a.txt", data)
    assert f"\n1\t{line}\n" in ask(tmp_path, encoding=encoding).text


@pytest.mark.parametrize("encoding", ["rot13", "zlib", "hex", "base64", "bz2", "no-such", "\0", 7, True])
def test_only_text_codecs_may_be_given(tmp_path, encoding):
    put(tmp_path, "a.txt", ABC)
    assert code_of(ask(tmp_path, encoding=encoding)) == "INVALID_PARAM"


@pytest.mark.parametrize("name", [f"file.{extension}" for extension in RENDERED])
def test_text_that_could_be_rendered_stays_text(tmp_path, name):
    put(tmp_path, name, "<b>,{}\n")
    assert shown(ask(tmp_path, name)) == f"[{name} | lines 1-1 of 1 | utf-8 LF | rev REV]\n1\t<b>,{{}}\n[end]"


FEEDS, RETURNS = b"abc\n" * 30_000, b"ghi\rjkl\rmno\r"


@pytest.mark.parametrize(
    ("content", "asked", "newline", "ends", "noted"),
    [
        (FEEDS + RETURNS, {"offset": -2}, "mixed", "utf-8 mixed", True),
        (FEEDS + RETURNS, {"limit": 2}, None, "utf-8 LF", False),
        (FEEDS, {"offset": -2}, None, "utf-8 LF", False),
        (FEEDS, {}, "lf", "utf-8 LF", False),
        (FEEDS.replace(b"\n", b"\r"), {"offset": -2}, None, "utf-8 CR", True),
        (FEEDS.replace(b"\n", b"\r\n"), {"limit": 2}, None, "utf-8 CRLF", False),
        (FEEDS + b"x" * 3_000_000 + b"\r\n", {"offset": 30_001, "column": 5}, "mixed", "utf-8 mixed", False),
        (b"x" * 99_999 + b"\ry\n", {"limit": 1}, None, "utf-8 CR", True),
        (b"x" * 99_999, {"column": 2}, None, "utf-8", False),
        (b"a\rb\r", {"limit": 1}, "cr", "utf-8 CR", True),
    ],
)
def test_a_lazy_window_heads_line_ends_that_were_read_and_states_those_that_are_known(
    tmp_path, content, asked, newline, ends, noted
):
    put(tmp_path, "a.txt", content)
    large = {"max_tokens": 10**6, "max_bytes": 10**7, "limit": 10**6}
    with readwell.Reader(tmp_path, cache_dir=None, **large) as reader:
        reply = reader.reply({"path": "a.txt", "total": "lazy", **asked})
    assert (reply.data["newline"], f"| {ends} | rev" in reply.text) == (newline, True)
    assert any("lone CR" in each["message"].replace("-", " ") for each in reply.data["notices"]) == noted
