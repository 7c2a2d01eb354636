"""The warm parent as its caller holds it: starting it, giving it jobs, ending it."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress

from ...installed import Places
from ..converters import Place

HOUSE = __name__.partition(".")[0]
PROGRAM = f"""
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
sys.path[:] = sys.argv[3:]
spec = PathFinder.find_spec({HOUSE!r}, [sys.argv[2]])
sys.modules[{HOUSE!r}] = module_from_spec(spec)
spec.loader.exec_module(sys.modules[{HOUSE!r}])
from {__name__.removesuffix("parent")}nursery import main
main()
"""
"""Imports this very package, wherever it lies, and nothing else from there: that may be a folder inside a root."""
ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
"""All that a parser can learn of the caller's environment."""
PATIENCE_S = 2.0
"""How long a parent may take for its own end, in seconds."""


class ParentGone(Exception):
    """The warm parent has died, or did not start."""


class Parent:
    """A running warm parent."""

    def __init__(self, modules: Places) -> None:
        self._control, theirs = socket.socketpair()
        try:
            self._process = _spawn(theirs.fileno(), modules)
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()
        self._control.settimeout(PATIENCE_S)

    def give(self, form: str, place: Place, seconds: float, descriptors: tuple[int, int, int]) -> None:
        """Gives a job: the document, the child's end of the answer, the parent's end of the leash."""
        message = json.dumps([form, place.module, place.name, place.needs, seconds]).encode()
        try:
            socket.send_fds(self._control, [message], descriptors)
        except (BrokenPipeError, ConnectionError, TimeoutError) as error:
            raise ParentGone from error

    def end(self) -> None:
        """Ends the parent and everything below it."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        expires = time.monotonic() + PATIENCE_S
        while not self._has_ended():
            time.sleep(0.001)
            if time.monotonic() > expires:
                return self.kill()
        return None

    def kill(self) -> None:
        """Kills the parent, which takes its children with it."""
        self._control.close()
        if not self._has_ended():
            os.kill(self._process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self._process, 0)

    def forget(self) -> None:
        """Lets go of a parent that belongs to another process: the one this process was forked from."""
        self._control.close()

    def _has_ended(self) -> bool:
        try:
            return os.waitpid(self._process, os.WNOHANG)[0] != 0
        except ChildProcessError:  # somebody else has reaped it
            return True


def _spawn(control: int, modules: Places) -> int:
    """Starts a Python that shares nothing with this one but a socket and the places of its modules."""
    if not sys.executable:
        raise ParentGone
    own = __file__
    for _ in __name__.split("."):
        own = os.path.dirname(own)
    command = [sys.executable, "-I", "-P", "-c", PROGRAM, str(os.getpid()), own, *modules]
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
        raise ParentGone from error
