"""Whatever lies in a root, a call ends soon after its deadline, and the event loop of a server is not kept from others."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from contextlib import closing, nullcontext
from itertools import count

import pytest

from costly_trees import costly_trees, deepened
from readwell import Reader
from readwell.deadline import Deadline
from readwell.dialects import dialect_named
from readwell.doors.mcp.executors import CallExecutors, FairThreadPool
from readwell.errors import DeadlineExceeded
from readwell.gitignore import compile_patterns
from readwell.model import Reply
from readwell.policy import SECRETS, Denials
from readwell.source import open_by_walking, symbolic_links
from readwell.tool import Deferred, Tool
from readwell.toolspec import tool_spec

HANG_S = 20.0


LONG = "d" * 250


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    with costly_trees(tmp_path_factory.mktemp("trees")) as folder:
        yield folder


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
@pytest.mark.parametrize("beneath", [None, open_by_walking], ids=["best", "walk"])
def test_every_tree_is_answered_soon_after_the_deadline(trees, tree, params, beneath):
    root, rules = str(trees / tree), Denials(SECRETS, ignore_files=True)
    with closing(Tool(dialect_named("native"), (root,), beneath=beneath, denials=rules, deadline_s=0.5)) as tool:
        began = time.monotonic()
        assert tool.reply(params).text
        assert time.monotonic() - began < HANG_S


def test_a_walk_without_openat2_looks_at_the_clock_however_long_the_way(trees):
    """Through folders, and through folders that only links name."""
    (trees / "deep" / "far").symlink_to("d/" * 600)
    root, looks = os.open(trees / "deep", os.O_RDONLY), []
    for path in ("d/" * 700, "far/" + "../" * 400 + "d/" * 300):
        looks.append(0)

        def look():
            looks[-1] += 1

        os.close(open_by_walking(root, path, os.O_RDONLY, True, look))
    os.close(root)
    (trees / "deep" / "far").unlink()
    assert min(looks) >= 10


def test_the_deadline_ends_a_walk_without_openat2(trees):
    def too_late():
        raise TimeoutError

    root = os.open(trees / "deep", os.O_RDONLY)
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    with pytest.raises(TimeoutError):
        open_by_walking(root, "d/" * 700, os.O_RDONLY, True, too_late)
    assert not before or len(os.listdir("/proc/self/fd")) == before
    os.close(root)


def test_a_pattern_of_many_stars_is_no_dearer_than_one(trees):
    def entries_seen(pattern):
        with Reader(trees / "ignoring", cache_dir=None) as reader:
            return reader.reply({"paths": [pattern]}).text

    assert entries_seen("**/" * 500 + "a.txt") == entries_seen("**/a.txt")


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

    def call(_params, *, cancelled, on_opened, **_):
        threads.append(threading.current_thread())
        until = time.monotonic() + HANG_S
        while threads[1:] == [] and time.monotonic() < until:
            cancelled()
        return Reply("found", {})

    with Reader(tmp_path, cache_dir=None) as reader, closing(FairThreadPool(1, "pool")) as pool:
        spec = tool_spec(reader.tool)._replace(call=call)
        reply = asyncio.run(CallExecutors(pool, pool, small_reads_in_loop=True, remote={}).reply(spec, {}, None))
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
    from readwell.gitignore.syntax import _compiled_component

    for version in range(5):
        patterns = compile_patterns(f"name{version}-{number}?/x" for number in range(2000))
        assert patterns.excluding_line(["name", "x"]) is None
    assert _compiled_component.cache_info().currsize <= 4096


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


def test_below_a_name_that_is_missing_no_link_is_looked_for(tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to("gone" + "/x" * 500)
    (tmp_path / "other").symlink_to("link")
    deadline = Deadline(time.monotonic, time.monotonic() + HANG_S, HANG_S)
    asked = []
    monkeypatch.setattr(
        symbolic_links.os, "readlink", lambda path, readlink=os.readlink: asked.append(path) or readlink(path)
    )
    assert symbolic_links.resolve_links(f"{tmp_path}/link", (), deadline) == f"{tmp_path}/gone" + "/x" * 500
    assert len(asked) <= len(tmp_path.parts) + 2
    assert symbolic_links.resolve_links(f"{tmp_path}/no/../other", (), deadline) == f"{tmp_path}/gone" + "/x" * 500


def test_what_a_call_needs_several_times_is_computed_once_where_the_call_keeps_it():
    keeping, plain = Deadline(time.monotonic, float("inf"), 20, computed={}), Deadline(time.monotonic, float("inf"), 20)
    numbers = count()
    told = [call.once(key, lambda: next(numbers)) for call in (keeping, plain) for key in ("a", "b", "a", "b")]
    assert told == [0, 1, 0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("now", "cancelled", "ends"), [(5, False, False), (5.1, False, True), (1, True, True)])
def test_a_call_ends_behind_its_last_moment_or_when_it_is_cancelled(now, cancelled, ends):
    steps = []
    call = Deadline(lambda: now, 5, 3, cancelled=lambda: cancelled, on_progress=lambda *step: steps.append(step))
    with pytest.raises(DeadlineExceeded) if ends else nullcontext():
        call.tick(1, 2, "scan")
    assert steps == ([] if ends else [(1, 2, "scan")])
