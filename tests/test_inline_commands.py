"""Every command that stands in a sentence of README or guide can be run; test_commands.py runs those in blocks."""

import os
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from command_line import called
from readwell.doors.cli import COMMAND_MODULES

HOUSE = Path(__file__).parent.parent
PAGES = [HOUSE / "README.md", HOUSE / "CONTRIBUTING.md", *sorted((HOUSE / "docs").rglob("*.md"))]
PROJECT = HOUSE / "examples" / "project"
FENCE = re.compile(r"^( *)```.*?^ *```", re.S | re.M)
INLINE = re.compile(r"`((?:readwell|python|pip install|make) [^`]+)`")
STAND_INS = {
    "DIR": ".", "CLIENT": "cursor", "FILE": "src/app.py", "PATH…": "report.pdf", "[PATH…]": ".", "PATTERN": "report",
    "PATH-OF-THE-CHECKOUT": ".", "PATH-OF-THIS-CHECKOUT": ".", "[options]": "", "AUDIT…": "/dev/null", "COMMAND": "convert",
}  # fmt: skip
"""What a reader puts in place of a name in capitals."""
A_DOCUMENT = "report.pdf"
"""What any other name in capitals stands for."""
OF_OTHERS = {"datatrove"}
"""Packages whose extras are not ours."""
NEVER_ENDS = {"--follow"}
HELP = "--help"


def commands(start):
    """Yields the commands in sentences that begin with a word, as they are printed."""
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for command in INLINE.findall(text):
            if command.startswith(f"{start} "):
                yield " ".join(command.split()).replace("\\|", "|")


def printed(start):
    return sorted({*commands(start)})


def words_of(command):
    """The words of a command with stand-ins; of alternatives (`bash|zsh`) the first, and what is piped on left out."""
    words = shlex.split(re.sub(r" \| .*", "", command))[1:]
    return [word for each in words if (word := STAND_INS.get(each, _plain(each)))]


def _plain(word):
    return A_DOCUMENT if re.fullmatch(r"[A-Z]{3,}…?", word) else word.split("|")[0]


def test_there_are_such_commands():
    assert all(printed(start) for start in ("readwell", "make", "pip install", "python"))


@pytest.fixture
def project(tmp_path):
    """A copy of the project that the guide is about, with files of the names that its sentences make up."""
    copy = tmp_path / "project"
    shutil.copytree(PROJECT, copy)
    for name in ("-x", "schema"):
        (copy / name).write_text("a file\n")
    return copy


@pytest.mark.parametrize("command", printed("readwell"))
def test_a_command_of_readwell_in_a_sentence_can_be_run(command, project, tmp_path):
    words = words_of(command)
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "dumb"}
    if words[0] == "config" and "--remove" in words:
        assert called(project, *words[:2], "--root", ".", "--write", env=env).returncode == 0
    if is_named_only(words) or words[0] == "mcp" or NEVER_ENDS & {*words}:
        told = called(project, *(words[:1] if words[0] in COMMAND_MODULES else []), HELP, env=env)
        assert told.returncode == 0
        assert all(word in told.stdout for word in words if word.startswith("-") and word != "-")
    else:
        done = called(project, *words, env=env)
        nothing_found = words[0] == "search" and done.returncode == 1
        assert done.returncode == 0 or nothing_found, done


def is_named_only(words):
    """Whether a sentence names a command or its option without an argument: `readwell convert -o`."""
    return len(words) == 1 or words[-1] in ("-o", "--audit")


@pytest.mark.parametrize("command", printed("make"))
def test_a_target_of_make_in_a_sentence_is_one(command):
    targets = re.findall(r"^([a-z-]+):", (HOUSE / "Makefile").read_text(), re.M)
    assert command.split()[1] in targets


@pytest.mark.parametrize("command", [each for each in printed("pip install") if "datatrove" not in each])
def test_the_extras_of_an_installation_in_a_sentence_are_there(command):
    known = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [(package, asked)] = re.findall(r"([\w.-]+)\[([a-z,]+)\]", command)
    assert {*asked.split(",")} <= {*known} or package in OF_OTHERS


@pytest.mark.parametrize("command", printed("python"))
def test_a_script_in_a_sentence_is_there(command):
    scripts = [word for word in command.split() if word.endswith(".py")]
    assert all((HOUSE / script).is_file() for script in scripts)
