"""Law of outlines: rows stand in the order of the text, each below what holds it, however its lines are broken."""

import importlib.util

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from readwell.documents.structure_converter import StructureQuery, find_structure

law = settings(max_examples=examples(60), deadline=None)
TREES = st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=25)
SPACES = st.lists(st.sampled_from([" ", "\n"]), min_size=1, max_size=7)


class Writer:
    """Writes a tree of names in the syntax of a language, with line ends at random; knows what is in which."""

    def __init__(self, language, spaces):
        self.around, self.between, self.inside = SYNTAX[language]
        self.language, self.spaces = language, spaces
        self.known, self.text = [], ""

    def write(self, tree, depth=0):
        for number, inner in enumerate(tree):
            name = f"k{len(self.known)}"
            self.known.append((name, depth))
            self.put((self.between if number else "") + self.around[0].format(name))
            if inner:
                self.put(self.inside[0])
                self.write(inner, depth + 1)
                self.put(self.inside[1])
            else:
                self.put(self.inside[2])
            self.put(self.around[1].format(name))
        return self

    def put(self, text):
        self.text += text
        if text:
            self.text += self.spaces[len(self.text) % len(self.spaces)]


SYNTAX = {
    "json": (('"{}":', ""), ",", ("{", "}", "1")),
    "yaml": (("{}: ", ""), ",", ("{", "}", "1")),
    "xml": (("<{}>", "</{}>"), "", ("", "", "")),
    "csharp": (("class {}", ""), "", ("{", "}", "{ }")),
}
WHOLE = {"json": ("{", "}"), "yaml": ("{", "}"), "xml": ("<all>", "</all>"), "csharp": ("", "")}


@pytest.mark.parametrize(
    ("language", "start"), [("json", ""), ("json", "// read by tokens\n"), *((x, "") for x in SYNTAX)]
)
def test_rows_stand_in_the_order_of_the_text_below_what_holds_them(language, start):
    if language in ("yaml", "csharp") and not importlib.util.find_spec("ast_grep_py"):
        pytest.skip("the extra `code` is not installed")

    @law
    @given(TREES, SPACES)
    def rows_are_in_order(tree, spaces):
        writer = Writer(language, [" "] if language == "yaml" else spaces).write(tree)
        text = start + WHOLE[language][0] + writer.text + WHOLE[language][1] + "\n"
        found = find_structure(text, StructureQuery(language, "utf-8", False))
        rows = [(row.label.strip('<"').split("class ")[-1], row.depth) for row in found.rows]
        rows = [(label.split(">")[0].split('"')[0].split(":")[0], depth) for label, depth in rows]
        wanted = (
            [("all", 0), *((name, depth + 1) for name, depth in writer.known)] if language == "xml" else writer.known
        )
        assert rows == wanted, text

    rows_are_in_order()


@law
@given(TREES, SPACES, st.data())
def test_rows_of_json_that_ends_early_stand_below_what_holds_them(tree, spaces, data):
    text = "{" + Writer("json", spaces).write(tree).text + "}"
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    found = find_structure(cut, StructureQuery("json", "utf-8", False))
    assert found.rows or '":' not in cut.rpartition('"')[0]
    around = []
    for row in found.rows:
        del around[row.depth :]
        assert row.depth == len(around), cut
        assert not around or around[-1].start <= row.start <= row.end <= around[-1].end
        around.append(row)


HEADINGS = st.lists(st.integers(1, 6), min_size=1, max_size=12)


@law
@given(HEADINGS, SPACES)
def test_headings_of_html_on_one_line_are_sections_that_end_no_earlier_than_they_begin(levels, spaces):
    text, known = "", []
    for number, level in enumerate(levels):
        known.append((1 + text.count("\n"), f"h{number}"))
        text += f"<h{level}>h{number}</h{level}>{spaces[number % len(spaces)]}"
    rows = find_structure(text, StructureQuery("html", "utf-8", False)).rows
    assert [(row.start, row.label) for row in rows] == known
    last = 1 + text.rstrip("\n").count("\n")
    for number, row in enumerate(rows):
        level = levels[number]
        following = [
            line for (line, _), other in zip(known[number + 1 :], levels[number + 1 :], strict=True) if other <= level
        ]
        assert row.end == max(row.start, following[0] - 1 if following else last), text
