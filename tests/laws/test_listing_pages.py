"""A directory of any size is listed to its last entry: beyond what is counted, it goes on behind a name."""

import os
import re
import tempfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from readwell import Reader

NAMES = st.text(st.sampled_from("aAbB01é [|]\"'\\x25b.\n\u202e\udcff"), min_size=1, max_size=6).filter(
    lambda name: name not in (".", "..")
)
FOLDERS = st.sets(NAMES, max_size=14)
law = settings(max_examples=examples(40), deadline=None)


def counting_only(reader, most):
    """The tool `read`, which counts only so many entries of a directory."""
    tool = reader.tool
    tool.dialect_tool = tool.dialect_tool._replace(rules=tool.dialect_tool.rules._replace(max_sorted_entries=most))
    return tool


def fill(folder, names):
    """Makes a folder have entries of just these names; every third is a folder."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name not in names:
            os.rmdir(path) if os.path.isdir(path) else os.remove(path)
    for name in names - set(os.listdir(folder)):
        path = os.path.join(folder, name)
        os.mkdir(path) if len(name) % 3 == 0 else open(path, "w").close()


def entries_of(text):
    """The entries of a reply, without their sizes."""
    return [line.partition("\t")[0] for line in text.split("\n") if not line.startswith("[")]


def way_on(text):
    """The parameters that the last line of a reply names."""
    asked = re.fullmatch(r'\[more: (?:offset=(\d+))? ?(?:after="([^"]*)")?(?: \|.*)?\]', text.split("\n")[-1])
    return {name: value for name, value in zip(("offset", "after"), asked.groups()) if value} if asked else None


def listed(tool, limit, changes=()):
    """All entries, by following the replies; before each of them the folder changes."""
    shown, onward, changes = [], {}, iter(changes)
    while onward is not None:
        next(changes, lambda: None)()
        reply = tool.reply({"path": ".", "limit": limit, **onward})
        after = (reply.data["next"] or {}).get("after")
        shown += entries_of(reply.text)
        onward = way_on(reply.text)
        assert (after is None) == (not onward or "after" not in onward)
    return shown


@law
@given(FOLDERS, st.integers(1, 6), st.integers(1, 8))
@example({"a", "A", "aa", "[", "\\x22", '"', "]|", "\\x5b"}, 1, 1)
def test_following_the_replies_lists_every_entry_once_and_in_order(names, most, limit):
    with tempfile.TemporaryDirectory() as folder, Reader(folder, cache_dir=None) as reader:
        fill(folder, names)
        at_once = entries_of(reader.reply({"path": "."}).text)
        assert len(at_once) == len(names)
        assert listed(counting_only(reader, most), limit) == at_once


@law
@given(FOLDERS, FOLDERS, st.lists(FOLDERS, max_size=6), st.integers(1, 6))
def test_what_stays_is_listed_once_however_the_others_come_and_go(staying, first, later, most):
    """Where each reply goes on behind a name: entries are no longer counted."""
    with tempfile.TemporaryDirectory() as folder, Reader(folder, cache_dir=None) as reader:
        fill(folder, staying)
        expected = entries_of(reader.reply({"path": "."}).text)
        tool = counting_only(reader, most)
        changes = [lambda names=names: fill(folder, staying | names) for names in (first, *later)]
        shown = listed(tool, most, changes)
    assert len(shown) == len(set(shown))
    assert [entry for entry in shown if entry in set(expected)] == expected


def test_the_entry_to_go_on_behind_is_named_and_need_not_be_there(tmp_path):
    for name in ("a", "b", "d|e", "f"):
        (tmp_path / name).touch()
    with Reader(tmp_path, cache_dir=None) as reader:
        tool = counting_only(reader, 2)
        replies = [tool.reply({"path": ".", **onward}) for onward in ({}, {"after": "c"}, {"after": "d|e"})]
        library = tool.read({"path": "."})
    assert re.sub("rev [0-9a-f]+", "rev REV", "\n".join(reply.text for reply in replies)).split("\n") == [
        "[./ | directory | entries 1-2 of 2 | rev REV]",
        "a\t0",
        "b\t0",
        "[note: only 2 entries are counted, 2 more are behind them]",
        '[more: after="b"]',
        '[./ | directory | entries 1-2 of 2 after "c"]',
        "d|e\t0",
        "f\t0",
        "[end]",
        '[./ | directory | entries 1-1 of 1 after "d\\x7ce"]',
        "f\t0",
        "[end]",
    ]
    assert [reply.data["next"] for reply in replies] == [{"offset": 1, "column": 1, "after": "b"}, None, None]
    assert (library.next, library.after) == ((1, 1), "b")


def test_a_name_to_go_on_behind_is_ignored_elsewhere_with_a_notice(tmp_path):
    (tmp_path / "a.txt").write_text("a\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt", "after": "a"})
    assert "[note: after ignored: it holds for the entries of a directory]" in reply.text


@pytest.mark.slow
def test_every_one_of_very_many_entries_is_reached(tmp_path):
    names = [f"{number:06}.txt" for number in range(100_500)]
    for name in names:
        os.close(os.open(tmp_path / name, os.O_CREAT | os.O_WRONLY))
    with Reader(tmp_path, cache_dir=None, limit=200_000, max_tokens=10_000_000, max_bytes=100_000_000) as reader:
        assert listed(reader.tool, 200_000) == names
