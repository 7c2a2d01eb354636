"""Laws of outlines and blocks, over random sources in many languages whose definitions are known."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_code import STYLES, sources

import readwell
from effort import examples

pytest.importorskip("ast_grep_py", reason="the extra `code` is not installed")

from readwell.documents.structure_converter import StructureQuery, find_structure
from readwell.structure.source_language import EXTENSIONS

COUNTER = itertools.count()


@pytest.mark.parametrize("language", STYLES)
def test_a_row_for_each_definition_has_its_lines_and_its_name(language):
    @settings(max_examples=examples(10), deadline=None)
    @given(sources(language))
    def law(source):
        found = find_structure(source.text, StructureQuery(language, "utf-8", False))
        assert found.bad_line is None, source.text
        wanted = [(each.start, each.end) for each in source.known if each.shown]
        assert [(row.start, row.end) for row in found.rows] == wanted, source.text
        lines = source.text.split("\n")
        for row, each in zip(found.rows, (each for each in source.known if each.shown), strict=True):
            assert each.name in row.label
            assert row.label in lines[row.start - 1]

    law()


@pytest.mark.parametrize("language", STYLES)
def test_a_block_is_the_smallest_definition_around_its_line_with_the_comment_above(language):
    @settings(max_examples=examples(6), deadline=None)
    @given(sources(language))
    def law(source):
        lines = source.text.split("\n")[:-1]
        for line in range(1, len(lines) + 1):
            block = find_structure(source.text, StructureQuery(language, "utf-8", False, line)).block
            around = [each for each in source.known if each.above <= line <= each.end]
            assert block.start <= line <= block.end
            if around:
                smallest = min(around, key=lambda each: (each.end - each.above, -each.start))
                assert (block.start, block.end) == (smallest.above, smallest.end), (line, source.text)
                assert smallest.name in block.title
            else:
                assert not block.title
                assert not any(each.above <= block.end and block.start <= each.end for each in source.known)

    law()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("random")


@pytest.mark.slow
@pytest.mark.parametrize("language", STYLES)
def test_the_rows_and_blocks_of_a_reply_are_what_a_read_gives(language, folder):
    with readwell.Reader(folder, cache_dir=None) as reader:

        @settings(max_examples=examples(3), deadline=None)
        @given(sources(language), st.integers(0, 10**6))
        def law(source, seed):
            path = folder / f"{language}{next(COUNTER)}.{EXTENSIONS[language].split()[0]}"
            path.write_text(source.text)
            for row in reader.reply({"path": path.name, "view": "outline"}).data["outline"]:
                shown = reader.read(path.name, offset=row["start"], limit=row["end"] - row["start"] + 1)
                assert row["label"] in shown.lines[0]
                assert (shown.window.start, shown.window.end) == (row["start"], row["end"])
            line = seed % len(source.text.splitlines()) + 1
            block = reader.reply({"path": path.name, "view": "block", "offset": line}).data
            assert block["start"] <= line <= block["end"]

        law()
