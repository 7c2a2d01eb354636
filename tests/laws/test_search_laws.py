"""Laws of a search: every match once, by true numbers, whatever the tree, the pattern and the limits."""

import itertools
import os
import re
import shutil

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from small_documents import docx, paragraph

import readwell
from effort import examples
from memory_source import SCHEME, route_to
from readwell.dialects import dialect_named
from readwell.tool import Tool

COUNTER = itertools.count()
law = settings(max_examples=examples(40), deadline=None)

WORDS = st.sampled_from(
    ["foo", "Foo", "FOO", "bar", "x", "k", "ſ", "K", "é", "漢", "1", "22", "_", "-", ".", " ", "\t", "[", "(", "\u2028"]
)
LINES = st.lists(WORDS, max_size=8).map("".join)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
NAMES = st.sampled_from(["a.py", "a", "b-c.py", "b", "B.txt", "é.py", "[x].py", "a\nb.txt", ".hidden", "z.md"])
FOLDERS = st.sampled_from(["", "a/", "b/", "b/c/", "b-/", "z/"])
ATOMS = st.sampled_from(
    [
        "foo",
        "F",
        "o+",
        "ba?r",
        "[a-z]",
        "[^a]",
        ".",
        "x*",
        "(foo|bar)",
        "(?:x)?",
        r"\.",
        r"\d",
        "^",
        "$",
        r"\bfoo",
        "k",
        "s",
        "é",
        " ",
        "-",
        "o{2}",
        r"\(",
        "(fo)o",
        r"x\d",
        "[0-9]+",
        r"\w+",
        "[fo]*",
    ]
)
PATTERNS = st.lists(ATOMS, min_size=1, max_size=4).map("".join)


@st.composite
def contents(draw):
    """A text in some encoding, with one kind of line end or all."""
    ends = draw(st.one_of(st.just(ENDS), ENDS.map(st.just)))
    return "".join(draw(LINES) + draw(ends) for _ in range(draw(st.integers(0, 12)))) + draw(LINES)


@st.composite
def trees(draw):
    """Some files by their paths; no name is a file and a folder."""
    found = {draw(FOLDERS) + draw(NAMES): draw(contents()) for _ in range(draw(st.integers(1, 6)))}
    folders = {path[: at.start()] for path in found for at in re.finditer("/", path)}
    return {path: text for path, text in found.items() if path not in folders}


def written(tree, folder):
    for path, text in tree.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("trees")


def lines_of(text):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _with_ascii_words(pattern):
    """RE2 knows letters of ASCII only in `\\b`, `\\d` and `\\w`."""
    return pattern.replace(r"\b", r"(?a:\b)").replace(r"\d", "[0-9]").replace(r"\w", "[0-9A-Za-z_]")


def naive(tree, pattern, literal, ignore_case):
    """Returns what a plain loop finds: (path as shown, line, column)."""
    written = re.escape(pattern) if literal else _with_ascii_words(pattern)
    expression = re.compile(written, re.IGNORECASE if ignore_case else 0)
    found = []
    for path, text in sorted((path.replace("\n", "\\x0a"), text) for path, text in tree.items()):
        if any(part.startswith(".") for part in path.split("/")):
            continue
        for number, line in enumerate(lines_of(text), 1):
            if match := expression.search(line):
                found.append((path, number, match.start() + 1))
    return found


def followed(reader, **params):
    """Returns all matches of a search and its continuations, and how many calls that took."""
    found, after = [], None
    for calls in range(1, 200):
        result = reader.search(after=after, **params)
        found += result.matches
        assert len(result.matches) <= params.get("limit", 100)
        if result.next is None:
            return found, calls
        after = str(result.next)
    raise AssertionError("no end")


@law
@given(trees(), PATTERNS, st.booleans(), st.booleans(), st.integers(1, 7), st.integers(0, 2))
@example({"a": "foo\n", "a-b/x": "foo", "a/x": "foo"}, "foo", False, False, 1, 0)
def test_following_a_search_gives_every_match_of_a_plain_loop_once(
    place, tree, pattern, literal, ignore_case, limit, around
):
    folder = place / str(next(COUNTER))
    assume(not any("a" in tree and path.startswith("a/") for path in tree))
    written(tree, folder)
    with readwell.Reader(folder, cache_dir=None) as reader:
        found, _ = followed(
            reader, pattern=pattern, literal=literal, ignore_case=ignore_case, limit=limit, around=around
        )
    shutil.rmtree(folder)
    assert [(match.path, match.line, match.column) for match in found] == naive(tree, pattern, literal, ignore_case)


@law
@given(trees(), PATTERNS, st.integers(0, 3))
def test_every_number_of_a_search_is_what_a_read_takes(place, tree, pattern, around):
    folder = place / str(next(COUNTER))
    written(tree, folder)
    with readwell.Reader(folder, cache_dir=None) as reader:
        result = reader.search(pattern, around=around)
        for each in result.files:
            if "\\x0a" in each.path:
                continue
            assert each.revision == reader.read(each.path).revision
            for row in each.rows:
                assert reader.read(each.path, offset=row.line, limit=1).lines == [row.text]
    shutil.rmtree(folder)


@law
@given(trees(), PATTERNS, st.integers(256, 600), st.integers(0, 50))
def test_a_reply_stays_within_its_budget_and_still_gives_every_match(place, tree, pattern, max_tokens, around):
    folder = place / str(next(COUNTER))
    written(tree, folder)
    with readwell.Reader(folder, cache_dir=None) as reader:
        found, after = [], None
        for _ in range(200):
            reply = reader.search_reply(
                {"pattern": pattern, "max_tokens": max_tokens, "after": after, "around": around}
            )
            assert reply.data["tokens"] <= max_tokens
            found += [(match["path"], match["line"]) for match in reply.data["matches"]]
            if reply.data["next"] is None:
                break
            after = reply.data["next"]["after"]
    shutil.rmtree(folder)
    assert found == [match[:2] for match in naive(tree, pattern, False, False)]


@law
@given(
    st.sampled_from(["utf-16", "utf-16-be", "cp1252", "shift_jis", "utf-8-sig", "iso2022_jp", "utf-7", "hz"]),
    contents(),
    PATTERNS,
)
@example("utf-7", "漢字漢字漢字、漢字漢字漢字\n" * 9, "漢")
@example("iso2022_jp", "漢字foo漢字\n" * 9, "foo")
@example("shift_jis", "\n漢\n\n", "^")
@example("cp1252", "Foo é foo\n" * 9, "(?i)FOO")
def test_a_text_is_searched_by_characters_in_any_encoding(place, encoding, text, pattern):
    text = "".join(each for each in text if each.encode(encoding, "ignore"))
    path = place / f"{os.getpid()}-{next(COUNTER)}.txt"
    path.write_bytes(text.encode(encoding))
    with readwell.Reader(place, cache_dir=None) as reader:
        try:
            lines = reader.read(path.name).lines
        except readwell.BinaryFile:
            assume(False)
        found = reader.search(pattern, path.name).matches
    path.unlink()
    assert [match.line for match in found] == [
        n for n, line in enumerate(lines, 1) if re.search(_with_ascii_words(pattern), line)
    ]


MIB = 1 << 20
MARKS = {"utf-8": b"", "utf-8-sig": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
MARKS |= {"utf-32-le": b"\xff\xfe\0\0", "utf-32-be": b"\0\0\xfe\xff", "cp1252": b"", "shift_jis": b""}
FILLERS = {"cp1252": ["Été à la mer, "], "shift_jis": ["これは日本語の文章です。"]}
"""Of encodings that are guessed: what nobody would guess otherwise."""
NEAR_A_PIECE = st.builds(lambda pieces, rest: pieces * MIB + rest, st.integers(0, 3), st.integers(-9, 9))
BYTES_OF_LINES = st.lists(
    st.one_of(st.integers(0, 5000), st.integers(0, 3 * MIB), NEAR_A_PIECE), min_size=1, max_size=4
)


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(list(MARKS)), ENDS, st.data(), BYTES_OF_LINES)
def test_lines_longer_than_a_piece_are_searched_in_any_encoding(place, encoding, end, data, sizes):
    """Each line ends in a word: its number and its column are those of a plain loop, also where a search goes on."""
    filler = data.draw(st.sampled_from(FILLERS.get(encoding, ["a", "é", "漢", "😀"])))
    width = len((filler * 2).encode(encoding)) - len(filler.encode(encoding))
    lines = [f"{filler * max(0, size // width)}needle{number}" for number, size in enumerate(sizes)]
    path = place / f"{os.getpid()}-{next(COUNTER)}.txt"
    path.write_bytes(MARKS[encoding] + end.join([*lines, filler]).encode(encoding))
    with readwell.Reader(place, cache_dir=None) as reader:
        found, _ = followed(reader, pattern="needle", path=path.name, limit=data.draw(st.integers(1, 5)))
        whole = reader.search(r"needle\d$", path.name, around=1).files[0].rows
    path.unlink()
    assert [(match.line, match.column) for match in found] == [
        (number, line.index("needle") + 1) for number, line in enumerate(lines, 1)
    ]
    assert [row.line for row in whole if row.match] == list(range(1, len(lines) + 1))


@law
@given(trees(), PATTERNS, st.integers(1, 5), st.integers(0, 1), st.booleans())
def test_an_address_of_another_store_is_searched_as_the_disk_is(place, tree, pattern, limit, around, everything):
    folder = place / str(next(COUNTER))
    written(tree, folder)
    files = {path: text.encode() for path, text in tree.items()}
    tool = Tool(dialect_named("native"), [str(folder)], cache_dir=None, routes=[route_to(files)])
    search, params = tool.all()[1], {"pattern": pattern, "limit": limit, "around": around, "everything": everything}
    replies = {}
    for start in (".", SCHEME):
        found, after = [], None
        for _ in range(200):
            reply = search.reply({**params, "path": start, "after": after})
            found += [(match["path"].removeprefix(SCHEME), match["line"]) for match in reply.data["matches"]]
            if reply.data["next"] is None:
                break
            after = reply.data["next"]["after"]
            assert after.startswith(SCHEME) == (start == SCHEME)
        replies[start] = found
    tool.close()
    shutil.rmtree(folder)
    assert replies["."] == replies[SCHEME]


def test_an_address_that_a_search_names_can_be_read(place):
    tool = Tool(dialect_named("native"), [str(place)], cache_dir=None, routes=[route_to({"a/b.txt": b"x\nneedle\n"})])
    read, search = tool.all()
    (match,) = search.reply({"pattern": "needle", "path": SCHEME}).data["matches"]
    assert match["path"] == "mem://a/b.txt"
    assert "2\tneedle" in read.reply({"path": match["path"], "offset": match["line"]}).text
    assert read.reply({"path": SCHEME, "view": "outline"}).text.splitlines()[1:3] == [
        "./\t1 file, 9 bytes",
        "  a/\t1 file, 9 bytes",
    ]
    tool.close()


MIXED = ["a.txt", "b.docx", "m/c.docx", "m/n.txt", "m/o.docx", "p.txt", "q/r/s.docx", "t.txt", "u.docx", "z/text.txt"]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 7, 20])
@pytest.mark.parametrize("only", [None, "files"])
def test_following_a_search_gives_documents_that_sort_before_texts(tmp_path, limit, only):
    """Texts are searched first: a document before the text that a search stopped at comes later."""
    for name in MIXED:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        two = "needle one", "needle two"
        path.write_bytes(docx(*map(paragraph, two)) if path.suffix == ".docx" else "\n".join(two).encode())
    found, after = [], None
    with readwell.Reader(tmp_path) as reader:
        for _ in range(50):
            result = reader.search("needle", limit=limit, only=only, after=after)
            found += [each.path for each in (result.files if only else result.matches)]
            if result.next is None:
                break
            after = str(result.next)
    ordered = sorted(MIXED, key=lambda name: (name.endswith(".docx"), name))
    assert found == [name for name in ordered for _ in range(1 if only else 2)]


def test_a_search_that_looks_for_documents_only_goes_on_where_time_ran_out(tmp_path):
    """Files that were only looked at are progress, too; texts are not searched a second time."""
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text("needle\n")
    ticks = iter(range(1_000_000))
    found, places = [], ["00.txt:0*"]
    tool = Tool(dialect_named("native"), [str(tmp_path)], deadline_s=30, clock=lambda: next(ticks) * 2.0)
    while len(places) < 100:
        data = tool.all()[1].reply({"pattern": "needle", "after": places[-1]}).data
        found += [each["path"] for each in data["matches"]]
        if data["next"] is None:
            break
        places.append(data["next"]["after"])
    tool.close()
    assert found == []
    assert 2 < len(places) < 100 and places == sorted(places) and all(place.endswith(":0*") for place in places)
