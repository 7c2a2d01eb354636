"""Names that lead out of a root, and roots that are replaced, tell nothing and give nothing."""

import os
import time

import pytest

from readwell import Reader
from readwell.config_files import door_denials
from readwell.errors import AccessDenied, NotRegularFile, Unreadable


def test_a_path_that_leaves_the_root_does_not_tell_whether_a_name_is_a_link(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    root.mkdir()
    (root / "a.txt").write_text("a\n")
    (outside / "link").symlink_to(outside / "folder")
    (root / "out").symlink_to(outside)
    with Reader(root, cache_dir=None) as reader:
        for way in ("out/{}/../../root/a.txt", "{outside}/{}/../../root/a.txt", "../outside/{}/../../root/a.txt"):
            told = set()
            for name in ("link", "folder", "missing"):
                with pytest.raises(AccessDenied) as error:
                    reader.read(way.format(name, outside=outside))
                told.add(error.value.rule)
            assert told == {"root"}
        assert reader.read("../root/a.txt").text == "a"


def test_links_that_the_kernel_makes_up_are_not_followed_without_a_root(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "link").symlink_to("/proc/self/cwd/a.txt")
    (tmp_path / "plain").symlink_to("a.txt")
    monkeypatch.chdir(tmp_path)
    with Reader(None, cache_dir=None) as reader, open(tmp_path / "a.txt") as opened:
        number = opened.fileno()
        made_up = ["/proc/self/cwd/a.txt", f"/proc/self/fd/{number}", f"/dev/fd/{number}", f"/proc/{os.getpid()}/cwd"]
        for name in (*made_up, "link", f"/tmp/../proc/{os.getpid()}/cwd/a.txt"):
            with pytest.raises(NotRegularFile):
                reader.read(name)
        assert reader.read("plain").text == "a"


def test_a_link_into_a_root_that_was_replaced_is_noticed(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for root in (first, second):
        root.mkdir()
    (second / "a.txt").write_text("old\n")
    (first / "link").symlink_to(second / "a.txt")
    with Reader([first, second], cache_dir=None) as reader:
        assert reader.read("link").text == "old"
        second.rename(tmp_path / "away")
        second.mkdir()
        (second / "a.txt").write_text("new\n")
        with pytest.raises(Unreadable, match="moved, removed or replaced"):
            reader.read("link")


@pytest.mark.parametrize("way", ["link", "folder/config.toml", "outside_link"])
def test_a_configuration_may_not_be_named_by_a_link_inside_a_root(tmp_path, way):
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "config.toml").write_text('deny = ["*.sql"]\n')
    (root / "link").symlink_to(outside / "config.toml")
    (root / "folder").symlink_to(outside)
    (outside / "outside_link").symlink_to(root / "link")
    file = (outside if way == "outside_link" else root) / way
    with pytest.raises(ValueError, match="must lie outside the roots"):
        door_denials([str(root)], str(file))
    assert "*.sql" in door_denials([str(root)], str(outside / "config.toml")).deny


def test_an_anchored_rule_starts_at_the_top_without_a_root(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "hostname").write_text("here\n")
    with Reader(None, deny=["/etc/"], cache_dir=None) as reader:
        with pytest.raises(AccessDenied) as error:
            reader.read("/etc/hostname")
        assert error.value.rule == "deny: /etc/"
        assert reader.read(tmp_path / "etc" / "hostname").text == "here"


def test_a_batch_whose_caller_has_gone_opens_nothing_more(tmp_path):
    for number in range(20):
        (tmp_path / f"{number:02d}.txt").write_text("text\n" * 50)
    records, opened = [], []

    def gone():
        return len(opened) > 5

    def note(kind, _size):
        if kind == "file":
            opened.append(kind)

    with Reader(tmp_path, cache_dir=None, audit=records.append) as reader:
        reader.tool.reply({"paths": ["*.txt"]}, cancelled=gone, on_opened=note)
    assert [record.verdict for record in records] == ["read"] * 5 + ["DeadlineExceeded"]


def test_what_a_deadline_leaves_unread_is_named(tmp_path):
    for number in range(20):
        (tmp_path / f"{number:02d}.txt").write_text("text\n" * 50)
    records, opened = [], []

    def clock():
        return time.monotonic() + 100 * (len(opened) > 5)

    def note(kind, _size):
        if kind == "file":
            opened.append(kind)

    from readwell.dialects import dialect_named
    from readwell.tool import Tool

    tool = Tool(dialect_named("native"), [str(tmp_path)], clock=clock, cache_dir=None, audit=records.append)
    reply = tool.reply({"paths": ["*.txt"]}, on_opened=note)
    tool.close()
    assert not reply.is_error
    assert reply.text.splitlines()[-1].startswith("[not read, deadline reached: 06.txt, 07.txt")
    assert [record.verdict for record in records] == ["read"] * 5 + ["DeadlineExceeded"]
