"""A command line of paths alone needs no argument parser, and means the same as with one."""

import subprocess
import sys

import pytest

from readwell.dialects import NAMES, dialect_named
from readwell.doors.arguments import tool_parser
from readwell.doors.options import LateParser

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
        assert options_or_exit(LateParser(dialect, tool).options, words) == expected, words
        assert capsys.readouterr() == said


def test_a_wrong_setting_of_the_environment_is_told_without_options_too(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    command = [sys.executable, "-m", "readwell", str(tmp_path / "a.txt")]
    ran = subprocess.run(command, env={"READWELL_LIMIT": "none"}, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("readwell read: error: READWELL_LIMIT: 'none' is not a whole number of at least 1 (")
