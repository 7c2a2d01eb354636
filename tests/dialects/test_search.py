"""The tool `search` of `native`: replies to the byte, and what cannot be searched for."""

import json
import os
import random
import re
import tarfile
import zipfile
from itertools import product
from string import ascii_letters, digits

import pytest

import readwell
from effort import some_of
from ordinary_user import as_an_ordinary_user
from readwell.dialects import dialect_named
from readwell.tokens import o200k_counter

TREE = {
    "src/app.py": "import os\n" * 11 + "    retry = 3\n" + "\n" * 44 + "        raise RetryError(retry)\n",
    "src/b.py": "retry\n",
    "notes.md": "nothing\n",
    ".hidden.py": "retry\n",
    "build/out.py": "retry\n",
    ".gitignore": "build/\n",
    "logo.png": "\x89PNG\r\n\x1a\n\0\0retry",
}


@pytest.fixture
def root(tmp_path):
    for path, text in TREE.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("latin-1"))
    return tmp_path


@pytest.fixture
def reader(root):
    with readwell.Reader(root, cache_dir=None) as reader:
        yield reader


def said(reader, pattern, **params):
    """The text of a reply, its revisions made alike."""
    return re.sub(r"rev [0-9a-f]{12}", "rev REV", reader.search_reply({"pattern": pattern, **params}).text)


def test_a_directory_is_answered_by_files(reader):
    assert said(reader, "retry", glob="*.py") == (
        '[search "retry" in ./ | matches 1-3 of 3 in 2 files]\n'
        "[src/app.py | 2 matches | rev REV]\n"
        "12\t    retry = 3\n"
        "57\t        raise RetryError(retry)\n"
        "[src/b.py | 1 match | rev REV]\n"
        "1\tretry\n"
        "[end]"
    )


def test_one_file_has_one_header(reader):
    assert said(reader, "retry", path="src/app.py", limit=1) == (
        '[src/app.py | search "retry" | matches 1-1 of 2 | rev REV]\n'
        "12\t    retry = 3\n"
        '[more: after="src/app.py:12" | 1 match]'
    )


def test_lines_around_a_match_are_told_from_it(reader):
    assert said(reader, "retry = ", path="src/app.py", around=1) == (
        '[src/app.py | search "retry = " | matches 1-1 of 1 | rev REV]\n11\timport os\n12>\t    retry = 3\n13\t\n[end]'
    )


def test_overlapping_groups_are_joined(root, reader):
    (root / "many.txt").write_text("a\nx\nb\nx\nc\n\n\n\nx\n")
    assert said(reader, "x", path="many.txt", around=1).split("\n")[1:-1] == [
        "1\ta", "2>\tx", "3\tb", "4>\tx", "5\tc", "8\t", "9>\tx",
    ]  # fmt: skip


def test_only_files_are_counted_by_file(reader):
    assert said(reader, "retry", only="files", glob="*.py") == (
        '[search "retry" in ./ | matches 1-3 of 3 in 2 files]\n2\tsrc/app.py\n1\tsrc/b.py\n[end]'
    )
    assert said(reader, "retry", only="files", glob="*.py", limit=1).endswith(
        '\n2\tsrc/app.py\n[more: after="src/app.py:57" | 1 file]'
    )
    assert "\n1\tsrc/b.py\n[end]" in said(reader, "retry", only="files", glob="*.py", after="src/app.py:57")


def test_nothing_found_is_no_failure(reader):
    reply = reader.search_reply({"pattern": "absent", "path": "src"})
    assert (reply.text, reply.is_error) == ('[search "absent" in src/ | no match in 2 files]\n[end]', False)


def test_a_pattern_that_is_meant_as_text_is_told_so(root, reader):
    (root / "a.js").write_text("function foo() {\n}\nfoo() {\n foo() {\n")
    assert said(reader, "foo() {", path="a.js") == (
        '[a.js | search "foo() {" | no match | rev REV]\n[note: "foo() {" matches 3 lines with literal=true]\n[end]'
    )


def test_what_is_left_out_is_counted(reader):
    assert "[note: not searched: 1 binary]" in said(reader, "retry")


def test_a_binary_file_without_nuls_is_not_taken_for_text_without_a_match(root, reader):
    (root / "b.dat").write_bytes(b"\xff\x01\x02\xfd\x03" * 100)
    assert "[note: not searched: 2 binary]" in said(reader, "retry")


def test_archives_are_counted_apart_from_binary_files(root, reader):
    for name in ("a.zip", "src/b.zip"):
        with zipfile.ZipFile(root / name, "w") as archive:
            archive.writestr("inner.txt", "retry\n")
    reply = reader.search_reply({"pattern": "retry"})
    assert "[note: not searched: 1 binary, 2 archives: name one to search it]" in reply.text
    assert reply.data["skipped"] == {"binary": 3, "denied": 0, "failed": 0}
    assert "[note: not searched: 1 archive: name it to search it]" in said(reader, "retry", path="src")
    assert "a.zip/inner.txt" in said(reader, "retry", path="a.zip")


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tgz", "w:gz")])
def test_a_tar_is_an_archive_and_a_document_is_none(root, reader, name, mode):
    with tarfile.open(root / name, mode) as archive:
        archive.add(root / "src" / "b.py", "b.py")
    (root / "c.rar").write_bytes(b"Rar!\x1a\x07\0" + bytes(range(256)))
    assert "not searched: 2 binary, 1 archive: name it to search it]" in said(reader, "retry")
    assert f"{name}/b.py" in said(reader, "retry", path=name)


def test_a_denied_name_is_counted_whatever_the_glob(root):
    (root / "secret.pem").write_text("retry")
    with readwell.Reader(root, cache_dir=None, deny=["*.pem"]) as reader:
        assert "[note: not searched: 1 binary, 1 denied]" in said(reader, "retry")
        assert "1 denied" in said(reader, "retry", glob="*.md")
        there, absent = (said(reader, "retry", glob=f"{name}.pem") for name in ("secret", "absent"))
        assert there.replace("secret", "absent") == absent
        for path in ("secret.pem", "absent.pem"):
            assert reader.search_reply({"pattern": "x", "path": path}).text.startswith("[error ACCESS_DENIED]")


def test_no_match_says_that_hidden_and_ignored_files_were_not_searched(root, reader):
    (root / ".hidden.py").write_text("secretive\n")
    told = "[note: not searched: 1 binary, hidden and ignored files: everything=true]"
    assert told in reader.search_reply({"pattern": "secretive"}).text.split("\n")
    assert "everything" not in reader.search_reply({"pattern": "retry"}).text
    assert "everything" not in reader.search_reply({"pattern": "nowhere", "everything": True}).text
    assert "everything" not in reader.search_reply({"pattern": "nowhere", "path": "src"}).text


def test_hidden_and_ignored_files_are_searched_when_named(root, reader):
    def found(**params):
        return [match.path for match in reader.search("retry", **params).matches]

    usual = ["src/app.py", "src/app.py", "src/b.py"]
    assert found() == usual
    assert found(everything=True) == [".hidden.py", "build/out.py", *usual]
    assert found(path=".hidden.py") == [".hidden.py"]
    assert found(path="build") == ["build/out.py"]
    assert found(glob=".h*") == [".hidden.py"]
    assert found(paths=["build/out.py", "src/b.py"]) == ["build/out.py", "src/b.py"]
    assert found(paths=["src/*.py"]) == usual
    assert found(glob="src/**") == usual and found(glob="**/b.py") == ["src/b.py"]
    assert found(glob="*.{md,py}", path="src") == usual and found(glob="b.py", path="src") == ["src/b.py"]


@pytest.mark.parametrize(
    ("glob", "chosen"),
    [
        ("*.py", "a.py ab.py b.py"),
        ("*b.py", "ab.py b.py"),
        ("*py", "a.py ab.py b.py py"),
        ("?b.py", "ab.py"),
        ("*", "a.py ab.py b.py py"),
        (".*", ".py .b.py"),
        (".?*.py", ".b.py"),
        ("a*.py", "a.py ab.py"),
        ("[!x]*", "a.py ab.py b.py py"),
        ("[!x]b.py", "ab.py"),
        ("[+-b]*.py", "a.py ab.py b.py"),
        ("[.]*.py", ".b.py"),
        ("[]a]*", "a.py ab.py"),
    ],
)
def test_a_star_may_stand_for_nothing_but_not_for_what_makes_a_name_hidden(tmp_path, glob, chosen):
    for name in ("a.py", "ab.py", "b.py", "py", ".py", ".b.py"):
        (tmp_path / name).write_text("retry\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert {match.path for match in reader.search("retry", glob=glob).matches} == set(chosen.split())


@pytest.mark.parametrize("glob", ["a[!b]c", "a[+-9]c"])
def test_a_set_stands_for_no_slash(tmp_path, glob):
    (tmp_path / "a").mkdir()
    for name in ("a/c", "a-c"):
        (tmp_path / name).write_text("retry\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert [match.path for match in reader.search("retry", glob=glob).matches] == ["a-c"]


def test_links_met_are_not_followed_and_a_named_one_is(root, reader):
    (root / "loop").symlink_to(root)
    (root / "link.py").symlink_to(root / "src/b.py")
    assert [match.path for match in reader.search("retry").matches] == ["src/app.py", "src/app.py", "src/b.py"]
    assert [match.path for match in reader.search("retry", "link.py").matches] == ["link.py"]


def test_a_long_line_is_cut_around_its_first_match(root, reader):
    (root / "long.txt").write_text("a\n" + "é" * 2000 + "needle" + "z" * 2000 + "\n")
    _, row, _ = said(reader, "needle", path="long.txt").split("\n")
    assert row == "2@1901\t… " + "é" * 100 + "needle" + "z" * 294 + " …"
    match = reader.search("needle", "long.txt").matches[0]
    assert (match.line, match.column) == (2, 2001)
    assert reader.read("long.txt", offset=2, column=1901).lines[0].startswith("é" * 100 + "needle")
    assert said(reader, "needle", path="long.txt", around=1).split("\n")[2].startswith("2@1901>\t… é")


@pytest.mark.parametrize(
    "pattern, part",
    [
        ("a(", "missing ): a("),
        ("(?=a)", "invalid perl operator: (?="),
        (r"(a)\1", r"invalid escape sequence: \1"),
        ("[", "missing ]: ["),
    ],
)
def test_a_pattern_that_does_not_compile_is_answered_with_a_way_out(reader, pattern, part):
    reply = reader.search_reply({"pattern": pattern})
    assert reply.is_error and reply.data["error"]["code"] == "INVALID_PARAM"
    assert part in reply.text and "no lookahead, no backreferences" in reply.text
    assert reply.text.endswith("to search for it as it is, send literal=true.")


@pytest.mark.parametrize("pattern", ["a\nb", r"a\nb", r"a\r?", "a\r"])
def test_a_pattern_with_a_line_end_is_refused(reader, pattern):
    assert "it is matched line by line" in reader.search_reply({"pattern": pattern}).text


@pytest.mark.parametrize(
    "given", [{}, {"pattern": ""}, {"pattern": None}, {"pattern": 3}, {"pattern": "a", "limit": 0}]
)
def test_what_cannot_be_meant_is_refused(reader, given):
    assert reader.search_reply(given).text.startswith("[error INVALID_PARAM]")


@pytest.mark.parametrize("after", ["x", "x:", ":3", "x:-1", 7])
def test_a_place_that_no_reply_named_is_refused(reader, after):
    assert reader.search_reply({"pattern": "a", "after": after}).text.startswith("[error INVALID_PARAM] Invalid after.")


def test_empty_strings_are_absent_and_aliases_are_known(reader):
    params = {"pattern": "retry", "glob": "", "after": "", "path": "", "literal": "", "context": 1}
    assert "12>\t    retry = 3" in reader.search_reply(params).text
    assert "unknown parameter ignored: colour" in reader.search_reply({"pattern": "retry", "colour": 1}).text


@pytest.mark.parametrize("pattern", [r"\Aretry\z", "^retry$", r"(?m)^retry$", r"(?-m)^retry$"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_anchors_are_the_ends_of_a_line_whatever_ends_it(root, reader, pattern, end):
    (root / "ends.txt").write_bytes(end.join(["retry", " retry", "retry ", "retry"]).encode())
    assert [match.line for match in reader.search(pattern, "ends.txt").matches] == [1, 4]


def test_a_place_need_not_exist_any_more(reader):
    assert reader.search("retry", after="src/a_gone.py:7").matches[0].path == "src/app.py"
    assert [match.path for match in reader.search("retry", after="src/az_gone.py:7").matches] == ["src/b.py"]
    assert reader.search("retry", after="zzz:1*").matches == []


def test_the_data_of_a_reply(reader):
    data = reader.search_reply({"pattern": "retry", "path": "src", "limit": 2}).data
    del data["tokens"]
    assert data == {
        "pattern": "retry",
        "matches": [
            {"path": "src/app.py", "line": 12, "column": 5, "text": "    retry = 3"},
            {"path": "src/app.py", "line": 57, "column": 26, "text": "        raise RetryError(retry)"},
        ],
        "count": 2,
        "total": None,
        "files": 1,
        "complete": False,
        "skipped": {"binary": 0, "denied": 0, "failed": 0},
        "next": {"after": "src/app.py:57"},
        "notices": [],
    }


def test_names_cannot_forge_a_line(root, reader):
    (root / "a\n[end]").write_text("retry")
    assert "[a\\x0a[end] | 1 match | rev REV]" in said(reader, "retry")


def test_the_definitions_of_both_tools_are_small():
    pytest.importorskip("splintr")
    count = o200k_counter()
    sizes = [count(json.dumps(tool.definition("json"), ensure_ascii=False)) for tool in dialect_named("native").tools]
    assert sizes[1] <= 350 and sum(sizes) <= 850


def test_a_vanished_or_unreadable_file_does_not_end_a_search(root, reader):
    (root / "src/c.py").write_text("retry")
    (root / "src/c.py").chmod(0)
    root.chmod(0o755)  # to be listed by anybody
    with as_an_ordinary_user(root):
        assert "1 could not be read: src/c.py" in said(reader, "retry")


def test_several_paths_are_counted_and_long_patterns_cut_in_the_header(reader):
    assert said(reader, "retry", paths=["src/b.py", "build", "src/a*.py"]).startswith(
        '[search "retry" in 3 paths | matches 1-4 of 4 in 3 files]\n[build/out.py | 1 match | rev REV]\n'
    )
    assert said(reader, '"é\t' + "x" * 70, path="src").startswith(f'[search "\\"é\\t{"x" * 57}…" in src/ | no match')


def test_a_search_ends_at_a_hundred_matches_and_says_how_to_go_on(root, reader):
    (root / "many.txt").write_text("needle\n" * 150)
    (root / "more.txt").write_text("needle\n")
    header, *_, last = said(reader, "needle").split("\n")
    assert header == '[search "needle" in ./ | matches 1-100 of 100+ in 1+ files]'
    assert last == '[more: after="many.txt:100" | 100 matches]'
    assert said(reader, "needle", path="many.txt").startswith('[many.txt | search "needle" | matches 1-100 of 150 |')
    header, *_, last = said(reader, "needle", after="many.txt:100").split("\n")
    assert (header, last) == ('[search "needle" in ./ | matches 1-51 of 51 in 2 files]', "[end]")


def test_a_reply_that_is_full_names_the_budget_and_the_place_to_go_on(root, reader):
    (root / "many.txt").write_text("".join(f"needle number {number}\n" for number in range(90)))
    last = said(reader, "needle", path="many.txt", max_tokens=400).split("\n")[-1]
    assert re.fullmatch(r'\[more: after="many.txt:\d+" \| 400 token budget reached\]', last)


@pytest.mark.parametrize(
    "depth, max_tokens, only", some_of(product([0, 1, 14], [256, 600, 1500, 12000], [None, "files"]), 5)
)
def test_no_name_of_a_file_makes_a_reply_exceed_its_budget(tmp_path, depth, max_tokens, only):
    count = o200k_counter()
    folder = os.fsencode(tmp_path) + (b"/" + b"\xff" * 250) * depth
    os.makedirs(folder, exist_ok=True)
    for name in (b"a", b"b", b"c"):
        with open(folder + b"/" + name + b"\xe2\x80\x8b" * 80, "wb") as file:
            file.write(b"needle\n" * 40)
    with readwell.Reader(tmp_path, cache_dir=None, count_tokens=count) as reader:
        for more in ({}, {"limit": 50}, {"\u200b" * 60: 1}, {"pattern": "\U000e0041" * 90}):
            call = {"pattern": "needle", "max_tokens": max_tokens, "only": only, **more}
            reply = reader.search_reply(call)
            assert not reply.is_error and count(reply.text) <= max_tokens * 1.02


def test_a_place_that_is_too_long_for_a_budget_is_shown_in_the_one_that_the_reply_names(tmp_path):
    folder = os.fsencode(tmp_path) + b"/" + b"\xff" * 250
    os.mkdir(folder)
    with open(folder + b"/a", "wb") as file:
        file.write(b"needle\n" * 400)
    with readwell.Reader(tmp_path, cache_dir=None, count_tokens=o200k_counter()) as reader:
        call = {"pattern": "needle", "max_tokens": 256}
        asked = re.search(r"\n\[more: max_tokens=(\d+) \| 256 token budget reached\]$", reader.search_reply(call).text)
        reply = reader.search_reply({**call, "max_tokens": asked[1]})
        place = re.search(r'\n\[more: after="(.+)" \| \d+ token budget reached\]$', reply.text)[1]
        reply = reader.search_reply({**call, "max_tokens": 12000, "after": place})
    assert reply.data["matches"][0]["line"] == int(place.split(":")[1]) + 1


def test_a_full_reply_names_the_budget_that_ends_it_not_one_that_all_matches_exceed(root, reader):
    """All matches together are more than 50,000 bytes; the reply ends long before, by its tokens."""
    lines = [f"    value_{number} = compute_thing({number}, other={7 * number})  # needle" for number in range(3000)]
    (root / "many.py").write_text("\n".join(lines))
    reply = reader.search_reply({"pattern": "needle", "path": "many.py", "limit": 2000, "max_tokens": 2000})
    assert reply.text.endswith("| 2000 token budget reached]") and len(reply.text) < 10_000


@pytest.mark.parametrize("path", [".", "long.txt"])
@pytest.mark.parametrize(
    "length, around, max_tokens", [(380, 30, 12000), (380, 50, 12000), (35, 10, 256), (100, 3, 256)]
)
def test_of_the_lines_around_a_match_the_nearest_are_shown_where_not_all_fit(
    root, reader, path, length, around, max_tokens
):
    random.seed(7)
    lines = ["".join(random.choices(ascii_letters + digits, k=length)) for _ in range(119)]
    lines[59] += "NEEDLE"
    (root / "long.txt").write_text("\n".join(lines))
    reply = reader.search_reply({"pattern": "NEEDLE", "path": path, "around": around, "max_tokens": max_tokens})
    shown = [line for line in reply.text.splitlines() if not line.startswith("[")]
    side = len(shown) // 2
    assert shown == [f"{n}{'>' * (n == 60)}\t{lines[n - 1]}" for n in range(60 - side, 61 + side)]
    assert side < around and reply.data["tokens"] <= max_tokens and (side > 5 or max_tokens == 256)
    shown = f"{60 - side}-{60 + side} are shown" if side else "it is shown alone"
    note = f"[note: lines {60 - around}-{60 + around} around long.txt:60 do not fit: {shown}]"
    assert reply.text.splitlines()[-2:] == [note, "[end]"]
    assert "1+ match" not in reply.text and reply.data["next"] is None


def test_lines_around_the_last_match_that_do_not_fit_leave_the_way_to_the_next(root, reader):
    lines = ["x" * 350 + f" {number}" for number in range(1, 120)]
    lines[59] += " NEEDLE"
    lines[61] += " NEEDLE"
    (root / "long.txt").write_text("\n".join(lines))
    found, after = [], None
    for _ in range(3):
        reply = reader.search_reply(
            {"pattern": "NEEDLE", "path": "long.txt", "around": 40, "max_tokens": 1000, "after": after}
        )
        found += [match["line"] for match in reply.data["matches"]]
        after = reply.data["next"] and reply.data["next"]["after"]
        if after is None:
            break
        assert 'after="long.txt:60" | 1000 token budget reached]' in reply.text
    assert found == [60, 62]


def test_lines_of_context_are_at_most_fifty(root, reader):
    (root / "many.txt").write_text("\n" * 99 + "needle\n" + "\n" * 99)
    text = said(reader, "needle", path="many.txt", around=60)
    assert "[note: around 60 lowered to 50]" in text
    assert text.count("\n") == 101 + 2


async def _asked(reader):
    return await reader.asearch("retry", "src"), await reader.asearch_reply({"pattern": "retry", "path": "src"})


def test_it_can_be_awaited(reader):
    import asyncio

    result, reply = asyncio.run(_asked(reader))
    assert result.count == 3 and reply.data["count"] == 3
    assert isinstance(result, readwell.SearchResult)
