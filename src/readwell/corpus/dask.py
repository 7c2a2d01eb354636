"""Dask as an engine."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any

from .engines import Engine, EngineUnavailable

PATIENCE_S = 10
"""How long a scheduler may take to answer, and a worker to be there."""
RETRIES = 1
"""How often Dask starts a task again whose worker died, for each try that readwell counts."""

OWN_CLUSTER = {
    # A worker that dies is not the fault of the document that it had: readwell counts the tries of each.
    "distributed.scheduler.allowed-failures": RETRIES,
    # Workers would look every 10 ms at what they do, for a dashboard that nobody has open.
    "distributed.worker.profile.enabled": False,
}
"""Settings of a cluster that is started for one run."""


@contextmanager
def running_engine(address: str | None, jobs: int) -> Generator[Engine]:
    """Connects to the cluster of a scheduler, or starts one with `jobs` processes for as long as the block lasts."""
    distributed: Any = import_module("distributed")
    with ExitStack() as stack:
        client = _connect_client(distributed, address, jobs)
        stack.callback(_close, client)
        workers = _wait_for_workers(client, address)
        yield Engine(client.get_executor(pure=False, retries=RETRIES), workers)


def _connect_client(distributed: Any, address: str | None, jobs: int) -> Any:
    if address is None:
        dask_config: Any = import_module("dask").config
        dask_config.set(OWN_CLUSTER)
        return distributed.Client(
            n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", memory_limit=0
        )
    try:
        return distributed.Client(address, timeout=PATIENCE_S)
    except (OSError, TimeoutError, ValueError) as error:
        hint = "start one with `dask scheduler` and `dask worker ADDRESS`, or leave out --address"
        raise EngineUnavailable(f"no Dask scheduler answers at {address!r}: {hint}") from error


def _close(client: Any) -> None:
    """Closes a client, and the cluster that was started for it."""
    try:
        client.close()
    except AssertionError:  # Dask's own, where a worker that died is being started again at this moment
        # A cluster that is half closed lets whoever closes it again wait a minute: at the latest Python, at its end.
        if client.cluster is not None:  # None: it was there before
            client.cluster.status = import_module("distributed").Status.failed
        with suppress(AssertionError):
            client.close()


def _wait_for_workers(client: Any, address: str | None) -> int:
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError as error:
        if address is None:
            reason = f"the local Dask cluster started no worker within {PATIENCE_S} s: try again, or use --engine local"
        else:
            reason = f"the Dask scheduler at {address!r} has no worker: start one with `dask worker {address}`"
        raise EngineUnavailable(reason) from error
    return sum(client.nthreads().values())
