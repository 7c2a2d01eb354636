"""Names that look the same and are not: opened where only one can be meant, and told."""

import contextlib
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_dialect import path_param
from readwell import Reader
from readwell.dialects import NAMES, dialect_named
from readwell.path_names import look_alike_key
from readwell.policy import DOOR_DENIALS
from readwell.tool import Tool

LINUX = sys.platform == "linux"
pytestmark = pytest.mark.skipif(not LINUX, reason="NOT TESTED: other file systems change or refuse such names")

NOTE = "[note: name repaired: the one asked for is spelled with other characters]"

PAIRS = [
    ("caf\u00e9.txt", "cafe\u0301.txt"),
    ("cafe\u0301.txt", "caf\u00e9.txt"),
    ("Screenshot 2024-05-01 at 5.00.00 PM.txt", "Screenshot 2024-05-01 at 5.00.00\u202fPM.txt"),
    ("a b.txt", "a\u00a0b.txt"),
    ("a\u202fb.txt", "a b.txt"),
    ("it's.txt", "it\u2019s.txt"),
    ("\u201cquoted\u201d.txt", '"quoted".txt'),
    ("'single'.txt", "\u2018single\u2019.txt"),
]


@pytest.mark.parametrize(("asked", "there"), PAIRS, ids=ascii)
def test_native_opens_the_one_name_that_looks_the_same_and_says_so(tmp_path, asked, there):
    (tmp_path / there).write_text("found\n")
    with Reader(tmp_path) as reader:
        reply = reader.reply({"path": asked})
        lines = reply.text.split("\n")
        assert (lines[0].split(" | ")[0], lines[1:]) == (f"[{there}", ["1\tfound", NOTE, "[end]"])
        assert (reply.data["path"], [notice["code"] for notice in reply.data["notices"]]) == (there, ["name-repaired"])
        # What the reply calls it can be asked for again, without a notice.
        assert reader.reply({"path": reply.data["path"]}).data["notices"] == []


def test_an_exact_name_wins(tmp_path):
    for name in ("caf\u00e9.txt", "cafe\u0301.txt"):
        (tmp_path / name).write_text(f"{len(name)}\n")
    with Reader(tmp_path) as reader:
        assert [reader.read(name).text for name in ("caf\u00e9.txt", "cafe\u0301.txt")] == ["8", "9"]


def test_of_two_names_that_look_the_same_none_is_opened(tmp_path):
    for name in ("a\u00a0b.txt", "a\u202fb.txt"):
        (tmp_path / name).write_text("x\n")
    with Reader(tmp_path) as reader:
        assert reader.reply({"path": "a b.txt"}).data["error"]["code"] == "NOT_FOUND"


def test_folders_on_the_way_are_repaired_too(tmp_path):
    folder = tmp_path / "cafe\u0301" / "it\u2019s"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("found\n")
    with Reader(tmp_path) as reader:
        assert reader.read("caf\u00e9/it's/a.txt").path == "cafe\u0301/it\u2019s/a.txt"
        assert reader.read("caf\u00e9/it's/").lines == ["a.txt\t6"]
        assert reader.reply({"path": "caf\u00e9/it's/b.txt"}).data["error"]["code"] == "NOT_FOUND"
        assert reader.reply({"path": "caf\u00e9/other/a.txt"}).data["error"]["code"] == "NOT_FOUND"


def test_without_a_root_names_are_repaired_too(tmp_path):
    (tmp_path / "cafe\u0301.txt").write_text("found\n")
    with Reader(None) as reader:
        assert reader.read(tmp_path / "caf\u00e9.txt").path == str(tmp_path / "cafe\u0301.txt")


def test_no_repair_leads_out_of_the_root_or_to_what_is_denied(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "out.txt").write_text("secret\n")
    (root / "a\u00a0b.txt").symlink_to("../out.txt")
    (root / ".aiignore").write_text("c d.txt\n")
    (root / "c\u00a0d.txt").write_text("plain\n")
    (root / "it\u2019s.key").write_text("secret\n")
    with Reader(root, deny=["*.key"], ignore_files=True) as reader:
        codes = [reader.reply({"path": path}).data["error"]["code"] for path in ("a b.txt", "c d.txt", "it's.key")]
    assert codes == ["NOT_FOUND", "ACCESS_DENIED", "ACCESS_DENIED"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "native"])
def test_the_other_dialects_only_offer_it(tmp_path, name):
    (tmp_path / "cafe\u0301.txt").write_text("found\n")
    with contextlib.closing(Tool(dialect_named(name), (str(tmp_path),))) as tool:
        reply = tool.reply({path_param(name): "caf\u00e9.txt"})
    assert reply.is_error
    assert "cafe\u0301.txt" in reply.text


HOSTILE = ["new\nline.txt", "\x1b[31mred.txt", "\udcff\udcfe.txt", "[end]", "tab\tname", "\x9bcsi", "\u202egnp.exe"]


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_name_is_shown_escaped_and_survives_json(tmp_path, name, hostile):
    """In what is read, in what is listed, in what is missing and in what is denied."""
    (tmp_path / hostile).write_text("text\n")
    key = path_param(name)
    with contextlib.closing(Tool(dialect_named(name), (str(tmp_path),), denials=DOOR_DENIALS)) as tool:
        asked = [hostile, ".", f"{hostile}x", f"{hostile}/.env", f"{hostile}.key"]
        replies = [tool.reply({key: path}) for path in asked]
    for reply in replies:
        # An envelope repeats the caller's own params, as JSON does.
        assert not {"\x1b", "\udcff", *(["\x9b"] if name != "envelope" else [])} & set(reply.text)
        assert json.loads(json.dumps(reply.data)) == json.loads(json.dumps(reply.data, ensure_ascii=False))
        reply.text.encode()
        if name == "native":
            assert not any(line.startswith("line.txt") for line in reply.text.split("\n"))


def test_an_empty_directory_has_no_name_that_looks_the_same(tmp_path):
    (tmp_path / "empty").mkdir()
    with Reader(tmp_path) as reader:
        assert reader.reply({"path": "empty/é.txt"}).data["error"]["code"] == "NOT_FOUND"


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), min_size=1))
def test_names_are_loosened_together_as_each_alone(names):
    assert look_alike_key("/".join(names)).split("/") == [look_alike_key(name) for name in names]


@pytest.mark.parametrize("mark", ["\u0301", "\u0338", "\u3099", "\u1161"])
def test_a_mark_at_the_start_of_a_name_stays_in_it(mark):
    assert look_alike_key(f"a/{mark}b") == f"a/{mark}b"
