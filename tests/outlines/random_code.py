"""Random sources in many languages whose definitions are known line by line, because they were written here."""

from typing import NamedTuple

from hypothesis import strategies as st


class Style(NamedTuple):
    """How a language writes a class, a function in it, a function of its own, a statement and a comment.

    `{}` is the name; what is empty cannot be written. `end` closes a definition, `before` is the first line of a file.
    """

    container: str = ""
    method: str = ""
    function: str = ""
    statement: str = "x = 1"
    comment: str = "// {}"
    end: str = "}"
    before: str = ""
    end_of_container: str = ""
    """Where it is not the same `end`."""
    nested: bool = False
    """Functions may be defined inside of functions."""


STYLES = {
    "bash": Style(function="{}() {{", statement="echo 1", comment="# {}"),
    "c": Style(function="int {}(int a) {{", statement="a = 1;"),
    "cpp": Style("class {} {{", "int {}(int a) {{", "int {}(int a) {{", "a = 1;", end_of_container="};"),
    "csharp": Style("class {} {{", "public int {}(int a) {{", "", "a = 1;"),
    "dart": Style("class {} {{", "int {}(int a) {{", "int {}(int a) {{", "a = 1;"),
    "elixir": Style("defmodule {} do", "def {}(a) do", "", "a + 1", "# {}", "end"),
    "go": Style(function="func {}(a int) int {{", statement="a = 1", before="package main"),
    "java": Style("class {} {{", "int {}(int a) {{", "", "a = 1;"),
    "javascript": Style("class {} {{", "{}(a) {{", "function {}(a) {{", "a = 1;", nested=True),
    "kotlin": Style("class {} {{", "fun {}(a: Int): Int {{", "fun {}(a: Int): Int {{", "a + 1"),
    "lua": Style(function="function {}(a)", statement="a = 1", comment="-- {}", end="end"),
    "php": Style("class {} {{", "public function {}($a) {{", "function {}($a) {{", "$a = 1;", before="<?php"),
    "python": Style("class {}:", "def {}(self):", "def {}(a):", "x = 1", "# {}", "", nested=True),
    "ruby": Style("class {}", "def {}(a)", "def {}(a)", "a = 1", "# {}", "end"),
    "rust": Style("impl {} {{", "fn {}(a: i32) {{", "fn {}(a: i32) {{", "let x = 1;"),
    "scala": Style("class {} {{", "def {}(a: Int): Int = {{", "", "val x = 1"),
    "solidity": Style("contract {} {{", "function {}(uint a) public {{", "", "a = 1;"),
    "swift": Style("class {} {{", "func {}(a: Int) {{", "func {}(a: Int) {{", "let x = 1"),
    "tsx": Style("class {} {{", "{}(a: number) {{", "function {}(a: number) {{", "a = 1;", nested=True),
    "typescript": Style("class {} {{", "{}(a: number) {{", "function {}(a: number) {{", "a = 1;", nested=True),
    "zig": Style(function="fn {}(a: i32) void {{", statement="_ = a;"),
}


class Known(NamedTuple):
    """A definition: the first line of its comment, its own lines, its name, and whether an outline has a row for it."""

    above: int
    start: int
    end: int
    name: str
    shown: bool


class Source(NamedTuple):
    """A text with what is defined in it."""

    text: str
    known: list[Known]


class _Writer:
    def __init__(self, draw, style):
        self._draw, self._style = draw, style
        self.lines = [style.before, ""] if style.before else []
        self.known: list[Known] = []

    def write(self):
        for _ in range(self._draw(st.integers(1, 4))):
            heads = [head for head in (self._style.container, self._style.function) if head]
            head = self._draw(st.sampled_from(heads))
            self._definition(head, 0, True)
            self.lines += [""] * self._draw(st.integers(1, 2))

    def _definition(self, head, depth, shown):
        indent, style = "    " * depth, self._style
        above = len(self.lines) + 1
        for _ in range(self._draw(st.integers(0, 2))):
            self.lines.append(indent + style.comment.format(self._draw(st.sampled_from(["what", "why it is so"]))))
        # A capital first letter is what a class or module needs in some languages.
        name = f"{'Kind' if head == style.container else 'step'}{len(self.lines)}"
        start = len(self.lines) + 1
        self.lines.append(indent + head.format(name))
        if head == style.container:
            for _ in range(self._draw(st.integers(1, 3))):
                self._definition(style.method, depth + 1, shown)
                self.lines += [""] * self._draw(st.integers(1, 2))
        else:
            self._statements(depth + 1)
            if style.nested and depth < 3 and self._draw(st.booleans()):
                self._definition(style.function, depth + 1, False)
                self._statements(depth + 1)
        while not self.lines[-1]:
            self.lines.pop()
        end = style.end_of_container if head == style.container and style.end_of_container else style.end
        if end:
            self.lines.append(indent + end)
        self.known.append(Known(above, start, len(self.lines), name, shown))

    def _statements(self, depth):
        for _ in range(self._draw(st.integers(1, 3))):
            self.lines.append("    " * depth + self._style.statement)
            self.lines += [""] * self._draw(st.integers(0, 1))
        while not self.lines[-1]:
            self.lines.pop()


@st.composite
def sources(draw, language):
    """A random source of a language."""
    writer = _Writer(draw, STYLES[language])
    writer.write()
    return Source("\n".join(writer.lines) + "\n", sorted(writer.known, key=lambda each: each.start))
