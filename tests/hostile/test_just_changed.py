"""Files that change twice within one tick of their clock: their times say nothing, so their bytes are compared."""

import os
import time

import pytest

from every_dialect import PARAMS
from readwell import Reader
from readwell.deadline import Deadline
from readwell.dialects import NAMES, dialect_named
from readwell.source import DiskOpener
from readwell.tool import Tool

WATCH = Deadline(time.monotonic, time.monotonic() + 1e6, 1e6)
TICK_NS = time.time_ns() + 3600 * 10**9
"""A time of change that no read of these tests outlives, as if the clock stood still."""


def overwrite(path, content):
    """Writes in place; size and time of content stay as they are."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(content)
    os.utime(path, ns=(TICK_NS, TICK_NS))


def opened(path):
    opener = DiskOpener((str(path.parent),))
    return opener.open(opener.locate(path.name), WATCH)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rows", [4_000, 200_000], ids=["small", "large"])
def test_rows_of_a_file_overwritten_within_a_tick_are_all_of_one_version(tmp_path, name, rows):
    path, old, new = tmp_path / "f", b"old row\n" * rows, b"new\n" * (2 * rows)
    overwrite(path, old)

    def change(done, total, what):
        if path.read_bytes() == old:
            overwrite(path, new[: len(old) // 2] + old[len(old) // 2 :])
            overwrite(path, new)

    tool = Tool(dialect_named(name), (str(tmp_path),), cache_dir=None, on_progress=change)
    fresh = Tool(dialect_named(name), (str(tmp_path),), cache_dir=None)
    path_name, start_name, _ = PARAMS[name]
    asked = {path_name: "f", start_name: 3000}
    found = tool.read(asked)
    expected = fresh.read(asked)
    assert path.read_bytes() == new
    assert (found.lines, found.window.total, found.state) == (expected.lines, expected.window.total, "steady")
    assert set(found.lines) == {"new"}


def test_a_reader_does_not_remember_what_it_saw_within_a_tick(tmp_path):
    path = tmp_path / "f"
    overwrite(path, b"old row\n" * 20_000)
    reader = Reader(tmp_path, cache_dir=None)
    assert reader.read("f").window.total == 20_000
    overwrite(path, b"new\n" * 40_000)
    assert reader.read("f", offset=30_000, limit=1).lines == ["new"]


@pytest.mark.parametrize(("seconds", "same"), [(-60, True), (3600, False)], ids=["settled", "just changed"])
def test_the_revision_of_a_large_file_that_has_just_changed_holds_for_one_reply(tmp_path, seconds, same):
    path = tmp_path / "f"
    path.write_bytes(b"first\n")
    os.truncate(path, 9 << 20)
    os.utime(path, ns=(0, time.time_ns() + seconds * 10**9))
    time.sleep(0.03)
    revisions = []
    for _ in range(2):
        with opened(path) as source:
            revisions.append(source.revision())
    assert (revisions[0] == revisions[1]) is same
