"""Reads one path again and again, through the shipped entry points in turn, and tells what it saw.

Runs in a process of its own: `racer.py openat2|walk|naive ROOT PATH ATTEMPTS`.
"""

import collections
import ctypes
import itertools
import json
import os
import struct
import sys

ENOUGH = 10
"""Leaks of the naive reader, which prove what they should."""


def forbid_openat2():
    """Has the kernel refuse openat2 to this process, as a sandbox would."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        sys.exit(77)


def naive(root, path):
    """What one would write without a second thought: look where it leads, then open it."""
    wanted = os.path.join(root, path)
    if not (os.path.realpath(wanted) + "/").startswith(root + "/"):
        return "refused"
    with open(wanted) as file:
        return file.read()


def entry_points(root):
    from readwell import Reader
    from readwell.envelope import ReadTool as EnvelopeTool
    from readwell.opencode import ReadTool as OpencodeTool
    from readwell.policy import SECRETS
    from readwell.qq import FileManager

    reader, manager = Reader(root, deny=SECRETS, ignore_files=True), FileManager(root)
    envelope, opencode = EnvelopeTool(root), OpencodeTool(root=root)
    return {
        "native": lambda path: reader.reply({"path": path}).text,
        "qq": lambda path: manager.read_file(path),
        "envelope": lambda path: str(envelope.run({"path": path})),
        "opencode": lambda path: opencode.execute_sync({"filePath": path})["output"],
    }


def main(way, root, path, attempts):
    if way == "walk":
        forbid_openat2()
    ways = {"naive": lambda asked: naive(root, asked)} if way == "naive" else entry_points(root)
    if os.path.basename(root) == "denying":
        ways = {"native": ways["native"]} if way != "naive" else ways
    seen = {name: collections.Counter() for name in ways}
    for (name, read), _ in zip(itertools.cycle(ways.items()), range(int(attempts))):
        try:
            text = read(path)
        except OSError:
            text = "refused"
        seen[name]["leaked" if "secret" in text else "inside" if "harmless" in text else "refused"] += 1
        if way == "naive" and seen[name]["leaked"] == ENOUGH:
            break
    if way != "naive":
        from readwell.source.beneath import best_beneath

        assert best_beneath().__name__ == f"{way}_beneath"
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
