"""Reads one path again and again, through the shipped entry points in turn, and tells what it saw.

Runs in a process of its own, `racer.py faces|doors SECONDS ROOT ONE OTHER WAY=ATTEMPTS=OUTCOMES=PATH …`, with a child
for each way to open: `openat2`, `walk`, `naive`. It attempts ATTEMPTS reads, and up to ten times as many until each of
the OUTCOMES (separated by commas) was seen often; after SECONDS it stops. With faults.so preloaded, the names ONE and
OTHER also change places before two calls of each attempt.
"""

import collections
import ctypes
import gc
import itertools
import json
import multiprocessing
import os
import random
import struct
import sys
import time

from readwell import Reader
from readwell.dialects import NAMES, dialect_named
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.policy import DOOR_DENIALS, SECRETS
from readwell.qq import FileManager
from readwell.source.confined_open import choose_open_beneath, open_by_openat2, open_by_walking
from readwell.tool import Tool

OFTEN = 20
"""How often an outcome must be seen before the attempts count as a race."""
PATIENCE = 10
"""How many times the attempts asked for are made at most until there was a race."""
CALLS = 24
"""About as many as a read makes."""
OPENS = {"openat2": open_by_openat2, "walk": open_by_walking}


def forbid_openat2():
    """Has the kernel refuse openat2 to this process, as a sandbox would; says whether it agreed."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code))
    return not (libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0))


def naive(root, path):
    """What one would write without a second thought: look where it leads, then open it."""
    wanted = os.path.join(root, path)
    if not (os.path.realpath(wanted) + "/").startswith(root + "/"):
        return "refused"
    with open(wanted) as file:
        return file.read()


def faces(root):
    """What a program calls; `native` with rules."""
    reader, manager = Reader(root, deny=SECRETS, ignore_files=True), FileManager(root)
    envelope, opencode = EnvelopeTool(root), OpencodeTool(root=root)
    entry_points = {
        "native": lambda path: reader.reply({"path": path}).text,
        "qq": lambda path: manager.read_file(path),
        "envelope": lambda path: str(envelope.run({"path": path})),
        "opencode": lambda path: opencode.execute_sync({"filePath": path})["output"],
    }
    assert {*entry_points} == {*NAMES}, "add a function for each dialect"
    return entry_points


def doors(root):
    """What the doors call: every dialect with the rules of doors."""
    return {name: door(Tool(dialect_named(name), (root,), denials=DOOR_DENIALS)) for name in NAMES}


def door(tool):
    key = tool.dialect.tools[0].required[0]
    return lambda path: tool.reply({key: path}).text


def race(entry_points, ends, root, names, way, attempts, outcomes, path):
    """Counts what came of the attempts by entry point; None where openat2 cannot be forbidden."""
    if way == "walk" and not forbid_openat2():
        return None
    ways = {"naive": lambda asked: naive(root, asked)} if way == "naive" else entry_points(root)
    assert way == "naive" or choose_open_beneath() is OPENS[way]
    shim, chance = ctypes.CDLL(None), random.Random(way)
    seen = {name: collections.Counter() for name in ways}
    for (name, read), attempt in zip(itertools.cycle(ways.items()), range(attempts * PATIENCE)):
        if time.monotonic() > ends or (attempt >= attempts and was_raced(seen, outcomes)):
            break
        first = int(chance.random() * CALLS)
        shim.fault_arm_exchange(*names, first, first + 1 + int(chance.random() * CALLS))
        seen[name][outcome(read, path)] += 1
        shim.fault_disarm()
    return seen


def was_raced(seen, outcomes):
    """Whether each of the outcomes was seen often, whatever the entry point."""
    return all(sum(counts[outcome] for counts in seen.values()) > OFTEN for outcome in outcomes)


def outcome(read, path):
    try:
        text = read(path)
    except OSError:
        return "refused"
    return "leaked" if "secret" in text else "inside" if "harmless" in text else "refused"


def main(entry_points, seconds, root, one, other, *words):
    ends = time.monotonic() + float(seconds)
    runs = [
        (way, int(attempts), outcomes.split(","), path)
        for way, attempts, outcomes, path in (word.split("=", 3) for word in words)
    ]
    gc.freeze()
    # A child is not used again: what it forbids itself, it forbids for good.
    with multiprocessing.get_context("fork").Pool(len(runs), maxtasksperchild=1) as pool:
        place = {"faces": faces, "doors": doors}[entry_points], ends, root, (os.fsencode(one), os.fsencode(other))
        found = pool.starmap(race, [(*place, *run) for run in runs], chunksize=1)
    if None in found:
        sys.exit(77)
    print(json.dumps({way: seen for (way, *_), seen in zip(runs, found)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
