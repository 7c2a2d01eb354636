"""Writers of the cache that are killed at any moment: nothing damaged is ever served."""

import random
import subprocess
import sys

import pytest

from effort import EFFORT
from readwell.disk_store import Store
from stored import entries_in

VERSION = b"test0001"

WRITERS = """
import os, signal, sys, time
from readwell.disk_store import Store

def write_on(number):
    store = Store(sys.argv[1], b"test0001", 1 << 22)
    while True:
        number += 1
        name = b"entry%d" % (number % 20)
        store.put(name, name * (1 + number * 7919 % 20000))

for line in sys.stdin:
    writers = []
    for number in range(2):
        writers.append(os.fork())
        if not writers[-1]:
            write_on(number * 10)
    time.sleep(float(line))
    for writer in writers:
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
    print("killed", flush=True)
"""
"""Starts two writers for each line and kills them after as many seconds as it says."""


def kill_writers(folder, kills):
    """Kills writers at random moments and returns how many entries were served and how many of these were damaged."""
    store = Store(str(folder), VERSION, 1 << 22)
    served = damaged = 0
    chance = random.Random(kills)
    with subprocess.Popen(
        [sys.executable, "-c", WRITERS, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as writers:
        for _ in range(kills // 2):
            writers.stdin.write(f"{chance.uniform(0, 0.03)}\n")
            assert writers.stdout.readline() == "killed\n"
            for number in range(20):
                name = b"entry%d" % number
                content = store.get(name)
                if content is not None:
                    served += 1
                    damaged += not content or bool(content.replace(name, b""))
    return served, damaged


def assert_nothing_is_damaged(folder, kills):
    served, damaged = kill_writers(folder, kills)
    print(kills, "killed,", served, "served")
    assert (served > kills, damaged) == (True, 0)
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= 1.05 * (1 << 22)


def test_a_writer_that_is_killed_leaves_no_damaged_entry(tmp_path):
    assert_nothing_is_damaged(tmp_path, 50)


@pytest.mark.slow
def test_hundreds_of_killed_writers_leave_no_damaged_entry(tmp_path):
    assert_nothing_is_damaged(tmp_path, 500 if EFFORT == 1 else 5000)


def test_a_torn_entry_is_as_good_as_absent(tmp_path):
    """At every length, and with every byte changed: the checksum covers name, version and content."""
    store = Store(str(tmp_path), VERSION, 1 << 22)
    store.put(b"name", b"content")
    (entry,) = entries_in(tmp_path)
    whole = entry.read_bytes()
    torn = [whole[:length] for length in range(len(whole))]
    torn += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))]
    torn += [whole + b"x", b""]
    seen = set()
    for content in torn:
        entry.write_bytes(content)
        seen.add(store.get(b"name"))
    assert seen == {None}
    entry.write_bytes(whole)
    assert store.get(b"name") == b"content"
