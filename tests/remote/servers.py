"""Starting servers of others on 127.0.0.1."""

import os
import subprocess
import time
from contextlib import contextmanager
from signal import SIGTERM
from socket import create_connection, socket

HANG = 30


def free_port():
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    """Waits until a server listens."""
    until = time.monotonic() + HANG
    while True:
        try:
            create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.1)


@contextmanager
def running(*commands, port, env=None):
    """Runs servers until the last one listens; `env` is added to the environment."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": {**os.environ, **(env or {})}}
    processes = [subprocess.Popen(command, start_new_session=True, **quiet) for command in commands]
    try:
        wait_for(port)
        yield
    finally:
        for process in processes:
            os.killpg(process.pid, SIGTERM)  # a command may start the server as its child
        for process in processes:
            process.wait(HANG)
