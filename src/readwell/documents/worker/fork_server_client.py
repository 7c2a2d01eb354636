"""The fork server seen from its caller: starting it, sending it jobs, stopping it."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress

from ...import_guard import ImportPath
from ..converters import ConverterSpec

PACKAGE = __name__.partition(".")[0]
PROGRAM = f"""
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
sys.path[:] = sys.argv[3:]
spec = PathFinder.find_spec({PACKAGE!r}, [sys.argv[2]])
sys.modules[{PACKAGE!r}] = module_from_spec(spec)
spec.loader.exec_module(sys.modules[{PACKAGE!r}])
from {__name__.removesuffix("fork_server_client")}fork_server import main
main()
"""
"""Imports this package from its own path and nothing else from the folder around it, which may be inside a root."""
ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
"""The whole environment of the fork server: nothing of the caller's leaks to a parser."""
STOP_TIMEOUT_S = 2.0
"""Seconds that a fork server may take to stop before it is killed."""


class ForkServerGone(Exception):
    """The fork server has died, or did not start."""


class ForkServerClient:
    """A running fork server; `import_path` become its `sys.path`."""

    def __init__(self, import_path: ImportPath) -> None:
        self._control, theirs = socket.socketpair()
        try:
            self._process = _spawn(theirs.fileno(), import_path)
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()
        self._control.settimeout(STOP_TIMEOUT_S)

    def submit(self, format_name: str, spec: ConverterSpec, seconds: float, descriptors: tuple[int, int, int]) -> None:
        """Sends a job; `descriptors` are the document, the child's end of the answer, the server's end of the leash."""
        message = json.dumps([format_name, spec.module, spec.name, spec.needs, seconds]).encode()
        try:
            socket.send_fds(self._control, [message], descriptors)
        except (BrokenPipeError, ConnectionError, TimeoutError) as error:
            raise ForkServerGone from error
        except OSError as error:
            if self._control.fileno() < 0:  # another thread has ended it meanwhile
                raise ForkServerGone from error
            raise

    def stop(self) -> None:
        """Asks the server to stop, which kills its children, and waits; kills it where it does not."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        expires = time.monotonic() + STOP_TIMEOUT_S
        while not self._has_exited():
            time.sleep(0.001)
            if time.monotonic() > expires:
                return self.kill()
        return None

    def kill(self) -> None:
        """Kills the server; its children die with it."""
        self._control.close()
        if not self._has_exited():
            os.kill(self._process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self._process, 0)

    def detach_after_fork(self) -> None:
        """Closes the inherited connection in a forked process; the server belongs to the original one and goes on."""
        self._control.close()

    def _has_exited(self) -> bool:
        """Says whether the process has ended."""
        try:
            return os.waitpid(self._process, os.WNOHANG)[0] != 0
        except ChildProcessError:  # it was reaped elsewhere
            return True


def _spawn(control: int, import_path: ImportPath) -> int:
    """Starts a Python process that shares only a socket and the import paths with this one; returns its process id."""
    if not sys.executable:
        raise ForkServerGone
    own = __file__
    for _ in __name__.split("."):
        own = os.path.dirname(own)
    command = [sys.executable, "-I", "-P", "-c", PROGRAM, str(os.getpid()), own, *import_path]
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (1, 2)]
    try:
        return os.posix_spawn(
            sys.executable,
            command,
            ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_DUP2, control, 0), *null],
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP, signal.SIGALRM],
        )
    except (OSError, ValueError) as error:
        raise ForkServerGone from error
