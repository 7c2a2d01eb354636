"""Engines by name: what runs conversions, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import Literal, Protocol

from ..named_tuple import NamedTuple
from .local_pool import LocalPool

Name = Literal["local", "dask", "ray"]


class Engine(NamedTuple):
    """What runs conversions: an executor, and how many it runs at once."""

    executor: Executor
    workers: int


class EngineUnavailable(Exception):
    """An engine that is not installed or cannot be reached, with what to do."""


class EngineStarter(Protocol):
    """Starts an engine with so many workers of its own, or connects to the one at an address."""

    def __call__(self, address: str | None, jobs: int) -> AbstractContextManager[Engine]:
        """Returns the engine, which ends with the block if it was started for it."""
        ...


@contextmanager
def local_engine(address: str | None, jobs: int) -> Generator[Engine]:
    """Processes of this machine."""
    if address is not None:
        raise EngineUnavailable("the local engine has no address: add --engine dask or --engine ray")
    try:
        pool = LocalPool(jobs)
    except OSError as error:
        hint = "raise the limits of this machine (ulimit -n, /dev/shm), or choose another engine"
        raise EngineUnavailable(f"no processes can be started: {error.strerror or error}: {hint}") from error
    with pool:
        yield Engine(pool, jobs)


def dask_engine(address: str | None, jobs: int) -> AbstractContextManager[Engine]:
    """Dask: a cluster by its scheduler's address, or one of processes of this machine."""
    _require_extra("distributed", "dask")
    from .dask import running_engine

    return running_engine(address, jobs)


def ray_engine(address: str | None, jobs: int) -> AbstractContextManager[Engine]:
    """Ray: a cluster by its address, or one of this machine."""
    _require_extra("ray", "ray")
    from .ray import running_engine

    return running_engine(address, jobs)


def _require_extra(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise EngineUnavailable(f'this engine needs an extra: pip install "readwell[{extra}]"')


ENGINES: Mapping[Name, EngineStarter] = {"local": local_engine, "dask": dask_engine, "ray": ray_engine}
