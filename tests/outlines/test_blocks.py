"""The whole thing around a line: definitions, sections, lists, tables, values, paragraphs."""

import importlib.util

import pytest

import readwell

code = pytest.mark.skipif(not importlib.util.find_spec("ast_grep_py"), reason="the extra `code` is not installed")

PYTHON = """import os

LIMIT = 1
x = 2


# What it is.
@decorated(
    1
)
class A:
    name = 1

    def b(self):  # not above c
        pass
    # Above c.
    def c(self):
        def inner():
            return 1
        return inner
"""
MARKDOWN = """# One

Text.

- a
- b

  still b

| x |
|---|
| 1 |

```
# code
```

## Two
"""


def block(folder, name, content, line, **params):
    (folder / name).write_text(content)
    with readwell.Reader(folder, cache_dir=None) as reader:
        return reader.reply({"path": name, "view": "block", "offset": line, **params})


def place(reply):
    return reply.data["start"], reply.data["end"], reply.data["block"]


@code
@pytest.mark.parametrize(
    "line, expected",
    [
        (1, (1, 1, "paragraph")),
        (2, (2, 2, "blank line")),
        (4, (4, 4, "paragraph")),
        (7, (7, 20, "class A")),
        (9, (7, 20, "class A")),
        (12, (7, 20, "class A")),
        (15, (14, 15, "def b in class A")),
        (16, (16, 20, "def c in class A")),
        (19, (18, 19, "def inner in def c in class A")),
        (20, (16, 20, "def c in class A")),
        (-1, (16, 20, "def c in class A")),
    ],
)
def test_a_line_of_code_is_shown_with_its_innermost_definition(tmp_path, line, expected):
    assert place(block(tmp_path, "a.py", PYTHON, line)) == expected


@pytest.mark.parametrize(
    "line, expected",
    [
        (3, (1, 19, "section One")),
        (5, (5, 8, "list in section One")),
        (8, (5, 8, "list in section One")),
        (11, (10, 12, "table in section One")),
        (15, (14, 16, "code in section One")),
        (18, (18, 18, "section Two in section One")),
    ],
)
def test_a_line_of_markdown_is_shown_with_its_section_list_or_table(tmp_path, line, expected):
    start, end, title = place(block(tmp_path, "a.md", MARKDOWN, line))
    assert (start, title) == (expected[0], expected[2])
    assert end <= expected[1]


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("````md\n```py\nx\n```\nafter inner\n````\nout\n", ["1-6 code"] * 6 + ["7-7 paragraph"]),
        ("```py\n```js\nx\n```\nout\n", ["1-4 code"] * 4 + ["5-5 paragraph"]),
        ("~~~\n```\n~~~~\n```\nx\n```\n", ["1-3 code"] * 3 + ["4-6 code"] * 3),
        ("a | b\n--|--\n1 | 2\n\nout\n", ["1-3 table"] * 3 + ["4-4 blank line", "5-5 paragraph"]),
        ("out\na | b\n:-: | ---\n1\n# H\n", ["1-1 paragraph"] + ["2-4 table"] * 3 + ["5-5 section H"]),
        ("a \\| b\n--|--\n", ["1-2 paragraph"] * 2),
        ("- a\n- b\n1. c\n2. d\n", ["1-2 list"] * 2 + ["3-4 list"] * 2),
        ("- a\n  1. x\n\n  y\n- b\n* c\n", ["1-5 list"] * 5 + ["6-6 list"]),
        ("1. a\n1) b\n\n* * *\n", ["1-1 list", "2-2 list", "3-3 blank line", "4-4 paragraph"]),
        ("- a\n\n  ```\n* x\n  ```\n- b\n", ["1-6 list"] * 6),
    ],
)
def test_fences_tables_and_lists_end_where_markdown_ends_them(tmp_path, content, blocks):
    found = [place(block(tmp_path, "a.md", content, line)) for line in range(1, len(blocks) + 1)]
    assert [f"{start}-{end} {title}" for start, end, title in found] == blocks


def test_a_value_of_json_is_shown_with_the_object_that_holds_it(tmp_path):
    content = '{\n "a": 1,\n "b": {\n  "c": [\n   1,\n   2\n  ],\n  "d": 2\n }\n}\n'
    assert place(block(tmp_path, "a.json", content, 2)) == (1, 10, "object")
    assert place(block(tmp_path, "a.json", content, 8)) == (3, 9, 'object "b" in object')
    assert place(block(tmp_path, "a.json", content, 5)) == (4, 7, 'array "c" in object "b" in object')


def test_a_text_without_structure_is_shown_by_paragraphs(tmp_path):
    reply = block(tmp_path, "a.txt", "one\ntwo\n\nthree\nfour\n\nfive\n", 5)
    assert reply.text == (
        f"[a.txt | lines 4-5 of 7 (paragraph) | utf-8 LF | rev {reply.data['revision']}]\n"
        "4\tthree\n5\tfour\n[more: offset=6]"
    )


@pytest.mark.parametrize(
    ("before", "lines", "shown"),
    [
        ("", 101, "(paragraph)"),
        ("", 102, "(part of a paragraph)"),
        ("above\n\n", 201, "(paragraph)"),
        ("above\n", 201, "(part of a paragraph)"),
    ],
)
def test_a_paragraph_that_goes_further_than_was_looked_is_shown_as_a_part(tmp_path, before, lines, shown):
    asked = before.count("\n") + (101 if before else 1)
    reply = block(tmp_path, "a.log", before + "x\n" * lines, asked)
    assert (reply.data["start"], shown in reply.text) == (before.count("\n") + 1, True), reply.text[:80]


def test_the_way_on_from_a_block_is_a_plain_read(tmp_path):
    content = "# One\n" + "text\n" * 50 + "# Two\n"
    reply = block(tmp_path, "a.md", content, 20, limit=10)
    assert reply.text.splitlines()[0].startswith("[a.md | lines 1-10 of 52 (section One, to line 51) |")
    assert reply.text.splitlines()[-1] == "[more: offset=11]"
    assert block(tmp_path, "a.md", "# One\n\ntext", 3).text.splitlines()[-1] == "[end]"


@pytest.mark.parametrize("params", [{"pages": "1"}, {"column": 2}])
def test_a_block_is_asked_for_by_a_line_and_nothing_else(tmp_path, params):
    offset = 1 if "pages" in params else 2
    reply = block(tmp_path, "a.txt", "x\ny\n", offset, **params)
    assert reply.text.startswith("[error INVALID_PARAM]")


def test_a_line_past_the_end_has_no_block(tmp_path):
    assert block(tmp_path, "a.txt", "x\n", 9).text.startswith("[error OUT_OF_RANGE]")


def test_a_directory_has_no_blocks(tmp_path):
    with readwell.Reader(tmp_path) as reader:
        assert reader.reply({"path": ".", "view": "block"}).text.startswith("[error IS_DIRECTORY]")


def test_the_name_of_a_block_cannot_pass_for_a_field_of_the_header(tmp_path):
    reply = block(tmp_path, "a.md", "# a | rev 0] [end]\n\ntext\n", 3)
    assert reply.text.splitlines()[0].startswith(
        r"[a.md | lines 1-3 of 3 (section a \x7c rev 0\x5d [end\x5d) | utf-8 LF |"
    )


@pytest.mark.parametrize(
    ("name", "code", "line", "title"),
    [
        ("a.py", "def f():\n    pass\n", 1, "def f"),
        ("a.py", "class a:\n    def s(self):\n        pass\n", 2, "def s in class a"),
        ("a.py", "async def c():\n    pass\n", 1, "async def c"),
        ("a.rs", "pub trait T { fn f(&self); }\n", 1, "fn f in pub trait T"),
        ("a.go", "package p\n\nfunc (t *T) t() {}\n", 3, "func (t *T) t"),
        ("a.js", "function n() {\n}\n", 1, "function n"),
    ],
)
def test_a_block_is_named_up_to_the_name_that_it_defines(tmp_path, name, code, line, title):
    """Letters of a short name also stand in the keyword before it; of two on one line the inner one comes first."""
    assert f"({title}) |" in block(tmp_path, name, code, line).text.split("\n")[0]


def test_a_file_without_lines_has_no_block_and_is_shown_as_it_is(tmp_path):
    assert block(tmp_path, "a.py", "", 1).text.split("\n")[1] == "[end]"
