"""A store keeps its bounds at a flat cost, and touches nothing that is not its own."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from effort import EFFORT, examples
from readwell.disk_store import Store
from stored import entries_in

UNDER_A_SMALL_ADDRESS_SPACE = """
import resource, sys
from readwell.disk_store import Store
store = Store(sys.argv[1], b"version1", 256 << 20)
present = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (present + (64 << 20), -1))
print(store.get(b"name"))
"""


def bytes_in(folder):
    """Returns what all files of a store take, also those that killed writers left."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file() and path.name != "usage")


@pytest.fixture
def looked_at():
    """Folders that this process goes through."""
    folders, watching = [], [True]
    sys.addaudithook(lambda event, args: folders.append(args[0]) if watching and event == "os.scandir" else None)
    yield folders
    watching.clear()


def test_writing_looks_through_nothing_while_there_is_room(tmp_path, looked_at):
    store = Store(str(tmp_path), b"version1", 1 << 30)
    store.put(b"first", b"x")
    looked_at.clear()
    for number in range(100):
        store.put(b"%d" % number, b"x")
    assert looked_at == []
    assert store.get(b"99") == b"x"


def test_writing_into_a_full_store_looks_at_a_small_part_of_it_now_and_then(tmp_path, looked_at):
    store = Store(str(tmp_path), b"version1", 600 * 148)
    for number in range(800):
        store.put(b"%d" % number, b"x" * 100)
    looked_at.clear()
    for number in range(800, 1100):
        store.put(b"%d" % number, b"x" * 100)
    assert len(looked_at) / 300 < 6
    assert bytes_in(tmp_path) <= 600 * 148
    assert len(entries_in(tmp_path)) > 450


@pytest.mark.parametrize("seed", range(examples(4)))
def test_a_store_stays_within_its_bytes_whatever_is_written_and_removed(tmp_path, seed):
    chance = random.Random(seed)
    most = 20_000
    store = Store(str(tmp_path), b"version1", most)
    for step in range(60 * EFFORT):
        store.put(b"%d" % chance.randrange(40), b"x" * chance.choice([0, 10, 500, 4000, 30_000]))
        if chance.random() < 0.1 and (entries := entries_in(tmp_path)):
            chance.choice(entries).unlink()
        if chance.random() < 0.02:
            (tmp_path / str(os.geteuid()) / "usage").write_bytes(chance.choice([b"", b"damaged"]))
        assert bytes_in(tmp_path) <= most, step
    store.put(b"last", b"content")
    assert store.get(b"last") == b"content"


@pytest.mark.parametrize("damaged", [b"short", b"longer than the record" * 100], ids=["short", "long"])
def test_a_damaged_record_of_the_bytes_is_written_anew(tmp_path, looked_at, damaged):
    store = Store(str(tmp_path), b"version1", 20_000)
    store.put(b"one", b"content")
    (tmp_path / str(os.geteuid()) / "usage").write_bytes(damaged)
    store.put(b"two", b"content")
    looked_at.clear()
    store.put(b"three", b"content")
    assert looked_at == []


def test_the_newest_entries_outlive_the_oldest(tmp_path):
    store = Store(str(tmp_path), b"version1", 400 * 148)
    for number in range(1000):
        store.put(b"%d" % number, b"x" * 100)
    held = [number for number in range(1000) if store.get(b"%d" % number)]
    assert len([number for number in held if number >= 900]) > 95
    # Folders are sampled at random, so that single old entries may be left.
    assert len([number for number in held if number < 200]) < 10


def test_a_foreign_file_with_the_name_of_an_entry_is_never_removed(tmp_path):
    store = Store(str(tmp_path), b"version1", 2000)
    store.put(b"name", b"content")
    (entry,) = entries_in(tmp_path)
    foreign = [folder / (first + "0" * 63) for folder, first in ((tmp_path, "a"), (entry.parent, "b"))]
    for path in foreign:
        path.write_bytes(b"a thesis")
        os.utime(path, (0, 0))
    for number in range(50):
        store.put(b"%d" % number, b"x" * 300)
    assert [path.read_bytes() for path in foreign] == [b"a thesis"] * 2
    assert store.get(b"49")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
def test_entries_of_another_user_are_neither_read_nor_removed(tmp_path):
    store = Store(str(tmp_path), b"version1", 2000)
    store.put(b"name", b"content")
    (entry,) = entries_in(tmp_path)
    os.chown(entry, 12345, 12345)
    os.utime(entry, (0, 0))
    assert store.get(b"name") is None
    for number in range(50):
        store.put(b"%d" % number, b"x" * 300)
    assert entry.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs procfs")
def test_a_small_entry_is_read_in_a_small_address_space(tmp_path):
    Store(str(tmp_path), b"version1", 256 << 20).put(b"name", b"content")
    done = subprocess.run(
        [sys.executable, "-c", UNDER_A_SMALL_ADDRESS_SPACE, tmp_path], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("b'content'\n", "")


def test_a_store_whose_folder_is_removed_makes_it_anew(tmp_path, caplog):
    store = Store(str(tmp_path / "store"), b"version1", 2000)
    store.put(b"name", b"content")
    shutil.rmtree(tmp_path / "store")
    assert store.get(b"name") is None
    store.put(b"name", b"content")
    assert store.get(b"name") == b"content"
    assert caplog.text == ""


def test_a_store_that_can_no_longer_be_written_says_so_once(tmp_path, caplog):
    store = Store(str(tmp_path / "store"), b"version1", 2000)
    store.put(b"name", b"content")
    shutil.rmtree(tmp_path / "store")
    (tmp_path / "store").write_text("a file in its place")
    for _ in range(3):
        store.put(b"name", b"content")
    assert caplog.text.count("can no longer be written") == 1
