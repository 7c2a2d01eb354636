"""What `native` says of a path that leads nowhere, names as listings show them, and ranges as other tools have them."""

import os

import pytest

from readwell import Reader


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text("".join(f"line {number}\n" for number in range(1, 31)))
    with Reader(tmp_path, cache_dir=None) as reader:
        yield reader


@pytest.mark.parametrize(
    ("params", "told"),
    [
        (
            {"path": "src/*.py"},
            "File 'src/*.py' does not exist. Send a pattern in paths: paths=[\"src/*.py\"].",
        ),
        (
            {"path": "src/lib/deep/app.py"},
            "File 'src/lib/deep/app.py' does not exist. Nor does its directory; the nearest that does is 'src/'. "
            "Read it to see what is there.",
        ),
        (
            {"path": "lib/app.py"},
            "File 'lib/app.py' does not exist. Nor does its directory; the nearest that does is './'. "
            "Read it to see what is there.",
        ),
        (
            {"path": "src/app.py/main"},
            "File 'src/app.py/main' does not exist: 'src/app.py' is a file. Read 'src/app.py'.",
        ),
        (
            {"paths": ["*.zzz"]},
            "No file matches '*.zzz'. Check the pattern, or read a directory to see what is there.",
        ),
        ({"path": "src/ap.py"}, "File 'src/ap.py' does not exist. Did you mean: src/app.py?"),
        (
            {"path": "nothing"},
            "File 'nothing' does not exist. Check the path, or read its directory to see what is there.",
        ),
    ],
)
def test_a_path_that_leads_nowhere_is_told_with_the_next_step(reader, params, told):
    assert reader.reply(params).text.splitlines()[-1] == f"[error NOT_FOUND] {told}"


@pytest.mark.parametrize(
    "words",
    [
        {"view_range": [10, 20]},
        {"view_range": "[10, 20]"},
        {"lines": "10-20"},
        {"lines": "L10-L20"},
        {"start": 10, "end": 20},
        {"start_line": 10, "end_line": "20"},
        {"offset": 10, "end_line": 20, "limit": 500},
    ],
    ids=repr,
)
def test_ranges_are_taken_as_other_tools_have_them(reader, words):
    asked = reader.reply({"path": "src/app.py", "offset": 10, "limit": 11})
    assert reader.reply({"path": "src/app.py", **words}) == asked


def test_a_range_may_end_at_the_end_or_before_its_limit(reader):
    assert reader.reply({"path": "src/app.py", "view_range": [28, -1]}).data["end"] == 30
    assert reader.reply({"path": "src/app.py", "end": 20, "limit": 5}).data["end"] == 5


@pytest.mark.parametrize("words", [{"lines": 50}, {"lines": "ten"}, {"view_range": [1, 2, 3]}, {"start": 9, "end": 3}])
def test_a_range_that_cannot_be_meant_is_refused(reader, words):
    assert reader.reply({"path": "src/app.py", **words}).text.startswith("[error INVALID_PARAM] ")


def test_every_entry_of_a_listing_opens_by_the_name_that_is_shown(tmp_path):
    names = [
        "a\nb",
        "[draft].txt",
        "tab\there",
        "back\\slash",
        "odd\\x0aname",
        "\\x5bx",
        b"raw\xff".decode(errors="surrogateescape"),
    ]
    for name in names:
        (tmp_path / name).write_text(f"this is {name!a}\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        rows = reader.reply({"path": "."}).text.splitlines()[1:-1]
        shown = [row.partition("\t")[0] for row in rows]
        found = {reader.read(name).text for name in shown}
    assert found == {f"this is {name!a}" for name in names}
    assert len({*shown}) == len(names)


def test_a_name_that_two_entries_answer_to_is_refused(tmp_path):
    (tmp_path / "a\nb").write_text("newline\n")
    (tmp_path / "a\\x0ab").write_text("backslash\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        told = reader.reply({"path": "a\\x0ab"}).text
        assert told.startswith("[error INVALID_PARAM] ")
        assert "two entries are called so" in told
        assert reader.read("a\\x5cx0ab").text == "backslash"
        assert reader.read("a\nb").text == "newline"


def test_a_directory_that_changes_between_two_pages_is_told_by_its_revision(tmp_path):
    for number in range(9):
        (tmp_path / f"{number}.txt").write_text("")
    with Reader(tmp_path, cache_dir=None) as reader:
        first = reader.reply({"path": ".", "limit": 4})
        second = reader.reply({"path": ".", "limit": 4, "offset": 5})
        revision = first.data["revision"]
        assert first.text.startswith(f"[./ | directory | entries 1-4 of 9 | rev {revision}]\n")
        assert second.text.startswith(f"[./ | directory | entries 5-8 of 9 | rev {revision}]\n")
        assert reader.reply({"path": "."}).text.startswith("[./ | directory | entries 1-9 of 9]\n")
        (tmp_path / "0.txt").rename(tmp_path / "a.txt")
        assert reader.reply({"path": ".", "limit": 4, "offset": 5}).data["revision"] != revision


def test_a_directory_is_unchanged_only_if_all_that_is_shown_is(tmp_path):
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "b").mkdir()
    with Reader(tmp_path, cache_dir=None) as reader:
        asked = {"path": ".", "if_revision": reader.reply({"path": "."}).data["revision"]}
        assert reader.reply(asked).text.startswith("[./ | unchanged since rev ")
        (tmp_path / "b" / "deep.txt").write_text("")
        assert reader.reply(asked).text.startswith("[./ | unchanged since rev ")
        (tmp_path / "a.txt").write_text("grown")
        assert "\na.txt\t5\n" in reader.reply(asked).text


def test_pages_of_a_directory_fit_together_while_its_files_grow(tmp_path):
    for number in range(9):
        (tmp_path / f"{number}.txt").write_text("")
    with Reader(tmp_path, cache_dir=None) as reader:
        first = reader.reply({"path": ".", "limit": 4})
        (tmp_path / "0.txt").write_text("grown")
        assert reader.reply({"path": ".", "limit": 4, "offset": 5}).data["revision"] == first.data["revision"]
        again = reader.reply({"path": ".", "limit": 4, "if_revision": first.data["revision"]})
        assert again.text.split("\n")[1] == "0.txt\t5"


@pytest.mark.skipif(not os.path.exists("/proc/version"), reason="no procfs")
@pytest.mark.parametrize("path", ["/proc/version", "/proc", "/proc/self/cwd"])
def test_what_the_kernel_makes_up_is_not_called_a_device(path):
    with Reader(None, cache_dir=None) as reader:
        told = reader.reply({"path": path}).text
        assert reader.reply({"path": os.devnull}).text.startswith(
            f"[error NOT_REGULAR] '{os.devnull}' is a pipe, socket or device."
        )
    assert told.startswith(f"[error NOT_REGULAR] '{path}' leads into what the kernel makes up, such as /proc and /sys.")
