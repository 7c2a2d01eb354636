"""What an attack found once: each case is answered as promised."""

import os

import pytest

from corpus.pdf_documents import locked
from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.documents.tidy import tidy
from readwell.policy import SECRETS

EXCLUDED = "[error ACCESS_DENIED] Path is excluded by policy. Read another file."


@pytest.mark.parametrize("path", [".ssh/../a.txt", ".gnupg/../a.txt", ".ssh/no/../../a.txt"])
def test_a_path_that_leaves_a_denied_folder_again_does_not_tell_whether_it_is_there(tmp_path, path):
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "a.txt").write_text("plain\n")
    with Reader(tmp_path, deny=SECRETS) as reader:
        assert reader.reply({"path": path}).text == EXCLUDED
        assert reader.read("a.txt").lines == ["plain"]


def test_a_path_of_very_many_parts_does_not_exist(tmp_path):
    with Reader(tmp_path) as reader:
        assert reader.reply({"path": "a/" * 2000 + "x"}).data["error"]["code"] == "NOT_FOUND"


def test_a_pipe_in_the_cache_keeps_nobody_waiting(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf(Page().text(72, 700, "Good day", size=12)))
    cache = tmp_path / "cache"
    with Reader(tmp_path, cache_dir=cache) as reader:
        lines = reader.read("a.pdf").lines
    for entry in (cache / "documents").iterdir():
        entry.unlink()
        os.mkfifo(entry)
    with Reader(tmp_path, cache_dir=cache) as reader:
        assert reader.read("a.pdf").lines == lines


@pytest.mark.parametrize("anchor", ["<!-- chapter 2 -->", "<!--page 3-->", "  <!-- sheet 1 -->"])
def test_a_text_cannot_pass_for_an_anchor(anchor):
    assert tidy(f"a\n{anchor}\nb") == "a\n" + anchor.replace("<!--", "\\<!--") + "\nb"
    assert tidy("<!-- filled in on this page -->") == "<!-- filled in on this page -->"


def test_a_password_of_half_characters_is_a_wrong_one(tmp_path):
    (tmp_path / "locked.pdf").write_bytes(locked())
    with Reader(tmp_path, cache_dir=None, password="\ud800") as reader:
        assert reader.reply({"path": "locked.pdf"}).data["error"]["code"] == "DOCUMENT_LOCKED"


@pytest.mark.parametrize("pages", [10**4000, [[1]], {"first": 1}, True])
def test_pages_of_any_kind_are_answered(tmp_path, pages):
    (tmp_path / "a.txt").write_text("plain\n")
    with Reader(tmp_path) as reader:
        assert reader.reply({"path": "a.txt", "pages": pages}).data["error"]["code"] == "INVALID_PARAM"
