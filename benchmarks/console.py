"""Messages of a running benchmark: progress on terminals only, warnings always."""

import sys

CLEAR = "\r\033[K"
WIDTH = 100


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(CLEAR + text[:WIDTH])
        sys.stderr.flush()


def warn(text: str) -> None:
    progress("")
    print(f"!! {text}", flush=True)
