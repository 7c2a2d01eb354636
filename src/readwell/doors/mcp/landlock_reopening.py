"""Opens one file anew in a server under Landlock: a helper, forked before, sends the descriptor.

The server has restricted itself to its roots, so a helper process that it forked before opens the file.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from errno import EIO

OPENED, FAILED = b"+", b"-"
IGNORED_BY_HELPER = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def fork_opener(path: str, open_file: Callable[[str], int]) -> Callable[[str], int]:
    """Forks a helper that opens this one file on request and ends with this process; returns how to ask it.

    Called before any thread starts. `open_file` returns a descriptor.
    """
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            _serve_opens(path, theirs, open_file)
        finally:
            os._exit(0)
    theirs.close()

    def ask(_path: str) -> int:
        ours.sendall(OPENED)
        answer, descriptors, *_ = socket.recv_fds(ours, 1, 1)
        if answer != OPENED or not descriptors:
            raise OSError(EIO, "the file cannot be opened anew")
        os.set_inheritable(descriptors[0], False)
        return descriptors[0]

    return ask


def _serve_opens(path: str, channel: socket.socket, open_file: Callable[[str], int]) -> None:
    """Runs in the helper: opens the file for each byte received, and sends the descriptor back."""
    for number in IGNORED_BY_HELPER:
        signal.signal(number, signal.SIG_IGN)
    own = channel.fileno()
    os.closerange(0, own)
    os.closerange(own + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    while channel.recv(1):
        try:
            descriptor = open_file(path)
        except OSError:
            channel.sendall(FAILED)
            continue
        socket.send_fds(channel, [OPENED], [descriptor])
        os.close(descriptor)
