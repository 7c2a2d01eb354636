"""What tests of engines leave behind is collected before other tests run."""

import gc
import sys
import time
import warnings

import pytest


@pytest.fixture(autouse=True, scope="module")
def nothing_is_left_of_engines():
    """Dask drops streams and coroutines of workers that were killed: they warn where they happen to be collected."""
    yield
    if "distributed" not in sys.modules:
        return
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    with warnings.catch_warnings(action="ignore"):
        for _ in range(3):  # its event loop goes on for a moment
            gc.collect()
            time.sleep(0.2)
    sys.unraisablehook = hook
