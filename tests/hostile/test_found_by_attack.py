"""What an attack found once: each case is answered as promised."""

import os
import signal
from pathlib import Path

import pytest

from corpus.pdf_documents import locked
from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.documents.clean_markdown import tidy
from readwell.opencode import ReadTool
from readwell.policy import SECRETS
from stored import entries_in

pytestmark = pytest.mark.usefixtures("own_fork_servers")

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
    for entry in entries_in(cache / "documents"):
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


def children_of(process):
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def table_of_many_parts(folder):
    """Writes a table whose parts are each larger than what a parser can send before it is read."""
    rows = [f"{number},{'x' * 1500}" for number in range(3000)]
    (folder / "a.csv").write_text("\n".join(["number,text", *rows]))


def reader_of_whole_tables(folder, cache_dir=None, on_progress=None):
    whole = {"limit": 10_000, "max_tokens": 10_000_000, "max_bytes": 10_000_000}
    return Reader(folder, cache_dir=cache_dir, on_progress=on_progress, **whole)


def fork_servers():
    """The processes of readers; other children of the tests' process, such as servers, are left alone."""
    return [each for each in children_of(os.getpid()) if b"fork_server" in Path(f"/proc/{each}/cmdline").read_bytes()]


def parsers():
    return [parser for parent in fork_servers() for parser in children_of(parent)]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="NOT TESTED: children are found through /proc")
@pytest.mark.parametrize("generation", ["parser", "its parent"])
def test_a_parser_that_is_killed_from_outside_takes_no_page_with_it(tmp_path, generation):
    table_of_many_parts(tmp_path)
    killed = []

    def kill_once(_done, _total, what):
        if what == "convert" and not killed:
            killed.extend(fork_servers() if generation == "its parent" else parsers())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    with reader_of_whole_tables(tmp_path, tmp_path / "cache", kill_once) as reader:
        lines = reader.read("a.csv", view="markdown", total="exact").lines
    assert killed
    with reader_of_whole_tables(tmp_path) as reader:
        assert lines == reader.read("a.csv", view="markdown").lines
    numbers = [line.split("|")[1].strip() for line in lines if "xxx" in line]
    assert numbers == [str(number) for number in range(3000)]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="NOT TESTED: children are found through /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_parsers_that_are_killed_again_and_again_are_not_held_against_the_document(tmp_path, number):
    table_of_many_parts(tmp_path)
    ended = []

    def kill(_done, _total, what):
        for parser in parsers() if what == "convert" and not ended else ():
            os.kill(parser, number)

    with Reader(tmp_path, cache_dir=None, on_progress=kill) as reader:
        error = reader.reply({"path": "a.csv", "view": "markdown", "total": "exact"}).data["error"]
        assert (error["code"], error["hint"], error["retryable"]) == ("CONVERSION_FAILED", "Read it again.", True)
        ended.append(True)
        assert reader.read("a.csv", view="markdown", total="exact").window.total > 3000


@pytest.mark.parametrize("path", [".", "long.txt"])
def test_a_limit_beyond_every_number_of_lines_is_one(tmp_path, path):
    (tmp_path / "long.txt").write_text("x" * 3000 + "\n")
    tool = ReadTool(root=tmp_path).tool
    assert tool.reply({"filePath": path, "limit": 10**30}).text == tool.reply({"filePath": path, "limit": 2000}).text
