"""Ray: `Converter` for Ray Data, and Ray as an engine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from socket import create_connection
from typing import Any, TypeVar

from .conversion_options import Options
from .engine_task import Task, convert_batch
from .engines import Engine, EngineUnavailable

T = TypeVar("T")
TEXTS = ("id", "text", "source", "sha256", "format", "unit")
"""Columns that are fields of `Converted`."""
PATIENCE_S = 10
RETRIES = 1
"""How often Ray starts a task again whose worker died, for each try that readwell counts."""


class Converter:
    """Converts batches of Ray Data: `read_binary_files(…, include_paths=True).map_batches(Converter, concurrency=2)`.

    Each row with `bytes` and `path` becomes one with `id`, `text`, `source`, `sha256`, `format`, `unit`, `units`,
    `lines`, `error` (its code, or empty), `message` and `version`. A failed document is such a row, too.
    """

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[str] | list[int]]:
        """Converts the documents of a batch."""
        named = zip(batch["path"], batch["bytes"], strict=True)
        tasks = tuple(Task(number, str(path), bytes(content)) for number, (path, content) in enumerate(named))
        rows = [converted for _, converted in convert_batch(self._options, tasks)]
        return {
            **{name: [getattr(row, name) for row in rows] for name in TEXTS},
            "units": [row.unit_count for row in rows],
            "lines": [row.lines for row in rows],
            "error": [row.error.code if row.error else "" for row in rows],
            "message": [row.error.message if row.error else "" for row in rows],
            "version": [row.version for row in rows],
        }


class RayExecutor(Executor):
    """Runs functions as tasks of a Ray cluster that this process is connected to."""

    def __init__(self) -> None:
        self._ray: Any = import_module("ray")
        self._call: Any = self._ray.remote(_call).options(max_retries=RETRIES, num_cpus=1)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Calls a function in a worker of the cluster."""
        return self._call.remote(fn, args, kwargs).future()


def _call(fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return fn(*args, **kwargs)


@contextmanager
def running_engine(address: str | None, jobs: int) -> Generator[Engine]:
    """Connects to a cluster, or starts one with `jobs` processors for as long as the block lasts."""
    ray: Any = import_module("ray")
    was_connected = bool(ray.is_initialized())
    if not was_connected:
        _connect(ray, address, jobs)
    try:
        yield Engine(RayExecutor(), max(1, int(ray.cluster_resources().get("CPU", jobs))))
    finally:
        if not was_connected:
            ray.shutdown()


def _connect(ray: Any, address: str | None, jobs: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        ray.init(address="local", num_cpus=jobs, include_dashboard=False, **quiet)
        return
    try:
        _check_listening(address)
        ray.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        hint = "start one with `ray start --head`, or leave out --address"
        raise EngineUnavailable(f"no Ray cluster answers at {address!r}: {hint}") from error


def _check_listening(address: str) -> None:
    """Raises OSError where nothing listens at an address: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        create_connection((host.strip("[]"), int(port)), PATIENCE_S).close()
