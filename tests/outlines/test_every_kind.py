"""The outline of every kind of document and data file, and blocks in them: each number is one that a read takes."""

import json
import sqlite3
import tarfile
import zipfile

import pytest

import readwell
from corpus import docx_writer, epub_writer, odp_writer, odt_writer, pptx_writer, sheet_writer
from corpus.ole_writer import doc, msg, ppt
from corpus.pdf_writer import Heading, Page, pdf
from readwell.documents.worker.worker import Worker

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Intro\n", "text"]},
        {"cell_type": "code", "metadata": {}, "source": ["x = 1\n", "y = 2"], "outputs": [], "execution_count": 1},
        {"cell_type": "markdown", "metadata": {}, "source": ["## Deep"]},
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
MAIL = {0x0037: "Lamps", 0x1000: "Words.\r\n"}


def printed():
    pages = [Page(), Page()]
    for number, page in enumerate(pages, 1):
        page.text(72, 720, f"{number} Part {number}", 20)
        for line in range(12):
            page.text(72, 690 - 14 * line, "Words of a body that go on and on and on.", 11)
    return pages


FILES = {
    "a.docx": (docx_writer.headings, ["The Title", "One", "Two", "By outline", "I.1 Numbered", "I.2 Numbered again", "Own level"]),
    "a.odt": (odt_writer.outline, ["1. One", "1.1. Sub", "1.2. Sub again", "Without", "2. Two", "2.1. Sub of two", "1. Listed"]),
    "a.epub": (epub_writer.novel, ["One", "Two", "chapter 3, without a title"]),
    "a.pptx": (pptx_writer.talk, ["The Title", "slide 2, without a title", "Numbers"]),
    "a.doc": (lambda: doc([([("Lights", b"")], "\r", 1, b""), ([("All.", b"")], "\r", 0, b"")]), ["Lights"]),
    "a.ppt": (lambda: ppt([([(0, "First")], None, ""), ([(0, "Second")], None, "")]), ["First", "Second"]),
    "a.ipynb": (lambda: json.dumps(NOTEBOOK).encode(), ["Intro", "Deep"]),
    "a.pdf": (lambda: pdf(*printed()), ["1 Part 1", "2 Part 2"]),
    "a.ods": (sheet_writer.ods, ["Data, 1 row × 3 columns: Name text, Count integer, When text"]),
    "a.xls": (
        sheet_writer.old_workbook,
        ["Data, 2 rows × 4 columns: Name text, Count number, When date, Ok boolean", "Empty, empty", "Hidden (hidden), 0 rows × 1 column: x empty"],
    ),
    "a.csv": (lambda: b"id,name\n1,a\n2,b\n", ["table, 2 rows × 2 columns: id integer, name text"]),
    "a.jsonl": (lambda: b'{"id": 1}\n{"id": 2.5, "b": [1]}\n', ["table, 2 rows × 2 columns: id number, b array"]),
    "a.yaml": (lambda: b"a:\n  b: 1\n  c: [1, 2]\n", ["a: mapping, 2 keys", "b: number", "c: sequence, 2 items"]),
    "a.rst": (lambda: b"One\n===\n\ntext\n\nTwo\n---\n", ["One", "Two"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("kinds")
    for name, (content, _) in FILES.items():
        (made / name).write_bytes(content())
    return made


@pytest.fixture(scope="module")
def reader(folder):
    with readwell.Reader(folder, cache_dir=None) as reader:
        yield reader


@pytest.mark.parametrize("name", FILES)
def test_each_kind_tells_what_is_in_it(reader, name):
    reply = reader.reply({"path": name, "view": "outline"})
    assert [row["label"] for row in reply.data["outline"]] == FILES[name][1]
    for row in reply.data["outline"]:
        shown = reader.read(name, offset=row["start"], limit=row["end"] - row["start"] + 1).window
        assert (shown.start, shown.end) == (row["start"], row["end"])
        if row["kind"] == "heading":
            assert row["label"] in shown.lines[0]
    assert set(reply.data["outline"][0]) >= {"start", "end", "depth", "kind", "label"}


@pytest.mark.parametrize("name", FILES)
def test_each_line_has_a_block_that_a_plain_read_shows(reader, name):
    total = reader.read(name, limit=1).window.total
    for line in range(1, total + 1):
        block = reader.read(name, view="block", offset=line)
        first, last = block.window.start, block.window.end
        assert first <= line <= last and block.block
        assert reader.read(name, offset=first, limit=last - first + 1).lines == block.lines


def test_a_cell_of_a_notebook_and_a_table_of_a_sheet_are_blocks(reader):
    assert reader.read("a.ipynb", view="block", offset=5).lines == ["```", "x = 1", "y = 2", "```"]
    shown = reader.read("a.ods", view="block", offset=5)
    assert shown.block.endswith("table in section Data") and shown.lines[0].startswith("| Name |")


def test_a_message_tells_its_headings(tmp_path):
    (tmp_path / "a.msg").write_bytes(msg(MAIL))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert [row["label"] for row in reader.reply({"path": "a.msg", "view": "outline"}).data["outline"]] == ["Lamps"]


def test_slides_of_open_document_are_told(tmp_path):
    (tmp_path / "a.odp").write_bytes(odp_writer.presentation(2))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        labels = [row["label"] for row in reader.reply({"path": "a.odp", "view": "outline"}).data["outline"]]
        assert [label for label in labels if label.startswith("Title")] == ["Title 1", "Title 2"]
        assert reader.reply({"path": "a.odp", "pages": "Title 2"}).data["pages"]["first"] == 2


def test_a_database_and_an_archive_are_told(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table lights(id integer primary key, name text)")
        database.executemany("insert into lights values (?, ?)", [(1, "north"), (2, "south")])
    database.close()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("src/a.py", "def f(): pass\n")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "a.zip", "deep/inner/a.zip")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:

        def rows(path):
            return reader.reply({"path": path, "view": "outline"}).text.split("\n")[1:-1]

        assert rows("a.db") == ["table 1\tlights, 2 rows × 2 columns: id INTEGER, name TEXT"]
        assert rows("a.zip") == ["./\t1 file, 14 bytes", "  src/\t1 file, 14 bytes"]
        assert rows("a.tar.gz")[1].startswith("  deep/inner/\t1 file, ")


def test_bookmarks_are_told_without_converting(tmp_path, monkeypatch):
    (tmp_path / "a.pdf").write_bytes(pdf(*printed(), outline=[Heading("Mark", 1)]))
    asked = []
    convert = Worker.convert

    def noted(self, descriptor, format_name, *rest, **named):
        asked.append(format_name)
        return convert(self, descriptor, format_name, *rest, **named)

    monkeypatch.setattr(Worker, "convert", noted)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "page 2\tMark" in reader.reply({"path": "a.pdf", "view": "outline"}).text
    assert asked == ["outline-pdf"]


def test_the_outline_of_a_long_file_is_kept_for_later_readers(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("def f():\n    pass\n" * 15_000)
    settings = {"root": tmp_path, "cache_dir": tmp_path.parent / f"{tmp_path.name}-cache"}
    with readwell.Reader(**settings) as reader:
        first = reader.reply({"path": "a.py", "view": "outline"}).text
    monkeypatch.setattr(Worker, "convert", None)
    with readwell.Reader(**settings) as reader:
        assert reader.reply({"path": "a.py", "view": "outline"}).text == first


@pytest.mark.parametrize(
    "name, content, told",
    [
        ("a.json", "", "json, 0 lines without keys"),
        ("a.json", "\n\n", "json, 2 lines without keys"),
        ("a.jsonl", "", "jsonl, 0 lines without keys"),
        ("a.csv", "", "csv, 0 lines without keys"),
        ("a.toml", "", "toml, 0 lines without keys"),
        ("a.xml", "", "xml, 0 lines without keys"),
        ("a.yaml", "", "yaml, 0 lines without keys"),
        ("a.md", "", "markdown, 0 lines without headings"),
        ("a.py", "", "python, 0 lines without definitions"),
        ("a.rtf", "{\\rtf1 words}\n", 'rich text, 1 line, readable with view="markdown"'),
        ("a.eml", "From: a@b.c\n\nHi\n", 'mail, 3 lines, readable with view="markdown"'),
    ],
)
def test_what_has_no_outline_says_why_and_names_no_line_that_is_not_there(tmp_path, name, content, told):
    (tmp_path / name).write_text(content)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": name, "view": "outline"})
    assert reply.text.split("\n")[1:] == [f"[no outline: {told}; search it]", "[end]"]


def test_lines_of_json_that_end_early_are_told_up_to_there(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": "x"}\n{"a": \n')
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.jsonl", "view": "outline"}).text.split("\n")[1:] == [
            "1-2\ttable, 2 rows × 1 column: a mixed",
            "[note: line 3 does not parse: what is told is what did]",
            "[end]",
        ]


def test_a_block_beyond_the_budget_is_cut_and_goes_on_as_a_plain_read(tmp_path):
    (tmp_path / "a.md").write_text("# One\n\n" + "words of a long section\n" * 300 + "# Two\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        seen, params = [], {"path": "a.md", "view": "block", "offset": 200, "max_tokens": 700}
        while True:
            reply = reader.reply(params)
            seen += range(reply.data["start"], reply.data["end"] + 1)
            if not (reply.data["next"] or {}).get("offset"):
                break
            params = {"path": "a.md", "offset": reply.data["next"]["offset"], "max_tokens": 700}
    assert seen == list(range(1, 304))
