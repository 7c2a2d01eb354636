"""Keys that have no row: those that no path can name, and objects beside folders of their name. They are counted."""

import pytest

from readwell import Reader
from readwell.corpus import find_sources
from readwell.doors.cli import main
from readwell.remote.key_pages import valid_name_or_empty

KEYS = {
    "pre/": b"",
    "pre/a.txt": b"a\n",
    "pre/both": b"object\n",
    "pre/both/child.txt": b"child\n",
    "pre/sub/": b"",
    "pre/sub//b.txt": b"b\n",
    "pre/sub/c.txt": b"c\n",
    "pre/../evil": b"evil\n",
}


@pytest.fixture(autouse=True)
def bucket(server, aws):
    aws(server.url)
    server.objects = {f"/bucket/{key}": body for key, body in KEYS.items()}


def test_a_listing_and_an_outline_count_the_keys_that_they_do_not_show():
    with Reader("s3://bucket/pre", cache_dir=None) as reader:
        top = reader.reply({"path": "."}).text
        assert top.split("\n")[1:4] == ["a.txt\t2", "both/", "sub/"]
        assert "[note: 2 entries left out: no path leads to 1, 1 has the name of a folder (read by name: both)]" in top
        assert "[note: 1 entry left out: no path leads to 1]" in reader.reply({"path": "sub"}).text
        assert "left out" not in reader.reply({"path": "both/"}).text
        outline = reader.reply({"path": ".", "view": "outline"}).text
        assert "[note: 2 entries left out: " in outline
        assert "[note: 1 entry left out in folders below]" in outline
        assert "1\tobject" in reader.reply({"path": "both"}).text


def test_each_reason_for_leaving_out_entries_has_its_number(server):
    server.objects |= {f"/bucket/many/{name}": b"x\n" for name in ("a", "a/x", "b", "b/x", "/c", "/d", "/e")}
    with Reader("s3://bucket/many", cache_dir=None) as reader:
        what = "3 entries left out: no path leads to 1, 2 have the name of a folder (read by name: a, b)"
        assert f"[note: {what}]" in reader.reply({"path": "."}).text


def test_a_denied_object_beside_a_folder_is_not_counted():
    with Reader("s3://bucket/pre", cache_dir=None, deny=["both"]) as reader:
        assert "[note: 1 entry left out: " in reader.reply({"path": "."}).text


def test_convert_takes_objects_beside_folders_and_counts_what_no_path_names(tmp_path, capsys):
    counted = []
    found = find_sources("s3://bucket/pre", left_out=counted.append)
    assert found == [f"s3://bucket/pre/{name}" for name in ("a.txt", "both", "both/child.txt", "sub/c.txt")]
    assert sum(counted) == 2
    main(["convert", "s3://bucket/pre", "-o", str(tmp_path / "out"), "--format", "jsonl"])
    told = capsys.readouterr().err
    assert "2 entries left out: no path leads there" in told


@pytest.mark.parametrize(
    "name, shown", [(".", ""), ("..", ""), ("a/b", ""), ("a\0", ""), ("...", "..."), ("é" * 4096, "é" * 4096), ("é" * 4097, "")]
)  # fmt: skip
def test_a_key_has_a_name_that_a_path_can_have(name, shown):
    assert valid_name_or_empty(name) == shown
