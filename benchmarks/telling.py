"""What is said while a benchmark runs: progress on a terminal only, loud remarks always."""

import sys

CLEAR = "\r\033[K"
WIDTH = 100


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(CLEAR + text[:WIDTH])
        sys.stderr.flush()


def loud(text: str) -> None:
    progress("")
    print(f"!! {text}", flush=True)
