"""Fork servers that outlive their readers: starting one costs more than most conversions of a test."""

import os
from threading import Lock

from readwell.documents.worker import worker_pool
from readwell.documents.worker.fork_server_client import ForkServerClient

_LOCK = Lock()
_RUNNING: dict[tuple, "SharedForkServer"] = {}


class SharedForkServer(ForkServerClient):
    """A fork server that goes on for the next reader of the same process with the same import paths."""

    def stop(self):
        """Leaves it running; conversions end with their leash."""

    def kill(self):
        with _LOCK:
            for key in [key for key, server in _RUNNING.items() if server is self]:
                del _RUNNING[key]
        super().kill()

    def end(self):
        super().stop()


def shared_fork_server(import_paths):
    key = os.getpid(), tuple(import_paths)
    with _LOCK:
        if key not in _RUNNING:
            _RUNNING[key] = SharedForkServer(import_paths)
        return _RUNNING[key]


def share():
    worker_pool.ForkServerClient = shared_fork_server


def own():
    worker_pool.ForkServerClient = ForkServerClient


def processes():
    """Returns the processes of the shared fork servers; a reader that lives on may have a child there."""
    with _LOCK:
        return {server._process for server in _RUNNING.values()}


def end_all():
    """Ends the fork servers that this process started."""
    with _LOCK:
        ours = [_RUNNING.pop(key) for key in list(_RUNNING) if key[0] == os.getpid()]
    for server in ours:
        server.end()
