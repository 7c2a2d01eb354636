"""`Worker`, called in the caller's process: takes a slot, has the fork server start a child, returns a `Conversion`."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from functools import partial
from typing import Generic, NamedTuple, Self, TypeVar

from ...cage import Cage
from ...deadline import Deadline
from ...errors import ConversionFailed, Unreadable
from ...import_guard import ImportPath
from ..converters import ConverterSpec, default_import_path, find_converter
from .fork_server_client import ForkServerClient, ForkServerGone
from .running_conversion import Conversion, Unpacking
from .wire_frames import PAST_ALL_UNITS, JobRequest
from .worker_pool import WorkerPool

LONGEST_JOB_S = 3600.0
LONGEST_UNPACKED_S = 120.0
TRIES = 2
EVERYTHING = range(1, PAST_ALL_UNITS)


T = TypeVar("T", bound=Conversion)


class Job(NamedTuple, Generic[T]):
    """What a child is started with."""

    conversion_type: type[T]
    descriptor: int
    spec: ConverterSpec
    request: JobRequest
    argument: bytes
    seconds: float


class Worker:
    """Converts documents in processes of their own, several at once; may be used from any thread.

    `converters` maps formats to an application's own converters, as `module:object`; they and what they need are
    imported from `import_path`. `at_once` limits how many documents are converted in parallel. Processes are started on
    first use, again after a fork, and stop with `close`, with the worker, or with the process that uses it.
    """

    def __init__(
        self,
        converters: Mapping[str, str] | None = None,
        cage: Cage | None = None,
        at_once: int = 0,
        import_path: ImportPath | None = None,
    ) -> None:
        self._import_path = import_path or default_import_path()
        self._converters, self._cage = dict(converters or {}), cage or Cage()
        self._at_once = at_once or 2 * (os.cpu_count() or 1)
        self._pools_by_pid: dict[int, WorkerPool] = {}
        weakref.finalize(self, _close_pool_of_this_process, self._pools_by_pid)

    def convert(
        self,
        descriptor: int,
        format_name: str,
        deadline: Deadline,
        wanted: range = EVERYTHING,
        size: int | None = None,
        digest: str | None = None,
        password: str | None = None,
        argument: bytes = b"",
    ) -> Conversion:
        """Opens a document of a format and returns it as soon as its head is known; raises a ReadError.

        `wanted` are the units to convert, one after the other; those that do not exist are left out. `size` and
        `digest` (SHA-256, hexadecimal) identify the content: ChangedWhileReading is raised where the descriptor has
        another. `argument`: what an earlier opening prepared, or a question. The descriptor may be closed afterwards.
        """
        if wanted.step != 1:
            raise ValueError("units are converted one after the other")
        spec = find_converter(format_name, self._converters, self._import_path)
        request = JobRequest(
            format=format_name,
            first=max(1, wanted.start),
            end=wanted.stop,
            size=size,
            digest=digest,
            password=password,
            **self._cage._asdict(),
        )
        seconds = max(0.0, min(deadline.expires - deadline.clock(), LONGEST_JOB_S))
        job = Job(Conversion, descriptor, spec=spec, request=request, argument=argument, seconds=seconds)
        return self._start_with_retries(job, deadline)

    def unpack(self, descriptor: int, packing: str, size: int, question: bytes, deadline: Deadline) -> Unpacking:
        """Begins to unpack a file; what goes on longer than a call ends by itself after `LONGEST_UNPACKED_S`."""
        spec = find_converter(packing, self._converters, self._import_path)
        request = JobRequest(
            format=packing,
            first=1,
            end=1,
            size=size,
            digest=None,
            password=None,
            **self._cage._asdict(),
        )
        job = Job(Unpacking, descriptor, spec=spec, request=request, argument=question, seconds=LONGEST_UNPACKED_S)
        return self._start_with_retries(job, deadline)

    def _start_with_retries(self, job: Job[T], deadline: Deadline) -> T:
        """Starts a job, again where the fork server has gone."""
        for _ in range(TRIES):
            try:
                return self._start(job, deadline)
            except ForkServerGone:
                continue
            except OSError as error:  # no more descriptors or processes
                raise Unreadable(error.errno or 0, error.strerror or "") from error
        raise ConversionFailed.by_machine(
            job.request.format, "the process that runs the parsers does not start or ends at once"
        )

    def _start(self, job: Job[T], deadline: Deadline) -> T:
        """Acquires a slot, submits the job, and returns its conversion."""
        pool, request = self._pool(), job.request
        pool.acquire_slot(deadline)
        try:
            server, channel = pool.submit(request.format, job.spec, job.seconds, job.descriptor)
        except BaseException:
            pool.release_slot()
            raise
        conversion = job.conversion_type(channel, request, deadline, partial(self._release_slot, pool, server))
        try:
            conversion.start(job.argument)
        except ForkServerGone:
            pool.discard_server(server)
            raise
        return conversion

    def _release_slot(self, pool: WorkerPool, server: ForkServerClient, is_server_alive: bool) -> None:
        """Releases the slot of a child; replaces a fork server that did not confirm the end of the child."""
        if not is_server_alive:
            pool.discard_server(server)
        pool.release_slot()

    def job_counts(self) -> tuple[int, int]:
        """Returns how many conversions this process has started, and how many of them run now."""
        pool = self._pool()
        return pool.submitted_count, pool.running_count()

    def close(self) -> None:
        """Stops all processes for good; conversions that still run fail."""
        self._pool().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pool(self) -> WorkerPool:
        """Returns the pool of this process; a pool inherited through a fork is left to the original process."""
        mine = os.getpid()
        for process in [process for process in self._pools_by_pid if process != mine]:
            inherited = self._pools_by_pid.pop(process, None)
            if inherited is not None:
                inherited.detach_after_fork()
        return self._pools_by_pid.setdefault(mine, WorkerPool(self._at_once, self._import_path))


def _close_pool_of_this_process(pools_by_pid: dict[int, WorkerPool]) -> None:
    """Closes the pool of this process; a forked one leaves its parent's alone."""
    ours = pools_by_pid.get(os.getpid())
    if ours is not None:
        ours.close()
