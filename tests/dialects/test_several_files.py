"""What `native` answers when several files are asked for in one call."""

import json
import os

import pytest

import readwell
from readwell.source import DiskOpener


@pytest.fixture
def house(tmp_path):
    for name, content in {
        "a.py": "import os\n",
        "b.py": "import re\nimport sys\n",
        "src/c.py": "pass\n",
        "src/deep/d.py": "d = 1\n",
        "src/deep/.hidden.py": "h = 1\n",
        "src/[id].tsx": "export\n",
        "notes.md": "# Notes\n",
        ".env": "SECRET=1\n",
        "build/out.py": "made\n",
        ".gitignore": "build/\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def ask(folder, *paths, settings=None, **params):
    with readwell.Reader(folder, cache_dir=None, **(settings or {})) as reader:
        return reader.reply({"paths": list(paths), **params})


def names(reply):
    return [file["path"] for file in reply.data["files"]]


def test_each_file_stands_under_its_own_header_in_the_order_asked(house):
    reply = ask(house, "b.py", "a.py")
    with readwell.Reader(house) as reader:
        alone = [reader.reply({"path": name}) for name in ("b.py", "a.py")]
    assert reply.text == "\n".join(one.text for one in alone)
    assert reply.data == {
        "files": [one.data for one in alone],
        "not_read": [],
        "tokens": reply.data["tokens"],
        "notices": [],
    }
    assert (reply.is_error, reply.error, reply.exception) == (False, None, None)


def test_a_failure_stands_among_the_others(house):
    reply = ask(house, "a.py", "b.pyy", "../outside", "notes.md", "a\0b")
    assert names(reply) == ["a.py", "b.pyy", "../outside", "notes.md", "a\\x00b"]
    assert (
        "[b.pyy]\n[error NOT_FOUND] File 'b.pyy' does not exist. Did you mean: b.py, a.py?\n"
        "[../outside]\n[error ACCESS_DENIED] Path must be within the root. Use a path inside it.\n"
        "[notes.md | lines 1-1 of 1 |" in reply.text
    )
    codes = [file.get("error", {}).get("code") for file in reply.data["files"]]
    assert codes == [None, "NOT_FOUND", "ACCESS_DENIED", None, "INVALID_PARAM"]
    assert not reply.is_error
    assert isinstance(reply.error, readwell.NotFound)


def test_it_is_a_failure_where_nothing_could_be_read(house):
    reply = ask(house, "x", "y")
    assert reply.is_error
    assert isinstance(reply.error, readwell.NotFound)


@pytest.mark.parametrize(
    "pattern, found",
    [
        ("*.py", ["a.py", "b.py"]),
        ("**/*.py", ["a.py", "b.py", "build/out.py", "src/c.py", "src/deep/d.py"]),
        ("src/**", ["src/[id].tsx", "src/c.py", "src/deep/d.py"]),
        ("src/*", ["src/[id].tsx", "src/c.py"]),
        ("src/*/d.py", ["src/deep/d.py"]),
        ("src/**/.h*", ["src/deep/.hidden.py"]),
        ("./s?c/[a-c].py", ["src/c.py"]),
        ("src/[id].tsx", ["src/[id].tsx"]),
        ("src/../*.md", ["notes.md"]),
        ("*/../a.py", ["*/../a.py"]),
        ("../*", ["../*"]),
        ("*.nothing", ["*.nothing"]),
    ],
)
def test_a_pattern_means_the_files_below_the_root_in_order(house, pattern, found):
    assert names(ask(house, pattern)) == found


def test_an_absolute_pattern_works_inside_the_root(house):
    assert names(ask(house, f"{house}/*.md")) == ["notes.md"]


def test_a_file_is_read_once_however_often_it_is_meant(house):
    assert names(ask(house, "b.py", "*.py", "b.py")) == ["b.py", "a.py"]


def test_denied_and_ignored_files_never_appear_in_a_pattern(house):
    guarded = {"deny": [".env", "src/deep/"], "ignore_files": True}
    assert names(ask(house, "**", ".e*", settings=guarded)) == [
        "a.py",
        "b.py",
        "notes.md",
        "src/[id].tsx",
        "src/c.py",
        ".e*",
    ]
    denied = ask(house, ".env", settings=guarded)
    assert denied.data["files"][0]["error"]["code"] == "ACCESS_DENIED"


def test_a_pattern_does_not_leave_the_root_or_turn_in_circles(house, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.py").write_text("secret\n")
    os.symlink(outside, house / "src/out")
    os.symlink(outside / "secret.py", house / "src/link.py")
    os.symlink("..", house / "src/deep/up")
    os.symlink("c.py", house / "src/same.py")
    reply = ask(house, "src/**/*.py", "src/*/*.py", "src/*/*/*.md")
    assert names(reply) == ["src/c.py", "src/deep/d.py", "src/same.py", "src/*/*/*.md"]
    assert "secret" not in reply.text


@pytest.mark.parametrize("first", ["one\n", "one\ntwo\n"])
def test_files_that_the_limit_of_lines_leaves_out_are_told_so(tmp_path, first):
    (tmp_path / "a.txt").write_text(first)
    (tmp_path / "b.txt").write_text("one\n")
    for paths in (("*.txt",), ("a.txt", "b.txt")):
        assert ask(tmp_path, *paths, limit=1).text.endswith("\n[not read, limit reached: b.txt]")


def test_more_files_than_are_looked_for_are_told(tmp_path):
    for number in range(1005):
        (tmp_path / f"{number:04d}").touch()
    reply = ask(tmp_path, "*", max_tokens=12_000)
    assert names(reply) + reply.data["not_read"] == [f"{number:04d}" for number in range(1000)]
    assert [notice["code"] for notice in reply.data["notices"]] == ["search-cut"]
    *_, note, last = reply.text.split("\n")
    assert note == "[note: a pattern means more files than were looked for: narrow it]"
    assert last.startswith(f"[not read, budget reached: {reply.data['not_read'][0]}, ")
    assert last.endswith(" more]")


def test_more_files_than_are_taken_are_told(tmp_path):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        for number in range(501):
            (tmp_path / folder / f"{number:03d}").touch()
    reply = ask(tmp_path, "x/*", "y/*", max_tokens=512)
    assert (names(reply) + reply.data["not_read"])[-1] == "y/498"
    message = "only the first 1000 of 1002 files are taken"
    assert reply.data["notices"] == [{"code": "search-cut", "message": message, "lines": []}]


@pytest.mark.parametrize(
    "params, wants",
    [
        ({"offset": 7}, "sent without offset"),
        ({"column": 2}, "sent without column"),
        ({"pages": "3"}, "sent without pages"),
        ({"if_revision": "x"}, "sent without if_revision"),
        ({"path": "b.py"}, "sent without path"),
        ({"paths": []}, "a list of 1 to 1000 paths or globs"),
        ({"paths": 7}, "a list of 1 to 1000 paths or globs"),
        ({"paths": ["a.py", 7]}, "a list of 1 to 1000 paths or globs"),
        ({"paths": ["a"] * 1001}, "a list of 1 to 1000 paths or globs"),
    ],
)
def test_what_cannot_go_with_several_files_is_said(house, params, wants):
    reply = ask(house, **{"paths": ["a.py"], **params}) if "paths" not in params else reply_to(house, params)
    assert reply.text == f"[error INVALID_PARAM] Invalid paths. It must be {wants}."
    assert reply.is_error


def reply_to(house, params):
    with readwell.Reader(house) as reader:
        return reader.reply(params)


@pytest.mark.parametrize("paths", ['["a.py", "b.py"]', ("a.py", "b.py"), ["a.py", "b.py"]])
def test_a_list_may_come_in_several_forms(house, paths):
    assert names(reply_to(house, {"paths": paths, "offset": 1, "column": 1, "path": ""})) == ["a.py", "b.py"]


@pytest.mark.parametrize("paths", [[], "", None])
def test_an_empty_list_beside_a_path_asks_for_nothing(house, paths):
    with readwell.Reader(house) as reader:
        assert reader.reply({"path": "a.py", "paths": paths}) == reader.reply({"path": "a.py"})


def test_one_path_alone_is_a_list_of_one(house):
    assert names(reply_to(house, {"paths": "a.py"})) == ["a.py"]


def test_what_holds_for_each_file_is_passed_on_and_notices_are_told_once(house):
    reply = ask(house, "a.py", "b.py", total="lazy", max_tokens=10, hurry=True)
    assert reply.text.split("\n")[-2:] == [
        "[note: unknown parameter ignored: hurry]",
        "[note: max_tokens 10 raised to 512]",
    ]
    assert ask(house, "a.py", encoding="rot13").data["files"][0]["error"]["code"] == "INVALID_PARAM"


def test_a_path_longer_than_its_share_does_not_break_the_budget(house):
    long = "/".join(["n" * 200] * 20)
    reply = ask(house, long, long + "x", "a.py", max_tokens=512)
    assert reply.data["tokens"] <= 512
    assert names(reply)[2] == "a.py"


def test_names_that_cost_much_do_not_break_the_budget(tmp_path):
    from readwell.tokens import o200k_counter

    counter = o200k_counter()
    for number in range(30):
        (tmp_path / f"{number}{'𒀀' * 60}").write_text("𒀀𒁀𒂀\n" * 200)
    settings = {"count_tokens": counter}
    for params in ({}, {"limit": 10**9, "ʬʭ": 1, "ʬʬ": 2, "ʭʭ": 3, "x" * 50: 4}):
        reply = ask(tmp_path, "*", settings=settings, max_tokens=512, **params)
        assert reply.data["tokens"] == counter(reply.text) <= 512
        assert reply.data["files"]
        assert reply.text.endswith(f"[not read, budget reached: {len(reply.data['not_read'])} files]")


def test_folders_that_cannot_be_searched_are_counted_unless_they_are_not_there(house):
    assert ask(house, "nowhere/*", "a.py").data["notices"] == []
    denied = ask(house, "src/deep/*", "secret/*", "a.py", settings={"deny": ["src/deep/", "secret/"]})
    message = "directories that could not be listed: 2"
    assert denied.data["notices"] == [{"code": "unsearched", "message": message, "lines": []}]
    codes = [file.get("error", {}).get("code") for file in denied.data["files"]]
    assert codes == ["ACCESS_DENIED", "ACCESS_DENIED", None]


def test_a_directory_and_an_empty_file_are_parts_like_any_other(house):
    (house / "empty").touch()
    reply = ask(house, "src", "empty")
    assert [(file["path"], file["kind"]) for file in reply.data["files"]] == [("src/", "directory"), ("empty", "file")]


def test_each_file_of_a_batch_is_on_record(house):
    records = []
    ask(house, "a.py", "b.pyy", settings={"audit": records.append})
    assert [(record.path, record.verdict) for record in records] == [("a.py", "read"), ("b.pyy", "NotFound")]


def test_a_batch_ends_by_its_deadline(house):
    reply = ask(house, "a.py", "**", settings={"deadline_s": 1e-9})
    assert reply.text.startswith("[error TIMEOUT] Reading 'paths' took longer than 1e-09 s.")


def test_the_definition_stays_within_its_tokens():
    from readwell.tokens import o200k_counter

    definition = readwell.Reader().tool.dialect_tool.definition("json")
    assert o200k_counter()(json.dumps(definition, ensure_ascii=False)) <= 700
    assert "required" not in definition["parameters"]


def test_files_that_would_each_get_a_few_lines_are_listed_instead(tmp_path):
    for number in range(60):
        (tmp_path / f"{number:02}.py").write_text("some words in a line of text\n" * 500)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"paths": ["*.py", "no.py"]})
        peeked = reader.reply({"paths": ["*.py"], "max_tokens": 12000})
    lines = reply.text.splitlines()
    assert lines[0] == "[61 files | too many to read at once: their lines and sizes]"
    assert lines[1:61] == [f"{number:02}.py\t500 lines, 14500 bytes" for number in range(60)]
    assert lines[61] == "no.py\tNOT_FOUND"
    assert lines[62:] == ['[more: read some of them by path or paths; view="outline" tells what is in one]']
    assert reply.data["listed"][0] == {"path": "00.py", "size": 14500, "total": 500}
    assert (reply.data["files"], len(reply.data["not_read"])) == ([], 61)
    assert peeked.data["files"], "a caller who names a budget gets the beginnings"


def test_a_list_of_files_keeps_the_budget_and_forges_nothing(tmp_path):
    for number in range(1000):
        (tmp_path / f"[end] a long name for a file number {number:03}.txt").write_text("words\n" * 100)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"paths": ["*.txt"]})
    lines = reply.text.splitlines()
    assert reply.data["tokens"] <= 12000
    assert lines[1].startswith("\\x5bend] a long name")
    assert lines[-2] == f"[note: {1000 - len(reply.data['listed'])} more files are not listed: narrow the pattern]"


def test_many_small_files_are_still_read(tmp_path):
    for number in range(60):
        (tmp_path / f"{number:02}.txt").write_text("one line\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert len(reader.reply({"paths": ["*.txt"]}).data["files"]) == 60


def test_a_file_that_is_cut_is_read_at_most_twice(tmp_path, monkeypatch):
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text("".join(f"line {each} of a long file\n" for each in range(2000)))
    opened = []
    plain = DiskOpener.open_repaired
    monkeypatch.setattr(
        DiskOpener,
        "open_repaired",
        lambda opener, path, deadline: opened.append(path.asked) or plain(opener, path, deadline),
    )
    reply = ask(tmp_path, *(f"{number}.txt" for number in range(10)))
    assert all(file["next"] for file in reply.data["files"])
    assert max(map(opened.count, opened)) <= 2
