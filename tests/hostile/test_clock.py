"""Whatever lies in a root, a call ends soon after its deadline, and the event loop of a server is not kept from others."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from readwell import Reader
from readwell.doors.mcp.executors import CallExecutors
from readwell.model import Reply
from readwell.patterns import compile_patterns
from readwell.policy import SECRETS
from readwell.tool import Deferred
from readwell.toolspec import tool_spec

HANG_S = 20.0


LONG = "d" * 250


def deepened(folder, levels, name="d"):
    """Makes folders below each other, which may be deeper than a path can be long; returns a descriptor of the last."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        deeper = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    return here


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Roots that take long, each for another reason; nothing is written to them."""
    folder = tmp_path_factory.mktemp("trees")
    for name in ("chained", "deep", "ignoring", "patterns"):
        (folder / name).mkdir()
    for number in range(39):
        (folder / "chained" / f"L{number}").symlink_to(f"L{number + 1}/" + "x/" * 2040)
    (folder / "chained" / "L39").mkdir()
    os.close(deepened(folder / "deep", 700))
    os.close(deepened(folder / "ignoring", 200))
    (folder / "ignoring" / ".aiignore").write_text("a/b/c\nd/**/e\n**/d/d/d/g\n" * 300)
    (folder / "ignoring" / "a.txt").write_text("a\n")
    os.close(deepened(folder / "patterns", 20))
    lines = (f"*n{number}*a*b*.l?g{number}*" for number in range(2000))
    (folder / "patterns" / ".aiignore").write_text("\n".join(lines))
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)  # shutil does not go so deep


@pytest.mark.parametrize(
    ("tree", "params"),
    [
        ("chained", {"path": "L0/a"}),
        ("chained", {"path": "L0/../L1/../L2/a"}),
        ("deep", {"path": "d/" * 700}),
        ("deep", {"path": "d/" * 700 + "missing"}),
        ("deep", {"path": "d/../" * 800 + "missing"}),
        ("deep", {"paths": ["**/*.txt"]}),
        ("ignoring", {"path": "d/" * 200}),
        ("patterns", {"path": "d/" * 20}),
        ("patterns", {"path": f"{'n' * 255}/" * 15}),
    ],
    ids=["chain", "chain and parents", "deep", "missing", "parents", "glob", "ignoring", "patterns", "long names"],
)
def test_every_tree_is_answered_soon_after_the_deadline(trees, tree, params):
    with Reader(trees / tree, deny=SECRETS, ignore_files=True, deadline_s=0.5, cache_dir=None) as reader:
        began = time.monotonic()
        assert reader.reply(params).text
        assert time.monotonic() - began < HANG_S


def test_a_link_deeper_than_any_path_cannot_rename_what_is_denied(tmp_path):
    here = deepened(tmp_path, 25, LONG)
    secret = os.open(".env", os.O_CREAT | os.O_WRONLY, dir_fd=here)
    os.write(secret, b"SECRET\n")
    os.symlink(".env", "plain.txt", dir_fd=here)
    os.close(secret)
    os.close(here)
    (tmp_path / "far").symlink_to(f"{LONG}/" * 15)
    path = "far/" + f"{LONG}/" * 10 + "plain.txt"
    with Reader(tmp_path, cache_dir=None) as free, Reader(tmp_path, deny=[".env"], cache_dir=None) as denying:
        assert free.read(path).text == "SECRET"
        assert (
            denying.reply({"path": path}).text == "[error ACCESS_DENIED] Path is excluded by policy. Read another file."
        )


def test_a_call_that_finds_its_way_slowly_leaves_the_event_loop(tmp_path):
    """The first try is made in the event loop; it goes on for as long as it is let."""
    threads = []

    def call(_params, *, cancelled, on_opened, on_progress=None):
        threads.append(threading.current_thread())
        until = time.monotonic() + HANG_S
        while threads[1:] == [] and time.monotonic() < until:
            cancelled()
        return Reply("found", {})

    with Reader(tmp_path, cache_dir=None) as reader, ThreadPoolExecutor(1) as pool:
        spec = tool_spec(reader.tool)._replace(call=call)
        reply = asyncio.run(CallExecutors(pool, pool, at_once=True).reply(spec, {}, None))
    assert reply.text == "found"
    assert [thread is threading.main_thread() for thread in threads] == [True, False]


def test_a_read_put_off_in_the_middle_can_be_begun_anew(trees):
    def impatient():
        raise Deferred

    with Reader(trees / "ignoring", deny=SECRETS, ignore_files=True, cache_dir=None) as reader:
        for params in ({"path": "a.txt"}, {"path": "d/" * 200}):
            with pytest.raises(Deferred):
                reader.tool.reply(params, cancelled=impatient)
            assert not reader.reply(params).is_error


def test_expressions_of_patterns_that_are_gone_are_not_kept():
    from readwell.patterns import _expression

    for version in range(5):
        patterns = compile_patterns(f"name{version}-{number}?/x" for number in range(2000))
        assert patterns.excludes(["name", "x"]) is None
    assert _expression.cache_info().currsize <= 4096


REPAIRING = """
import sys
from readwell import Reader
with Reader(sys.argv[1], cache_dir=None) as reader:
    print(reader.reply({"path": "it's.txt"}).is_error, "difflib" in sys.modules)
"""


def test_a_repaired_name_is_not_compared_with_all_others(tmp_path):
    (tmp_path / "it\u2019s.txt").write_text("found\n")
    done = subprocess.run([sys.executable, "-c", REPAIRING, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
