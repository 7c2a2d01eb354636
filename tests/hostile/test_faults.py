"""A machine that fails: every fault is a typed error or right data, and nothing stays open."""

import contextlib
import gc
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from every_dialect import path_param
from readwell import Reader, ReadError
from readwell.dialects import NAMES, dialect_named
from readwell.policy import DOOR_DENIALS
from readwell.tool import Tool

pytestmark = pytest.mark.usefixtures("own_fork_servers")

HERE = Path(__file__).parent
HANG = 600
WAYS = ("openat2", "walk")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
LINUX = sys.platform == "linux"
NEEDS_COMPILER = pytest.mark.skipif(
    COMPILER is None or not LINUX, reason="NOT TESTED: FAULTS NEED LINUX AND A C COMPILER; install gcc or clang"
)


def fill(root):
    """Puts into a root what the faults are tried on."""
    for folder in ("folder", "sub"):
        (root / folder).mkdir(parents=True)
    (root / "plain.txt").write_bytes(b"one\ntwo\n")
    (root / "long.txt").write_bytes(b"x" * 200_000 + b"\n" + b"line\n" * 20_000)
    (root / ".env").write_bytes(b"A=1\n")
    (root / "sub" / ".aiignore").write_bytes(b"hidden.txt\n")
    (root / "sub" / "hidden.txt").write_bytes(b"hidden\n")
    for number in (1, 2, 3):
        (root / "folder" / str(number)).write_bytes(b"x\n")
    (root / "folder" / "l").symlink_to("../plain.txt")
    (root / "link.txt").symlink_to("plain.txt")


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", library, HERE / "faults.c", "-ldl"]
    subprocess.run(command, check=True, timeout=HANG)
    return library


@pytest.mark.slow
@NEEDS_COMPILER
@pytest.mark.parametrize(
    ("way", "errnos"), [("openat2", "few"), *(pytest.param(way, "all", marks=pytest.mark.slow) for way in WAYS)]
)
def test_a_call_that_fails_is_a_typed_error_or_right_data(shim, tmp_path, way, errnos):
    """Each call of open, fstat, stat, pread, readdir and readlink that a read makes fails once with each errno."""
    root = tmp_path / "root"
    fill(root)
    done = subprocess.run(
        [sys.executable, HERE / "faulty.py", way, errnos, root],
        capture_output=True, timeout=HANG, check=False, env={**os.environ, "LD_PRELOAD": str(shim)},
    )  # fmt: skip
    assert done.stderr.decode() == ""
    told = json.loads(done.stdout)
    print(told["struck"], "faults")
    assert told["wrong"] == []
    assert told["struck"] > 1000


def descriptors():
    gc.collect()
    return len(os.listdir("/dev/fd"))


@pytest.mark.parametrize("calls", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mixed_calls_under_rules_leave_no_descriptor_open(tmp_path, calls):
    root = tmp_path / "root"
    fill(root)
    paths = [
        "plain.txt",
        "folder",
        ".",
        "link.txt",
        "missing.txt",
        ".env",
        "sub/hidden.txt",
        "sub",
        "../x",
        "plain.txt/x",
    ]
    tools = [Tool(dialect_named(name), (str(root),), denials=DOOR_DENIALS) for name in NAMES]
    before = descriptors()
    for tool, path in itertools.islice(itertools.cycle(itertools.product(tools, paths)), calls):
        tool.reply({path_param(tool.dialect.name): path})
    assert descriptors() == before
    for tool in tools:
        tool.close()


AT_THE_LIMIT = """
import resource, sys
from readwell import Reader, ReadError
from readwell.policy import SECRETS
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
held, told = [], set()
with Reader(sys.argv[1], deny=SECRETS, ignore_files=True) as reader:
    for _ in range(40):
        for path in ("plain.txt", "folder", "missing.txt", "sub/hidden.txt", "a/" * 60 + "x"):
            try:
                told.add(reader.read(path).kind)
            except ReadError as error:
                told.add(type(error).__name__)
        try:
            held.append(open("/dev/null"))
        except OSError:
            held and held.pop().close()
    for file in held:
        file.close()
    print(sorted(told), reader.read("plain.txt").text.split())
"""


def test_with_thirty_two_descriptors_reads_succeed_or_say_why_not(tmp_path):
    root = tmp_path / "root"
    fill(root)
    done = subprocess.run([sys.executable, "-c", AT_THE_LIMIT, root], capture_output=True, timeout=HANG, check=False)
    assert done.stderr.decode() == ""
    assert done.stdout.decode() == "['AccessDenied', 'NotFound', 'Unreadable', 'directory', 'file'] ['one', 'two']\n"


def test_the_limit_of_descriptors_is_not_changed():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Reader(".") as reader, contextlib.suppress(ReadError):
        reader.read("missing.txt")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
