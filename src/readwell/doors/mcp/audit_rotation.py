"""The account of calls of a server that has locked itself in: a process outside opens the file after a rotation."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from errno import EIO

from ...audit import AuditFile, open_to_append

OPENED, FAILED = b"+", b"-"
LEFT_TO_THE_SERVER = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def open_rotating_audit(path: str) -> AuditFile:
    """Returns the file of records, and lets SIGHUP pass; raises ValueError where it cannot be opened.

    To be called before any thread is started. The record after a rotation goes to the new file by itself, so the
    signal that usually says so has nothing to do.
    """
    audit = AuditFile(path, _opener_outside(os.path.abspath(path)))
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)
    return audit


def _opener_outside(path: str) -> Callable[[str], int]:
    """Forks a process that opens this one file as often as it is asked to, and ends with this one."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            _keep_opening(path, theirs)
        finally:
            os._exit(0)
    theirs.close()

    def open_file(_path: str) -> int:
        ours.sendall(OPENED)
        answer, descriptors, *_ = socket.recv_fds(ours, 1, 1)
        if answer != OPENED or not descriptors:
            raise OSError(EIO, "the file cannot be opened anew")
        os.set_inheritable(descriptors[0], False)
        return descriptors[0]

    return open_file


def _keep_opening(path: str, wire: socket.socket) -> None:
    for number in LEFT_TO_THE_SERVER:
        signal.signal(number, signal.SIG_IGN)
    own = wire.fileno()
    os.closerange(0, own)
    os.closerange(own + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    while wire.recv(1):
        try:
            descriptor = open_to_append(path)
        except OSError:
            wire.sendall(FAILED)
            continue
        socket.send_fds(wire, [OPENED], [descriptor])
        os.close(descriptor)
