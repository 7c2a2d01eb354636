"""The command line called in this process: for a test that is not about being a program, whose start takes longer."""

import io
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from readwell.doors.cli import main


class Called(NamedTuple):
    """What a program leaves behind, under the names that `subprocess` gives it."""

    returncode: int
    stdout: str
    stderr: str


def called(folder, *words, env):
    """Calls `readwell WORDS` in a folder with this environment alone, both outputs being pipes, and no input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="") for _ in range(2))
    with (
        chdir(folder),
        patch.dict(os.environ, env, clear=True),
        open(os.devnull) as nothing,
        patch.object(sys, "stdin", nothing),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            status = main([os.fsdecode(word) for word in words])
        except SystemExit as left:
            status = left.code
        for stream in (out, err):
            stream.flush()
    return Called(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))
