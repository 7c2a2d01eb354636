"""Which converter reads a format, and what version it has."""

import pytest

from readwell import ConverterMissing, InvalidRequest, Reader
from readwell.documents.converters import (
    BUILT_IN,
    IMAGE_DECODER,
    OUTLINES,
    PAGE_DRAWER,
    PRINTED_LINES,
    find_converter,
    load,
    version_of,
)

ASKED_FOR = [IMAGE_DECODER, PAGE_DRAWER, PRINTED_LINES, *OUTLINES.values()]
"""Converters of views, whose names are those of what they read."""


@pytest.mark.parametrize("spec", ASKED_FOR, ids=lambda spec: spec.name)
def test_a_converter_of_a_view_has_the_version_that_the_list_says(spec):
    assert load("", spec).version == spec.version


@pytest.mark.parametrize("kind", BUILT_IN)
def test_a_converter_of_ours_has_the_name_and_version_that_the_list_says(kind):
    converter = load(kind, BUILT_IN[kind])
    assert (converter.name, converter.version) == (kind, BUILT_IN[kind].version)
    assert version_of(find_converter(kind, {})).startswith(f"{BUILT_IN[kind].module}, {converter.version}")


def test_a_format_that_nobody_reads_is_missing():
    with pytest.raises(ConverterMissing):
        find_converter("wordperfect", {})


TEXTS = {
    "page.html": ("<h1>Title</h1><p>Text <b>bold</b></p>", ["# Title", "", "Text **bold**"]),
    "table.csv": ("name,size\na,1\nb,2\n", ["| name | size |", "| --- | --- |", "| a | 1 |", "| b | 2 |"]),
    "table.tsv": ("name\tsize\na\t1\n", ["| name | size |", "| --- | --- |", "| a | 1 |"]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_shown_as_markdown_only_where_that_is_asked_for(tmp_path, name):
    content, markdown = TEXTS[name]
    (tmp_path / name).write_text(content)
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read(name).kind == "file"
        assert reader.read(name, view="source").lines == content.rstrip("\n").split("\n")
        shown = reader.read(name, view="markdown")
    assert (shown.kind, shown.lines) == ("document", markdown)


def test_a_table_in_an_old_encoding_reads_the_same_in_both_views(tmp_path):
    rows = "Имя;Описание\n" + "Дом;большой красный дом у реки\nСад;старый яблоневый сад\n" * 20
    (tmp_path / "old.csv").write_bytes(rows.encode("cp1251"))
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read("old.csv").lines[1] == "Дом;большой красный дом у реки"
        assert reader.read("old.csv", view="markdown").lines[4] == "| Дом | большой красный дом у реки |"


def test_a_table_whose_encoding_is_guessed_says_so_and_how_to_read_it_in_another(tmp_path):
    rows = "Имя;Описание\n" + "Дом;большой красный дом у реки\n" * 20
    (tmp_path / "old.csv").write_bytes(rows.encode("cp1251"))
    (tmp_path / "new.csv").write_text(rows)
    with Reader(tmp_path, cache_dir=None) as reader:
        notice = reader.read("old.csv", view="markdown").lines[0]
        assert notice.startswith(
            "<!-- encoding guessed: cp1251; if letters look wrong, read it with view=source encoding="
        )
        other = notice.split("encoding=")[1].split()[0]
        assert reader.read("old.csv", view="source", encoding=other).window.total == 21
        assert reader.read("new.csv", view="markdown").lines[0] == "| Имя | Описание |"


def test_a_program_has_no_markdown_view_and_markdown_is_one(tmp_path):
    (tmp_path / "app.py").write_text("x = 1\n")
    (tmp_path / "notes.md").write_text("# Notes\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        with pytest.raises(InvalidRequest):
            reader.read("app.py", view="markdown")
        assert reader.read("notes.md", view="markdown").lines == ["# Notes"]
