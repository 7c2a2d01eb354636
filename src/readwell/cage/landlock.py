"""Landlock: a process gives up files, network and signals, for good and for all processes that it starts."""

from __future__ import annotations

import os
import stat
import struct
import sys
from collections.abc import Iterable
from glob import glob

from .system_calls import call, forbid_new_privileges

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
READING = READ_FILE | READ_DIR
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""The rights that a rule for a single file may name."""
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The file rights that each version of Landlock can refuse; later versions added none."""
TCP_BIND_AND_CONNECT = 0b11
SOCKETS_AND_SIGNALS = 0b11
"""Abstract unix sockets and signals of processes outside."""

LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime")
LOADERS = ("/lib/ld-*.so*", "/lib64/ld-*.so*", "/lib/*/ld-*.so*")
"""The dynamic loaders, which the kernel runs to start a program."""


def version() -> int | None:
    """Returns the kernel's version of Landlock; None where there is none."""
    try:
        return call(CREATE_RULESET, None, 0, ASK_VERSION)
    except OSError:
        return None


def deny_all() -> bool:
    """Refuses this thread every file, connection and signal from now on; False where it cannot be done."""
    known = version()
    if known is None:
        return False
    try:
        _restrict(_create_ruleset(known, TCP_BIND_AND_CONNECT, SOCKETS_AND_SIGNALS))
    except OSError:
        return False
    return True


def allow_only(read: Iterable[str], write: Iterable[str] = (), execute: Iterable[str] = ()) -> bool:
    """Keeps this thread, and all it starts, to files below these paths; False where it cannot be done.

    To be called before other threads are started: those that run already stay free. What is written may also
    be read; what is executed as well. Paths that do not exist are passed over. Network and signals stay as they are.
    """
    known = version()
    if known is None:
        return False
    rights = _known_file_rights(known)
    try:
        ruleset = _create_ruleset(known, 0, 0)
        grants = [(READING, read), (rights & ~EXECUTE, (*write, os.devnull)), (READING | EXECUTE, execute)]
        for granted, paths in grants:
            for path in paths:
                _allow(ruleset, path, granted & rights)
        _restrict(ruleset)
    except OSError:
        return False
    return True


def allow_only_with_runtime(read: Iterable[str], write: Iterable[str] = ()) -> bool:
    """Like `allow_only`, and also what Python and readwell need to go on running.

    Python itself can still be started, so that a worker can; no other program can. Modules can be imported from where
    packages are installed. What else is on `sys.path`, such as the directory of the program or the current one, must be
    in `read`: it may be anything. Nor is `/proc` readable: it shows the environment of other processes.
    """
    packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    ours = os.path.abspath(__file__).rsplit("/", 3)[0]
    needed = [ours, *packages, sys.prefix, sys.base_prefix, *LIBRARIES]
    loaders = [path for pattern in LOADERS for path in glob(pattern)]
    return allow_only([*read, *needed], write, [os.path.realpath(sys.executable), *loaders])


def _known_file_rights(known: int) -> int:
    return FILE_RIGHTS[min(known, max(FILE_RIGHTS))]


def _create_ruleset(known: int, network: int, scoped: int) -> int:
    """Creates a ruleset that refuses all file rights this version knows, and the given network and scope rights."""
    attributes = [_known_file_rights(known)]
    if known >= 4:
        attributes.append(network)
    if known >= 6:
        attributes.append(scoped)
    packed = struct.pack(f"{len(attributes)}Q", *attributes)
    return call(CREATE_RULESET, packed, len(packed), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= OF_A_FILE
        call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _restrict(ruleset: int) -> None:
    try:
        forbid_new_privileges()
        call(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
