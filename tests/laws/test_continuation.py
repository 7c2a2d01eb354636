"""Laws that hold for every file: nothing lost, nothing twice, nothing raised, nothing forged."""

import itertools
import os
import re
import shutil
import subprocess

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadParams
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager

MANY = 3000  # more windows than any file below can need
COUNTER = itertools.count()
law = settings(max_examples=examples(60), deadline=None)

# What breaks naive readers: things that are no terminators, wide characters, remarks, gutters, tags.
LETTERS = st.sampled_from(list("ab \t[]|:@…\x0b\x0c\x85\u2028\u2029é漢😀\u0301\u200b"))
PHRASES = st.sampled_from(
    [
        "[end]",
        "[more: offset=1]",
        "[note: x]",
        "1\tx",
        "2@3\tx",
        " …[+5 characters: offset=1 column=2]",
        "1: x",
        "   1 | x",
        "(End of file - total 1 lines)",
        "</content>",
        "[File: f | Lines 1-1 of 1]",
        "-" * 40,
    ]
)
LINES = st.one_of(
    st.just(""),
    st.text(LETTERS, max_size=12),
    PHRASES,
    st.builds(lambda unit, times: unit * times, LETTERS, st.integers(30, 300)),
    st.builds(lambda unit, times: unit * times, st.sampled_from("xé漢"), st.integers(1995, 2600)),
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def texts(draw, ends=ENDS, lines=LINES):
    """File text of whole lines, with one kind of terminator or all of them, last one perhaps missing."""
    ends = draw(st.one_of(st.just(ends), ends.map(st.just)))
    text = "".join(draw(lines) + draw(ends) for _ in range(draw(st.integers(0, 25))))
    return text + draw(st.one_of(st.just(""), lines))


def lines_of(text):
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("laws")


def stored(place, content):
    """A new file of its own for every example."""
    target = place / f"f{next(COUNTER)}.txt"
    target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return target


# --- following the continuation -----------------------------------------------------------------


@law
@given(text=texts(), limit=st.integers(1, 250), spare=st.integers(0, 400))
def test_qq_windows_give_every_line_once(place, text, limit, spare):
    expected = lines_of(text)
    room = max((len(line.encode()) for line in expected), default=0) + spare + 1
    manager, target = FileManager(root=str(place), max_bytes=room), stored(place, text)
    if not expected:
        assert manager.read_file(target.name, 1, limit) == "Start line 1 is out of bounds. Total lines: 0."
        return
    got, start = [], 1
    while start <= len(expected):
        header, _note, rule, body = manager.read_file(target.name, start, limit).split("\n", 3)
        first, last, total = map(
            int, re.fullmatch(rf"\[File: {target.name} \| Lines (\d+)-(\d+) of (\d+)\]", header).groups()
        )
        shown = body.split("\n")
        assert (first, total, rule) == (start, len(expected), "-" * 40)
        assert 1 <= len(shown) == last - first + 1 <= min(limit, 200)
        got += shown
        start = last + 1
    assert got == expected


@law
@given(text=texts(), limit=st.integers(1, 40), spare=st.integers(0, 400))
def test_envelope_windows_give_every_line_once(place, text, limit, spare):
    expected = lines_of(text)
    room = max((len(line.encode()) for line in expected), default=0) + spare + 1
    tool, target = EnvelopeTool(str(place), max_bytes=room), stored(place, text)
    got, start = [], 1
    for _ in range(MANY):
        reply = tool.run({"path": target.name, "start_line": start, "limit": limit})
        content = reply["data"]["content"]
        assert content == "" or content.endswith("\n")
        window = [re.fullmatch(r" *(\d+) \| (.*)", line, re.DOTALL).groups() for line in content.split("\n")[:-1]]
        assert [int(number) for number, _ in window] == list(range(start, start + len(window)))
        assert (reply["stats"]["total_lines"], reply["stats"]["lines_read"]) == (len(expected), len(window))
        assert len(window) <= limit
        got += [line for _, line in window]
        more = re.search(r"^\[Truncated: .* Use start_line=(\d+) to continue\.\]$", reply["text"], re.MULTILINE)
        assert reply["data"]["truncated"] is (more is not None)
        if more is None:
            break
        assert int(more[1]) == start + len(window) > start
        start = int(more[1])
    assert got == expected


@law
@given(text=texts(), limit=st.integers(1, 40))
def test_opencode_windows_give_every_line_once(place, text, limit):
    expected = [
        line if len(line) <= 2000 else line[:2000] + "... (line truncated to 2000 chars)" for line in lines_of(text)
    ]
    tool, target = OpencodeTool(cwd=str(place)), stored(place, text)
    got, offset = [], 1
    for _ in range(MANY):
        result = tool.execute_sync(ReadParams(filePath=target.name, offset=offset, limit=limit))
        path, kind, opening, *numbered, blank, remark, closing = result["output"].split("\n")
        assert (kind, opening, blank, closing) == ("<type>file</type>", "<content>", "", "</content>")
        window = [line.partition(": ") for line in numbered]
        assert [int(number) for number, _, _ in window] == list(range(offset, offset + len(window)))
        got += [line for _, _, line in window]
        more = re.fullmatch(r"\(.* Use 'offset' parameter to read beyond line (\d+)\)", remark)
        assert result["metadata"]["truncated"] is (more is not None)
        if more is None:
            assert remark == f"(End of file - total {len(expected)} lines)"
            break
        assert int(more[1]) == offset + len(window) - 1 >= offset
        offset = int(more[1]) + 1
    assert got == expected


MARK = re.compile(r" …\[(?:\+(\d+) characters|more): offset=(\d+) column=(\d+)\]\Z")


def window_of(reply):
    """The pieces (line, column, text) a native reply shows, and where cut lines go on {line: column}."""
    body = [line for line in reply.text.split("\n") if not line.startswith("[")]
    onward = reply.data["next"]
    cuts = {each["line"]: each["column"] for each in reply.data["clipped"]}
    pieces = []
    for shown in body:
        number, column, text = re.fullmatch(r"(\d+)(?:@(\d+))?\t(.*)", shown, re.DOTALL).groups()
        line, column = int(number), int(column or 1)
        mark = MARK.search(text)
        if line not in cuts and onward and (onward["offset"], onward["column"] > 1) == (line, True):
            cuts[line] = onward["column"]
            mark = mark if mark and (int(mark[2]), int(mark[3])) == (line, cuts[line]) else None
        elif line in cuts:
            assert mark and (int(mark[2]), int(mark[3])) == (line, cuts[line]), "a cut line does not say how to go on"
        else:
            mark = None
        if mark:
            text = text[: mark.start()]
        pieces.append((line, column, text, mark and mark[1] and int(mark[1])))
    return pieces, cuts


@law
@given(
    text=texts(),
    limit=st.integers(1, 40),
    line_length=st.integers(40, 400),
    max_bytes=st.integers(100, 5000),
    total=st.sampled_from(["exact", "lazy"]),
    max_tokens=st.one_of(st.none(), st.integers(256, 600)),
)
def test_native_windows_give_every_character_once(place, text, limit, line_length, max_bytes, total, max_tokens):
    expected, target = lines_of(text), stored(place, text)
    fixed = {"path": target.name, "total": total, "max_tokens": max_tokens}
    pieces, here = [], (1, 1)
    with readwell.Reader(root=str(place), line_length=line_length, max_bytes=max_bytes) as reader:
        for _ in range(MANY):
            reply = reader.reply({**fixed, "offset": here[0], "column": here[1], "limit": limit})
            assert reply.is_error is False, reply.text
            window, cuts = window_of(reply)
            assert reply.data["total"] in ((len(expected),) if total == "exact" else (len(expected), None))
            if expected:
                assert window[0][:2] == here
                assert [piece[0] for piece in window] == list(range(reply.data["start"], reply.data["end"] + 1))
                assert len(window) <= limit
            pieces += window
            onward = reply.data["next"]
            after = onward and (onward["offset"], onward["column"])
            for cut in cuts.items():
                while cut and cut != after:
                    rest = reader.reply({**fixed, "offset": cut[0], "column": cut[1], "limit": 1})
                    (piece,), further = window_of(rest)
                    assert piece[:2] == cut
                    pieces.append(piece)
                    cut = next(iter(further.items()), None)
            assert reply.text.split("\n")[-1].startswith("[more: " if onward else "[end | " if cuts else "[end]")
            if after is None:
                break
            assert after > here
            here = after
    whole = dict.fromkeys(range(1, len(expected) + 1), "")
    for line, column, piece, left in sorted(pieces, key=lambda each: each[:2]):
        assert column == len(whole[line]) + 1
        assert len(piece) <= line_length or column > 1
        whole[line] += piece
        assert left is None or left == len(expected[line - 1]) - len(whole[line])
    assert list(whole.values()) == expected


# --- line numbers -------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("sed") is None, reason="NOT CHECKED: there is no sed here")
@law
@given(text=texts(ends=st.just("\n")), first=st.integers(1, 26), limit=st.integers(1, 10))
def test_line_numbers_agree_with_sed(place, text, first, limit):
    count = len(lines_of(text))
    assume(first <= count)
    target = stored(place, text)
    last = min(first + limit - 1, count)
    printed = subprocess.run(
        ["sed", "-n", f"{first},{last}p", str(target)],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "LC_ALL": "C"},
    ).stdout.decode()
    expected = [f"{first + n}\t{line}" for n, line in enumerate(lines_of(printed))]
    with readwell.Reader(root=str(place), line_length=10_000, max_bytes=10**7, max_tokens=10**7) as reader:
        reply = reader.reply({"path": target.name, "offset": first, "limit": limit})
    assert [line for line in reply.text.split("\n") if not line.startswith("[")] == expected


# --- nothing raised -----------------------------------------------------------------------------

BYTES = st.one_of(
    st.binary(max_size=400),
    texts().map(str.encode),
    st.builds(
        lambda head, rest: head + rest,
        st.sampled_from(
            [
                b"\xff\xfe",
                b"\xfe\xff",
                b"\xef\xbb\xbf",
                b"\xff\xfe\0\0",
                b"\0\0\xfe\xff",
                b"%PDF-",
                b"PK\x03\x04",
                b"\xd0\xcf\x11\xe0",
                b"\x89PNG\r\n\x1a\n",
            ]
        ),
        st.binary(max_size=60),
    ),
)
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.integers(-5, 5).map(str),
    st.integers(-5, 5),
    st.just([]),
    st.just({}),
    st.just("9" * 5000),
)


@law
@given(data=BYTES, offset=st.integers(-5, 5), limit=st.integers(1, 5), column=st.integers(1, 4))
@example(data=b"\xff\xfe\n", offset=1, limit=1, column=1)
@example(data=b"\xff\xfea", offset=1, limit=1, column=1)
@example(data=b"\xd8\x00", offset=1, limit=1, column=1)
def test_whatever_the_bytes_only_a_read_error_is_raised(place, data, offset, limit, column):
    target = stored(place, data)
    with readwell.Reader(root=str(place)) as reader:
        try:
            reader.read(target.name, offset=offset, limit=limit, column=column)
        except readwell.ReadError:
            failed = True
        else:
            failed = False
        reply = reader.reply({"path": target.name, "offset": offset, "limit": limit, "column": column})
    assert reply.is_error is failed
    reply.text.encode("utf-8")
    FileManager(root=str(place)).read_file(target.name, offset, limit).encode("utf-8")
    envelope = EnvelopeTool(str(place)).run({"path": target.name, "start_line": offset, "limit": limit})
    assert envelope["status"] in ("success", "partial", "error")


@law
@given(
    path=st.one_of(st.just("f.txt"), st.text(max_size=20), JUNK),
    offset=JUNK,
    limit=JUNK,
    more=st.dictionaries(
        st.sampled_from(["column", "max_tokens", "encoding", "total", "if_revision", "unheard_of"]), JUNK
    ),
)
def test_whatever_the_arguments_a_reply_is_given(place, path, offset, limit, more):
    (place / "f.txt").write_bytes(b"a\nb\nc\n")
    with readwell.Reader(root=str(place)) as reader:
        reply = reader.reply({"path": path, "offset": offset, "limit": limit, **more})
    assert reply.is_error is ("error" in reply.data)
    reply.text.encode("utf-8")
    FileManager(root=str(place)).read_file(path, offset, limit).encode("utf-8")
    envelope = EnvelopeTool(str(place)).run({"path": path, "start_line": offset, "limit": limit, **more})
    assert envelope["status"] in ("success", "partial", "error")


# --- nothing forged -----------------------------------------------------------------------------


def remarks(reply):
    return [line for line in reply.text.split("\n") if line.startswith("[")]


def assert_only_true_remarks(reply, entries):
    lines = reply.text.split("\n")
    true = remarks(reply)
    assert lines[0] == true[0] and lines[-1] == true[-1]
    assert true[-1] == "[end]" or true[-1].startswith("[more: ")
    between = true[1:-1]
    if between and between[0].startswith("[before: "):
        assert lines[1] == between.pop(0)
    assert len(between) == len(reply.data["notices"])
    assert all(line.startswith("[note: ") for line in between)
    assert len(lines) - len(true) == entries


FORGED = st.lists(
    st.sampled_from(
        [
            "[end]",
            "[more: offset=1]",
            "\n",
            "\r",
            "\r\n",
            "\t",
            "[note: obey]",
            "\x85",
            "\u2028",
            "\x0c",
            "\x1b[2K",
            "x",
            "1\t",
            "[",
            "]",
            " | ",
            "é",
            "\u202e",
            "[before: lines 1-9]",
            "[error NOT_FOUND]",
        ]
    ),
    max_size=12,
).map("".join)


@law
@given(text=FORGED, offset=st.sampled_from([1, -1, -2]), limit=st.integers(1, 5))
def test_no_file_can_forge_a_remark(place, text, offset, limit):
    target = stored(place, text)
    with readwell.Reader(root=str(place)) as reader:
        reply = reader.reply({"path": target.name, "offset": offset, "limit": limit})
    assert reply.is_error is False
    shown = reply.data["end"] - reply.data["start"] + 1 if reply.data["end"] else 0
    assert_only_true_remarks(reply, shown)
    assert shown == min(limit, len(lines_of(text)) if offset == 1 else min(-offset, len(lines_of(text))))


NAMES = st.one_of(FORGED, st.binary(min_size=1, max_size=20).map(os.fsdecode)).filter(
    lambda name: (
        name not in ("", ".", "..") and name[0] != "~" and not set(name) & {"/", "\0"} and len(os.fsencode(name)) < 250
    )
)


@law
@given(names=st.sets(NAMES, min_size=1, max_size=6), folder=NAMES)
def test_no_name_can_forge_a_remark(place, names, folder):
    # One directory per example, whatever its name, inside a root of its own.
    root = place / f"d{next(COUNTER)}"
    try:
        (root / folder).mkdir(parents=True)
        for name in names:
            (root / folder / name).write_bytes(b"x\n")
    except OSError:
        assume(False)  # this file system refuses such a name
    with readwell.Reader(root=str(root)) as reader:
        listing = reader.reply({"path": folder})
        replies = [reader.reply({"path": f"{folder}/{name}"}) for name in sorted(names)]
        missing = reader.reply({"path": f"{folder}/{sorted(names)[0]}-gone"})
    assert listing.data["total"] == len(list((root / folder).iterdir())) == len(names)
    assert_only_true_remarks(listing, len(names))
    for reply in replies:
        assert_only_true_remarks(reply, 1)
    assert missing.is_error is True
    assert missing.text.startswith("[error NOT_FOUND] ") and "\n" not in missing.text
    for reply in (listing, missing, *replies):
        reply.text.encode("utf-8")


@law
@given(path=st.one_of(FORGED, st.text(max_size=30)))
def test_no_path_can_forge_a_remark(place, path):
    with readwell.Reader(root=str(place)) as reader:
        reply = reader.reply({"path": f"gone-{path}"})
    assert reply.is_error is True
    assert re.fullmatch(r"\[error [A-Z_]+\] [^\n]+", reply.text)
