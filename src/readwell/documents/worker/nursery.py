"""The warm parent: has the parsers loaded, forks a child a job, and sees to it that none outlives its caller.

A job arrives as a small message with three descriptors: the document, the child's answer, and the leash.
When the caller lets go of the leash the child and all it started are killed; when the child has ended its status is
written to the leash.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import NamedTuple

from ...cage import limits
from ...cage.kernel import adopt_orphans
from ...errors import ReadError
from ..contract import Converter
from ..converters import Place, load
from .ahead import import_ahead
from .child import close_all_but, live
from .frames import STATUS

MOST_MESSAGE = 64 << 10
PATIENCE_S = 1.0
"""How often the parent looks whether its caller is still there."""
GRACE_S = 1.0
"""How much longer than its caller the parent waits for a child."""
MOST_DESCRIPTORS = 1024


class Job(NamedTuple):
    """A child at work: until when, and on whose leash."""

    child: int
    expires: float
    leash: socket.socket


def main() -> None:
    """Runs the warm parent for the process whose number is the first argument; its socket is standard input."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(1, 0)
    close_all_but(control.fileno())
    limits.limit_open_files(MOST_DESCRIPTORS)
    os.setsid()
    os.chdir("/")
    with suppress(OSError):
        adopt_orphans()
    Nursery(control, int(sys.argv[1])).serve()


class Nursery:
    """The loop of the warm parent and the jobs it has in hand."""

    def __init__(self, control: socket.socket, caller: int) -> None:
        self._control, self._caller = control, caller
        self._jobs: dict[int, Job] = {}
        self._converters: dict[str, Converter] = {}
        self._events = selectors.DefaultSelector()
        self._events.register(control, selectors.EVENT_READ)
        self._woken = _wake_when_children_end()
        self._events.register(self._woken, selectors.EVENT_READ)

    def serve(self) -> None:
        """Serves until the caller has gone, then ends everything."""
        while os.getppid() == self._caller:
            for key, _ in self._events.select(self._patience()):
                if key.fileobj is self._control:
                    if not self._take_job():
                        return self._end()
                elif key.fileobj is self._woken:
                    self._woken.recv(4096)
                elif key.data in self._jobs:
                    self._events.unregister(key.fileobj)
                    _kill(key.data)
            self._bury()
            self._end_overdue()
        return self._end()

    def _patience(self) -> float:
        now = time.monotonic()
        return max(0.0, min([PATIENCE_S, *(job.expires - now for job in self._jobs.values())]))

    def _take_job(self) -> bool:
        """Starts a child; False where the caller has hung up."""
        message, descriptors, _, _ = socket.recv_fds(self._control, MOST_MESSAGE, 3)
        if not message:
            return False
        form, module, name, needs, seconds = json.loads(message)
        document, answer, leash = descriptors
        converter = self._converter(form, Place(module, name, tuple(needs)))
        me = os.getpid()
        child = os.fork()
        if not child:
            live(converter, document, answer, seconds, me)
        os.close(document)
        os.close(answer)
        job = Job(child, time.monotonic() + seconds + GRACE_S, socket.socket(fileno=leash))
        self._jobs[child] = job
        self._events.register(job.leash, selectors.EVENT_READ, child)
        return True

    def _converter(self, form: str, place: Place) -> Converter | ReadError:
        """Loads a converter on its first use."""
        key = f"{place.module}:{place.name}"
        if key not in self._converters:
            try:
                self._converters[key] = load(form, place)
            except ReadError as error:
                return error
            import_ahead(place.module)
            _rehearse(self._converters[key])
            gc.collect()
            gc.freeze()
        return self._converters[key]

    def _bury(self) -> None:
        """Reaps who has died, kills what they left behind, and tells the callers.

        A stray may come here only when another one dies, so whoever it was that died, strays are looked for again.
        """
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                child, status = found
                if child in self._jobs:
                    self._tell(self._jobs.pop(child), status)
                else:
                    self._kill_strays()

    def _tell(self, job: Job, status: int) -> None:
        """Tells a caller how a child ended, once nothing that it started runs any more."""
        _kill(job.child)
        self._kill_strays()
        with suppress(KeyError):  # the caller has hung up
            self._events.unregister(job.leash)
        with suppress(OSError):
            job.leash.send(STATUS.pack(status), socket.MSG_DONTWAIT)
        job.leash.close()

    def _kill_strays(self) -> None:
        """Kills what left its process group and came here when its parent died."""
        for child in _children():
            if child not in self._jobs:
                _kill(child)

    def _end_overdue(self) -> None:
        now = time.monotonic()
        for job in self._jobs.values():
            if job.expires <= now:
                _kill(job.child)

    def _end(self) -> None:
        for child in self._jobs:
            _kill(child)
        with suppress(ChildProcessError):
            while self._jobs:
                self._jobs.pop(os.waitpid(-1, 0)[0], None)
        self._kill_strays()


def _wake_when_children_end() -> socket.socket:
    """Returns a socket that can be read from whenever a child has ended."""
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(waker.detach(), warn_on_full_buffer=False)
    return woken


def _children() -> list[int]:
    """Returns the children of this process, also those it inherited when their parents died."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as told:
            return [int(child) for child in told.read().split()]
    except OSError:
        return []


def _kill(child: int) -> None:
    """Kills a child and all that it started: it leads its own process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(child, signal.SIGKILL)


def _rehearse(converter: Converter) -> None:
    """Converts a converter's sample, so that what it loads on the way is there before the cage shuts."""
    with suppress(Exception):
        document = converter.open(converter.sample(), None, b"")
        for number in range(document.count):
            document.markdown(number + 1)
