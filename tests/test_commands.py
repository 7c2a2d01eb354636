"""Every command that README and guide print is run as it is printed, in a fresh copy of the checkout."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```(sh|text)\n(.*?)^ *```$", re.S | re.M)
STARTS_IN_THE_CHECKOUT = ("README.md", "quick-start.md")
"""Where the first command of a page is run; other pages say that they are about `examples/project`."""
NOT_RUN = re.compile(r"make test$|claude ")
"""What takes minutes, and what needs the program of somebody else."""
OF_THIS_MACHINE = ("readwell doctor",)
"""What prints something else on each machine."""
STAND_INS = {"127.0.0.1:8000": "127.0.0.1:0", "/srv/project": "."}
"""A port that may be in use, and a folder that only a server has."""
HANG_S = 300
SERVER = """#!/bin/sh
# The command `readwell`; a server over HTTP is told to go as soon as it serves.
case "$*" in
"mcp "*--http*)
    mkfifo "$HOME/said.$$"
    "{python}" -P -m readwell "$@" 2> "$HOME/said.$$" & server=$!
    read -r said < "$HOME/said.$$"
    case "$said" in *serving*) kill $server ;; *) echo "$said" ;; esac
    wait $server ;;
*) exec "{python}" -P -m readwell "$@" ;;
esac
"""


def commands(page):
    """Yields the blocks of a page as a script each: their commands, and what is printed below them, if it is told."""
    for indent, language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        block = re.sub(rf"^{indent}", "", block, flags=re.M)
        if language == "sh":
            yield [line for line in block.splitlines() if line and not NOT_RUN.match(line)], None
        elif block.startswith("$ "):
            yield re.findall(r"^\$ (.*)$", block, re.M), block


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A copy of what the checkout has, or would have once committed, and of nothing around it; compiled once for all."""
    copy = tmp_path_factory.mktemp("compiled").resolve() / "readwell"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listed, cwd=HOUSE, capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("NOT RUN: this is no checkout of git")
    for name in filter(lambda name: (HOUSE / name).exists(), names):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOUSE / name, copy / name)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=copy, check=True)
    return copy


@pytest.fixture
def checkout(compiled, tmp_path_factory):
    """A fresh checkout, installed."""
    copy = tmp_path_factory.mktemp("fresh").resolve() / "readwell"
    shutil.copytree(compiled, copy, symlinks=True)
    install(copy / ".venv")
    return copy


def install(place):
    """An environment with the packages of this one: what `make setup` takes a minute for."""
    (place / "bin").mkdir(parents=True)
    (place / "lib").symlink_to(Path(sys.prefix) / "lib")
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", place)
    python = place / "bin" / "python"
    python.symlink_to(Path(sys.executable).resolve())
    (place / "bin" / "activate").write_text(f'PATH="{place}/bin:$PATH"\n')
    (place / "bin" / "readwell").write_text(SERVER.format(python=python))
    (place / "bin" / "readwell").chmod(0o755)
    for done in ("installed", "ready"):
        (place / done).touch()


def heard(script, checkout, home, start):
    """What a shell prints for a list of commands, which share it; a failed one ends it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("READWELL_", "XDG_"))}
    env |= {"HOME": str(home), "PYTHONPATH": str(checkout / "src"), "PATH": f"{checkout}/.venv/bin:{env['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=start, env=env, capture_output=True, text=True, timeout=HANG_S, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=lambda page: page.stem)
def test_every_command_of_a_page_runs_as_it_is_printed(page, checkout, tmp_path):
    script, expected = "", ""
    for lines, output in commands(page):
        compared = output is not None and not lines[0].startswith(OF_THIS_MACHINE)
        script += "".join(map(run_and_show if compared else run_well, lines))
        expected += output if compared else "".join(f"$ {line}\n" for line in lines)
    start = checkout if page.name in STARTS_IN_THE_CHECKOUT else checkout / "examples" / "project"
    assert heard(script, checkout, tmp_path, start) == (0, expected)


def run_and_show(line):
    """The part of a script that runs a command and shows what it prints, which may be a failure."""
    return f"printf '%s\\n' {quoted('$ ' + line)}\n{{ {runnable(line)}\n}} 2>&1 || :\n"


def run_well(line):
    """The part of a script that runs a command which must not fail."""
    return f"printf '%s\\n' {quoted('$ ' + line)}\n{{ {runnable(line)}\n}} > /dev/null 2>&1 || exit 1\n"


def runnable(line):
    for shown, stands_in in STAND_INS.items():
        line = line.replace(shown, stands_in)
    return line


def quoted(line):
    return "'" + line.replace("'", "'\\''") + "'"
