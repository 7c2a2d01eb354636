"""Arguments: paths alone need no parser and mean the same as with one; help, and what was probably meant."""

import os
import subprocess
import sys

import pytest

from command_line import called
from readwell.dialects import NAMES, dialect_named
from readwell.doors.argument_parsers import tool_parser
from readwell.doors.call_options import LazyParser

WORDS = (["a"], ["a", "b"], ["a b"], ["*.py"], [""], ["a", ""], [], ["-"], ["--json", "a"], ["a", "--root", "/"])
TOOLS = [(name, tool) for name in NAMES for tool in range(len(dialect_named(name).tools))]


def options_or_exit(parse, words):
    try:
        return {name: value for name, value in parse(words).items() if value is not None and name != "dialect"}
    except SystemExit as exit_:
        return exit_.code


@pytest.mark.parametrize(("name", "number"), TOOLS)
def test_paths_alone_are_parsed_as_the_argument_parser_would(name, number, capsys):
    dialect = dialect_named(name)
    tool = dialect.tools[number]
    for words in WORDS:
        expected = options_or_exit(lambda words: vars(tool_parser(dialect, tool).parse_args(words)), words)
        said = capsys.readouterr()
        assert options_or_exit(LazyParser(dialect, tool).parse_options, words) == expected, words
        assert capsys.readouterr() == said


def test_a_wrong_setting_of_the_environment_is_told_without_options_too(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    command = [sys.executable, "-m", "readwell", str(tmp_path / "a.txt")]
    ran = subprocess.run(command, env={"READWELL_LIMIT": "none"}, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("readwell read: error: READWELL_LIMIT: 'none' is not a whole number of at least 1 (")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a.txt", "--ofset", "3"], "unrecognized arguments: --ofset 3. Did you mean --offset? ("),
        (["a.txt", "--ofset=3"], "unrecognized arguments: --ofset=3. Did you mean --offset? ("),
        (["a.txt", "--zebra"], "unrecognized arguments: --zebra ("),
        (["search", "x", "--ignorecase"], "unrecognized arguments: --ignorecase. Did you mean --ignore-case? ("),
        (["a.txt", "--follow", "--dialect", "qq"], "--follow. --follow is an option of --dialect native, not of qq ("),
        (["a.txt", "--output", "x", "--dialect", "qq"], "x. --output is an option of --dialect native, not of qq ("),
        (["search"], "the following arguments are required: PATTERN ("),
        (["a.pdf", "--view", "image", "-o", ""], "argument -o/--output: an empty name ("),
        (["convert", "a.pdf", "-o", ""], "argument -o/--output: an empty name ("),
        (["report", "a.jsonl", "-o", ""], "argument -o/--output: an empty name ("),
    ],
)
def test_wrong_usage_names_what_was_probably_meant(tmp_path, words, told):
    done = called(tmp_path, *words, env={})
    assert (done.returncode, done.stdout, told in done.stderr) == (2, "", True), done.stderr


def test_a_missing_file_that_looks_like_a_command_is_told_so(tmp_path):
    for words in (["serch"], ["serch", "x"], ["serch", "-i", "x"]):
        assert called(tmp_path, *words, env={}) == (
            1,
            "",
            "readwell: File 'serch' does not exist. Did you mean the command: readwell search?\n",
        )
    assert "NOT_FOUND" in called(tmp_path, "serch", "--json", env={}).stdout
    assert "NOT_FOUND" in called(tmp_path, "serch", env={"READWELL_ROOT": os.fspath(tmp_path)}).stderr
    (tmp_path / "serch").write_text("a file\n")
    assert "a file" in called(tmp_path, "serch", env={}).stdout


def test_the_help_names_the_values_of_options(tmp_path):
    told = " ".join(called(tmp_path, "read", "--help", env={}).stdout.split())
    for line in (
        "--view X source, markdown, outline, block or image. Default: documents as markdown",
        "--after X Of a directory: list the entries behind this name",
        "--if-revision X The rev of this very window, if you hold it: if it has not changed, the reply is one line",
        "--pdf-lines X paragraphs or printed: the lines of a PDF",
        "--ocr X auto, never or always: OCR of PDF pages",
    ):
        assert line in told


@pytest.mark.parametrize("command", [["a.txt"], ["search", "one", "a.txt"], ["convert", "a.txt"]], ids=" ".join)
def test_a_root_that_is_a_file_is_told(tmp_path, command):
    (tmp_path / "a.txt").write_text("one\n")
    done = called(tmp_path, *command, "--root", "a.txt", env={})
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: the root is not a directory: 'a.txt' (" in done.stderr
