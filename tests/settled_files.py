"""Files that are old enough for their timestamps to reveal every later change."""

import os
import time
from pathlib import Path

from readwell.source.reread_check import settled_after_ns


def settle(folder):
    """Waits until later changes of files below a folder would show in their timestamps."""
    while any(time.time_ns() <= settled_after_ns(os.lstat(path)) for path in Path(folder).rglob("*")):
        time.sleep(0.005)
