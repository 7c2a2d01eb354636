"""The fork server of one caller, started on first use, and its fixed number of slots for children."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

from ...deadline import Deadline
from ...import_guard import ImportPath
from ...source import as_unreadable
from ..converters import ConverterSpec
from .fork_server_client import ForkServerClient, ForkServerGone
from .job_channel import JobChannel

SLOT_WAIT_S = 0.05


class WorkerPool:
    """A fork server that is replaced when it dies, and `slots` for children at once. Thread-safe.

    `submitted_count` counts the jobs that were sent to a fork server.
    """

    def __init__(self, slots: int, import_path: ImportPath) -> None:
        self._import_path = import_path
        # Reentrant, since the garbage collector may close a conversion at any moment, also while a lock is held.
        self._lock = threading.RLock()
        self._all_slots, self._slots = slots, SimpleQueue[None]()
        self.submitted_count = 0
        for _ in range(slots):
            self._slots.put(None)
        self._server: ForkServerClient | None = None
        self._closed = False

    def acquire_slot(self, deadline: Deadline) -> None:
        """Waits until another child may run."""
        while True:
            deadline.check()
            try:
                return self._slots.get(timeout=SLOT_WAIT_S)
            except Empty:
                continue

    def running_count(self) -> int:
        """Returns how many children run now."""
        return self._all_slots - self._slots.qsize()

    def release_slot(self) -> None:
        """Gives a slot back."""
        self._slots.put(None)

    def submit(
        self, format_name: str, spec: ConverterSpec, seconds: float, document: int
    ) -> tuple[ForkServerClient, JobChannel]:
        """Sends a job to the fork server and returns the server and the channel to the job; raises ForkServerGone."""
        with self._lock:
            if self._closed:
                raise ValueError("the worker is closed")
            try:
                server = self._server = self._server or ForkServerClient(self._import_path)
                return server, self._submit_to(server, format_name, spec, seconds, document)
            except OSError as error:
                raise as_unreadable(error) from error

    def _submit_to(
        self, server: ForkServerClient, format_name: str, spec: ConverterSpec, seconds: float, document: int
    ) -> JobChannel:
        """Sends a job to a fork server; replaces the server if it has gone."""
        channel = JobChannel()
        try:
            server.submit(
                format_name, spec, seconds, (document, channel.remote_answer.fileno(), channel.remote_leash.fileno())
            )
        except BaseException as error:
            channel.close()
            if isinstance(error, ForkServerGone):
                self.discard_server(server)
            raise
        channel.close_remote_ends()
        self.submitted_count += 1
        return channel

    def discard_server(self, server: ForkServerClient) -> None:
        """Kills a fork server that has died or does not answer; the next job starts another."""
        with self._lock:
            if self._server is server:
                self._server = None
                server.kill()

    def close(self) -> None:
        """Stops the fork server and its children; no job is accepted afterwards."""
        with self._lock:
            self._closed = True
            server, self._server = self._server, None
            if server is not None:
                server.stop()

    def detach_after_fork(self) -> None:
        """Closes the inherited connection in a forked process; the server belongs to the original one and goes on."""
        if self._server is not None:
            self._server.detach_after_fork()
