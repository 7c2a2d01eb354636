"""Processes of this machine that convert documents; they end with the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
PRELOADED = ["readwell.corpus.engine_task"]


class LocalPool(Executor):
    """A pool of processes that can be started again after one of them has died."""

    def __init__(self, workers: int, method: str | None = None) -> None:
        self._workers = workers
        self._context = multiprocessing.get_context(method or ("forkserver" if sys.platform == "linux" else "spawn"))
        if self._context.get_start_method() == "forkserver":
            self._context.set_forkserver_preload(PRELOADED)
        self._pool = self._new_pool()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Calls a function in one of the processes."""
        return self._pool.submit(fn, *args, **kwargs)

    def restart(self) -> None:
        """Replaces all processes; what they had not finished must be submitted again."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._new_pool()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _new_pool(self) -> ProcessPoolExecutor:
        surroundings = (dict(os.environ),)
        return ProcessPoolExecutor(
            self._workers, mp_context=self._context, initializer=_prepare_process, initargs=surroundings
        )


def _prepare_process(environment: dict[str, str]) -> None:
    """Makes a process ignore the interrupt of a terminal, which its parent handles, and end with its parent.

    `environment` is that of the parent now: the server that forks has the one of its own start, with older credentials.
    """
    if environment != dict(os.environ):
        os.environ.clear()
        os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with_parent, args=(parent.sentinel,), daemon=True).start()


def _end_with_parent(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
