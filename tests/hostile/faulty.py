"""Reads while the n-th call of a kind fails, and prints each outcome that is neither typed nor right.

Runs in a process of its own with faults.so preloaded: `faulty.py openat2|walk few|all ROOT`.
"""

import contextlib
import ctypes
import errno
import gc
import json
import os
import sys

KINDS = {"open": 1, "fstat": 2, "stat": 3, "pread": 4, "readdir": 5, "readlink": 6}
ERRNOS = (
    "EIO", "EACCES", "EPERM", "ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EMFILE", "ENFILE", "ENOMEM", "ENXIO", "EAGAIN",
    "EINTR", "EOVERFLOW", "ESTALE", "EXDEV", "EBADF", "EINVAL", "ENOSYS", "ETXTBSY", "ENAMETOOLONG",
)  # fmt: skip
FEW_ERRNOS = ("EIO", "EACCES", "ENOENT", "EMFILE", "ENOMEM", "EAGAIN", "EINTR", "ESTALE")
PATHS = ("plain.txt", "folder", "link.txt", "long.txt", "missing.txt", ".env", "sub/hidden.txt")
MAX_CALLS = 200


def tools(root, way):
    from readwell.dialects import NAMES, dialect_named
    from readwell.policy import DOOR_DENIALS
    from readwell.source import open_by_openat2, open_by_walking
    from readwell.tool import Tool

    beneath = open_by_walking if way == "walk" else open_by_openat2
    for name in NAMES:
        for denials in (None, DOOR_DENIALS):
            yield Tool(dialect_named(name), (root,), beneath=beneath, denials=denials, cache_dir=None)


def outcome(tool, path):
    from readwell import ReadError

    try:
        result = tool.read({tool.dialect.tools[0].required[0]: path})
    except ReadError as error:
        return "error", type(error).__name__
    except BaseException as error:
        return "defect", repr(error)
    return "read", result.lines, result.window.total


def descriptors():
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


def main(way, errnos, root):
    shim = ctypes.CDLL(None)
    errnos = ERRNOS if errnos == "all" else FEW_ERRNOS
    wrong, tried, struck = [], 0, 0
    for tool in list(tools(root, way)):
        for path in PATHS:
            right = outcome(tool, path)
            assert right[0] != "defect", right
            before = descriptors()
            for kind, name in ((kind, name) for kind in KINDS for name in errnos):
                for nth in range(1, MAX_CALLS):
                    shim.fault_arm(KINDS[kind], getattr(errno, name), nth)
                    found = outcome(tool, path)
                    calls = shim.fault_disarm()
                    tried += 1
                    if calls < nth:
                        break
                    struck += 1
                    if found != right and found[0] != "error" and not is_honest(path, kind, name, found):
                        wrong.append([tool.dialect.name, way, path, kind, name, nth, right[:2], found[:2]])
            after = descriptors()
            if after != before:
                wrong.append([tool.dialect.name, way, path, f"{after - before} descriptors left open"])
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps({"wrong": wrong, "tried": tried, "struck": struck}))


def is_honest(path, kind, name, found):
    """A listing may say of an entry that it cannot be looked at, and leaves out a link that cannot be judged.

    Who hides a folder hides its ignore file.
    """
    if path == "folder":
        names = [row.split("\t")[0] for row in found[1]]
        return names == ["1", "2", "3", "l"] or (kind == "stat" and names == ["1", "2", "3"])
    return path == "sub/hidden.txt" and kind == "stat" and name in ("ENOENT", "ENOTDIR")


if __name__ == "__main__":
    main(*sys.argv[1:])
