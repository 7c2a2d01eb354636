"""Writers of the cache that are killed at any moment: nothing damaged is ever served."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from effort import EFFORT
from readwell.store import Store

VERSION = b"test0001"
HANG = 60

WRITE_ON = """
import sys
from readwell.store import Store
store = Store(sys.argv[1], b"test0001", 1 << 22)
print("ready", flush=True)
number = 0
while True:
    number += 1
    name = b"entry%d" % (number % 20)
    store.put(name, name * (1 + number * 7919 % 20000))
"""


def kill_writers(folder, kills):
    """Kills writers at random moments and returns how many entries were served and how many of these were damaged."""
    store = Store(str(folder), VERSION, 1 << 22)
    served = damaged = 0
    chance = random.Random(kills)
    while kills:
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITE_ON, folder], stdout=subprocess.PIPE, env={**os.environ})
            for _ in range(2)
        ]
        for writer in writers:
            writer.stdout.readline()
        time.sleep(chance.uniform(0, 0.03))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.wait(HANG)
            writer.stdout.close()
            kills -= 1
        for number in range(20):
            name = b"entry%d" % number
            content = store.get(name)
            if content is not None:
                served += 1
                damaged += not content or bool(content.replace(name, b""))
    return served, damaged


def test_a_writer_that_is_killed_leaves_no_damaged_entry(tmp_path):
    served, damaged = kill_writers(tmp_path, 10)
    assert (served > 20, damaged) == (True, 0)
    assert sum(entry.stat().st_size for entry in tmp_path.iterdir()) < 2 << 22


@pytest.mark.slow
def test_hundreds_of_killed_writers_leave_no_damaged_entry(tmp_path):
    served, damaged = kill_writers(tmp_path, 300 if EFFORT == 1 else 3000)
    assert (served > 1000, damaged) == (True, 0)
    assert sum(entry.stat().st_size for entry in tmp_path.iterdir()) < 2 << 22


def test_a_torn_entry_is_as_good_as_absent(tmp_path):
    """At every length, and with every byte changed: the checksum covers name, version and content."""
    store = Store(str(tmp_path), VERSION, 1 << 22)
    store.put(b"name", b"content")
    (entry,) = tmp_path.iterdir()
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
