"""Reads one path while two names change places before the n-th call of the C library, and again before the m-th.

Every n and m that a read has is tried. Runs in a process of its own with faults.so preloaded:
`striker.py faces|doors ROOT PATH ONE OTHER`.
"""

import collections
import ctypes
import json
import multiprocessing
import os
import sys

from racer import doors, faces, forbid_openat2, naive, outcome

MAX_CALLS = 400


def naive_walk(root, path):
    """Opens part by part, as is safe, and trusts that `..` is where it came from, which is not."""
    here = os.open(root, os.O_RDONLY)
    for part in path.split("/"):
        deeper = os.open(part, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=here)
        os.close(here)
        here = deeper
    with open(here) as file:
        return file.read()


NAIVE = {"naive": naive, "naive walk": naive_walk}


def strike(entry_points, way, root, path, one, other):
    """What came of every moment to strike, counted by entry point; None where openat2 cannot be forbidden."""
    if way == "walk" and not forbid_openat2():
        return None
    ways = entry_points(root) if way != "naive" else {name: reading(read, root) for name, read in NAIVE.items()}
    return {name: struck(read, path, os.fsencode(one), os.fsencode(other)) for name, read in ways.items()}


def reading(read, root):
    return lambda path: read(root, path)


def struck(read, path, one, other):
    seen = collections.Counter()
    for swapped in (False, True):
        for first in range(MAX_CALLS):
            for second in range(first + 1, MAX_CALLS):
                found, calls = struck_at(first, second, swapped, lambda: outcome(read, path), (one, other))
                seen[found] += 1
                if calls < second:
                    break
            if calls < first:
                break
    return seen


def struck_at(first, second, swapped, look, names):
    """What was seen and how many calls it took; the names stand as they stood before."""
    shim = ctypes.CDLL(None)
    if swapped:
        shim.fault_exchange(*names)
    shim.fault_arm_exchange(*names, first, second)
    found = look()
    calls = shim.fault_disarm()
    if (swapped + (0 < first <= calls) + (second <= calls)) % 2:
        shim.fault_exchange(*names)
    return found, calls


def main(entry_points, root, path, one, other):
    ways = ("openat2", "walk", "naive")
    if any(ctypes.CDLL(None).fault_exchange(os.fsencode(one), os.fsencode(other)) for _ in ("to", "and fro")):
        sys.exit(77)
    with multiprocessing.get_context("fork").Pool(len(ways), maxtasksperchild=1) as pool:
        found = pool.starmap(
            strike, [({"faces": faces, "doors": doors}[entry_points], way, root, path, one, other) for way in ways], 1
        )
    if None in found:
        sys.exit(77)
    print(json.dumps(dict(zip(ways, found))))


if __name__ == "__main__":
    main(*sys.argv[1:])
