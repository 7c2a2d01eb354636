"""The fork server: keeps the parsers loaded, forks a child for each job, and lets none outlive its caller.

A job arrives as a small message with three descriptors: the document, the child's answer, and the leash. When the
caller closes the leash, the child and all it started are killed; when the child has ended, its wait status is written
to the leash.
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

from ...cage import resource_limits
from ...cage.system_calls import adopt_orphans
from ...errors import ReadError
from ...named_tuple import NamedTuple
from ..contract import Converter, Unpacker
from ..converters import ConverterSpec, load
from .child import close_all_but, run_child
from .preload import preload_modules
from .sleeping_children import SleepingChildren
from .wire_frames import OVERSLEPT, STATUS

MAX_MESSAGE = 64 << 10
CALLER_CHECK_S = 1.0
"""Seconds between checks whether the caller is still alive."""
GRACE_S = 1.0
"""Seconds past the deadline of a job after which its child is killed."""
MAX_OPEN_FILES = 1024


class ForkedChild(NamedTuple):
    """A running child by its process id, when it is killed at the latest, and its leash."""

    pid: int
    expires: float
    leash: socket.socket


def main() -> None:
    """Runs the fork server; the first argument is the process id of its caller, standard input the socket to it."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(1, 0)
    close_all_but(control.fileno())
    resource_limits.limit_open_files(MAX_OPEN_FILES)
    os.setsid()
    os.chdir("/")
    with suppress(OSError):
        adopt_orphans()
    ForkServer(control, int(sys.argv[1])).serve()


class ForkServer:
    """The event loop of the fork server and its running jobs."""

    def __init__(self, control: socket.socket, caller: int) -> None:
        self._control, self._caller = control, caller
        self._jobs: dict[int, ForkedChild] = {}
        self._sleeping = SleepingChildren()
        self._converters: dict[str, Converter | Unpacker] = {}
        self._events = selectors.DefaultSelector()
        self._events.register(control, selectors.EVENT_READ)
        self._child_ended = _wake_when_children_end()
        self._events.register(self._child_ended, selectors.EVENT_READ)

    def serve(self) -> None:
        """Serves until the caller has closed its socket or died, then kills all children."""
        while os.getppid() == self._caller:
            for key, _ in self._events.select(self._poll_timeout()):
                if key.fileobj is self._control:
                    if not self._start_job():
                        return self._shut_down()
                elif key.fileobj is self._child_ended:
                    self._child_ended.recv(4096)
                elif key.data in self._jobs:
                    self._events.unregister(key.fileobj)
                    _kill(key.data)
            self._reap_children()
            self._kill_overdue_and_overslept()
        return self._shut_down()

    def _poll_timeout(self) -> float:
        """Returns how long to wait: until the next job is overdue, or the caller is checked."""
        now = time.monotonic()
        return max(0.0, min([CALLER_CHECK_S, *(job.expires - now for job in self._jobs.values())]))

    def _start_job(self) -> bool:
        """Forks a child for the next job; False where the caller has closed its socket."""
        message, descriptors, _, _ = socket.recv_fds(self._control, MAX_MESSAGE, 3)
        if not message:
            return False
        format_name, module, name, needs, seconds = json.loads(message)
        document, answer, leash = descriptors
        converter = self._converter(format_name, ConverterSpec(module, name, tuple(needs)))
        server = os.getpid()
        child = os.fork()
        if not child:
            run_child(converter, document, answer, seconds, server)
        os.close(document)
        os.close(answer)
        job = ForkedChild(child, time.monotonic() + seconds + GRACE_S, socket.socket(fileno=leash))
        self._jobs[child] = job
        self._events.register(job.leash, selectors.EVENT_READ, child)
        return True

    def _converter(self, format_name: str, spec: ConverterSpec) -> Converter | Unpacker | ReadError:
        """Returns a converter, loaded on first use, or the error that loading raised."""
        key = f"{spec.module}:{spec.name}"
        if key not in self._converters:
            try:
                self._converters[key] = load(format_name, spec)
            except ReadError as error:
                return error
            preload_modules(spec.module)
            _convert_sample(self._converters[key])
            gc.collect()
            gc.freeze()
        return self._converters[key]

    def _reap_children(self) -> None:
        """Reaps dead children, kills the processes they left behind, and reports to the callers.

        An orphan may become our child only when another one dies, so orphans are looked for after every death.
        """
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                child, status = ended
                if child in self._jobs:
                    self._report_status(self._jobs.pop(child), status)
                else:
                    self._kill_orphans()

    def _report_status(self, job: ForkedChild, status: int) -> None:
        """Sends the status of a dead child to its caller, once all that it started is killed."""
        _kill(job.pid)
        self._kill_orphans()
        with suppress(KeyError):  # the caller has closed the leash
            self._events.unregister(job.leash)
        with suppress(OSError):
            job.leash.send(STATUS.pack(status), socket.MSG_DONTWAIT)
        job.leash.close()

    def _kill_orphans(self) -> None:
        """Kills processes that left the group of their child and that we adopted when their parent died."""
        for child in _children():
            if child not in self._jobs:
                _kill(child)

    def _kill_overdue_and_overslept(self) -> None:
        """Kills the children that have exceeded their time, or sleep where they should work."""
        now = time.monotonic()
        for job in self._jobs.values():
            if job.expires <= now:
                _kill(job.pid)
        for child in self._sleeping.find_overslept(self._jobs, now):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, OVERSLEPT)

    def _shut_down(self) -> None:
        """Kills all children and waits until they are gone."""
        for child in self._jobs:
            _kill(child)
        with suppress(ChildProcessError):
            while self._jobs:
                self._jobs.pop(os.waitpid(-1, 0)[0], None)
        self._kill_orphans()


def _wake_when_children_end() -> socket.socket:
    """Returns a socket that becomes readable whenever a child has ended."""
    readable, waker = socket.socketpair()
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(waker.detach(), warn_on_full_buffer=False)
    return readable


def _children() -> list[int]:
    """Returns the children of this process, including orphans that it adopted."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _kill(child: int) -> None:
    """Kills a child and all that it started: it leads its own process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(child, signal.SIGKILL)


def _convert_sample(converter: Converter | Unpacker) -> None:
    """Converts a converter's sample, so that all it loads lazily is in memory before a child enters the cage."""
    with suppress(Exception):
        if isinstance(converter, Unpacker):
            converter.prepare()
            return
        document = converter.open(converter.sample(), None, b"")
        for number in range(document.count):
            document.markdown(number + 1)
