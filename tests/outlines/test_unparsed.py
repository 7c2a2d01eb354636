"""Files that do not parse: what did parse is told, and the first line that did not; files that parse get no note."""

import importlib.util

import pytest

import readwell

code = pytest.mark.skipif(not importlib.util.find_spec("ast_grep_py"), reason="the extra `code` is not installed")

UNCLOSED = "{0} a() {{ return 1; }}\n{0} b() {{\n  if (x) {{\n  return 2;\n}}\n{0} c() {{ return 3; }}\n"
UNCLOSED_SCALA = "object O {\ndef a() = { 1 }\ndef b() = {\n  if (x) {\n  2\n}\ndef c() = { 3 }\n}\n"
KEYS, MORE_KEYS = [f"k{number}" for number in range(1, 20)], ["m1", "m2", "m3", "m4"]
STUCK_YAML = "".join(f"{key}: 1\n" for key in KEYS) + "\tbad: 1\n" + "".join(f"{key}: 1\n" for key in MORE_KEYS)


def outline(folder, name, content):
    (folder / name).write_text(content)
    with readwell.Reader(folder, cache_dir=None) as reader:
        return reader.reply({"path": name, "view": "outline"}).data


def bad_lines(data):
    """The lines of the one note that a file does not parse; empty where there is no note."""
    return [notice["lines"] for notice in data["notices"] if notice["code"] == "unparsed"]


def labels(data):
    return [row["label"] for row in data["outline"]]


@code
@pytest.mark.parametrize(
    ("name", "content", "line", "told"),
    [
        ("a.js", UNCLOSED.format("function"), 6, ["function a()", "function b()", "function c()"]),
        ("a.ts", UNCLOSED.format("function"), 6, ["function a()", "function b()", "function c()"]),
        ("b.js", "function f() {\n return 1;", 2, ["function f()"]),
        ("a.c", UNCLOSED.format("int"), 6, ["int a()", "int b()", "int c()"]),
        ("a.cpp", UNCLOSED.format("int"), 6, ["int a()", "int b()", "int c()"]),
        ("a.scala", UNCLOSED_SCALA, 8, ["object O", "def a()", "def b()", "def c()"]),
        ("a.go", "package p\n\nfunc b( {\n}\n", 3, ["func b"]),
        (
            "A.java",
            "class A {\n int f() {\n return 1\n }\n int g() { return 2; }\n}\n",
            3,
            ["class A", "int f()", "int g()"],
        ),
        ("a.py", "x = 1\ndef f():\n\ndef g():\n    pass\n", 2, ["def f()", "def g()"]),
    ],
)
def test_what_the_parser_takes_for_granted_is_told(tmp_path, name, content, line, told):
    """A missing bracket, semicolon or body is no error in the tree, but what follows may be where it does not belong."""
    data = outline(tmp_path, name, content)
    assert bad_lines(data) == [[line]]
    assert labels(data) == told


@code
@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        (STUCK_YAML, 20, [f"{key}: number" for key in KEYS + MORE_KEYS]),
        ("a:\n  - 1\n\t- 3\nb: 1\n", 3, ["a: sequence, 1 item", "b: number"]),
        ("a: 1\nb: x: y\nc: 3\n", 2, ["a: number", "c: number"]),
        ("a: 1\n" + "b: x: y\n" * 8 + "c: 3\n", 2, ["a: number", "c: number"]),
        ("a: 1\n" + "b: x: y\n" * 9 + "c: 3\n", 2, ["a: number", "b: string"]),
    ],
)
def test_yaml_goes_on_behind_the_line_that_does_not_parse(tmp_path, content, line, told):
    data = outline(tmp_path, "a.yaml", content)
    assert bad_lines(data) == [[line]]
    assert labels(data) == told


@code
@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.py", '"""A shop."""\nshop = 1\nNone:\n    ()\n', 3),
        ("a.c", "int a(\nint b)\nint c(int x);\n", 3),
        ("a.js", "f(\n1\nf()\n}\n", 1),
    ],
    ids=["an error inside", "an error that ends with it", "an error inside one that names its own place"],
)
def test_an_error_that_spans_what_was_understood_is_told_where_the_one_inside_it_is(tmp_path, name, content, line):
    assert bad_lines(outline(tmp_path, name, content)) == [[line]]


@code
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.h", '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(int);\n#ifdef __cplusplus\n}\n#endif\n'),
        ("b.h", '#ifndef B\n#define B\n#if defined(__cplusplus)\nextern "C" {\n#endif\nBEGIN(x)\n#define Y 1\nint f(int);\n'
                "#ifdef __cplusplus\n} /* C */\n#endif\n#endif\n"),
        ("a.sh", "cat <<EOF\nEOF\nf() { :; }\n"),
        ("a.py", "def f(): ...\nclass A: pass\n"),
        ("a.js", "var f = function() {}\nconst g = () => {}\n;(function() {})()\n"),
    ],
)  # fmt: skip
def test_a_file_that_parses_has_no_note(tmp_path, name, content):
    assert bad_lines(outline(tmp_path, name, content)) == []


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ('{"a": }', 1, []),
        ('{"a": 1,\n"b": }', 2, ['"a": number']),
        ('{"a": 1,\n"b": nope}', 2, ['"a": number']),
        ('{"a": 1,\n"b"}', 2, ['"a": number']),
        ('{"a": 1,\n"b": "x}', 2, ['"a": number']),
        ('{"a": 1,}', 1, ['"a": number']),
        ('{"a": [1,\n2,\n],\n"b": 1}', 2, ['"a": array, 2 items', '"b": number']),
        ("[{},\n,{}]", 2, ["[0]: object, 0 keys"]),
        ("[{}\n{}]", 2, ["[0]: object, 0 keys"]),
        ("[1,\n2]]", 2, []),
    ],
)
def test_json_tells_the_first_line_that_is_none(tmp_path, content, line, told):
    data = outline(tmp_path, "a.json", content)
    assert bad_lines(data) == [[line]]
    assert labels(data) == told


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '{// why\n"a": [1, 2,],\n}'),
        ("a.jsonc", '{"a": 1,}'),
        ("a.json5", "{a: +.5, b: Infinity, c: 0xFF,}"),
        ("tsconfig.build.json", '{"a": [1,],}'),
        ("b.json", '{"a": NaN, "b": -1.5e+3, "c": null}'),
    ],
)
def test_a_comma_before_a_closing_bracket_is_right_in_json_with_comments(tmp_path, name, content):
    data = outline(tmp_path, name, content)
    assert bad_lines(data) == []
    assert labels(data)


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ("x = 1\nx = 2\n[a\n", 3, ["x: number", "x: number"]),
        ("k =\n", 1, []),
        ("x = 1\ny =\nz = true\n", 2, ["x: number", "z: boolean"]),
        ("x = 1\ny = nope\n[t]\nz = 1\n", 2, ["x: number", "[t]: table, 1 key", "z: number"]),
        ('x = "a" b\ny = "open\nz = [1\nlast = 1\n', 1, ["last: number"]),
        ("[[a]\nx = 1\n", 1, ["x: number"]),
    ],
)
def test_toml_tells_the_first_line_that_is_none(tmp_path, content, line, told):
    data = outline(tmp_path, "a.toml", content)
    assert bad_lines(data) == [[line]]
    assert labels(data) == told


TOML_VALUES = '''
"a\\"b" = 1_000 # why
["t[0]".'x']
d = 1979-05-27 07:32:00.5-07:00
e = 0xFF
f = """\\
  one "" two \\"""
  \""""
g = [ 1, "a,]b", # no, this is none
  [2, 3],
]
h = []
i = { j = 1, "k" = [1, 2] }
n = [ { o = 1 } ]
p = -inf
'''


def test_toml_of_every_kind_has_no_note_and_sizes_of_arrays_and_tables(tmp_path):
    data = outline(tmp_path, "a.toml", TOML_VALUES)
    assert bad_lines(data) == []
    assert labels(data) == [
        '"a\\"b": number',
        "[\"t[0]\".'x']: table, 8 keys",
        "d: date",
        "e: number",
        "f: string",
        "g: array, 3 items",
        "h: array, 0 items",
        "i: table, 2 keys",
        "n: array, 1 item",
        "p: number",
    ]
