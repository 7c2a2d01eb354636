"""The calls of the package that the benchmarks measure, and the same work in minimal Python as a floor."""

import os
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from readwell import Reader
from readwell.deadline import Deadline
from readwell.source import DiskOpener
from readwell.text import line_index as indexing
from readwell.text.decode import Encoding

TIMEOUT_S = 600.0
BLOCK = indexing.BLOCK


def fresh_reader(folder: str | Path) -> Reader:
    """Returns a reader that knows no file yet and keeps nothing on disk."""
    return Reader(folder, deadline_s=TIMEOUT_S, cache_dir=None)


def checked_reply(reader: Reader, **params: object) -> str:
    reply = reader.reply(params)
    if reply.is_error:
        raise RuntimeError(reply.text)
    return reply.text


def scan(path: Path, validate_utf8: bool = False) -> indexing.LineIndex:
    """Counts and indexes the lines of a whole file, with as many threads as the package chooses."""
    opener = DiskOpener(())
    deadline = Deadline(time.monotonic, time.monotonic() + TIMEOUT_S, TIMEOUT_S)
    with opener.open(opener.locate(str(path)), deadline) as source:
        block = indexing.block_size(source.size)
        lines = indexing.LineIndex(source.size, Encoding("utf-8"), block, validate_utf8=validate_utf8)
        lines.scan(source, deadline, None)
    return lines


def with_threads(threads: int, work: Callable[[], object]) -> None:
    """Works with one thread or with two, whatever the size of the file."""
    shipped = indexing.WORTH_A_THREAD
    indexing.WORTH_A_THREAD = 0 if threads > 1 else 1 << 62
    try:
        work()
    finally:
        indexing.WORTH_A_THREAD = shipped


def floor_window(path: Path, offset: int, length: int, first: int) -> str:
    """Numbers the lines of a window whose bytes are known: no search, no limit, no check."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fstat(descriptor)
        raw = os.pread(descriptor, length, offset)
    finally:
        os.close(descriptor)
    return numbered(raw.decode().split("\n")[:-1], first)


def floor_window_in_block(path: Path, offset: int, length: int, first: int) -> str:
    """Does the same with an index of blocks: reads from the start of the block in which the window begins."""
    begin = offset // BLOCK * BLOCK
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fstat(descriptor)
        raw = os.pread(descriptor, BLOCK + length, begin)
    finally:
        os.close(descriptor)
    return numbered(raw[offset - begin : offset - begin + length].decode().split("\n")[:-1], first)


def floor_file(path: Path, limit: int) -> str:
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()[:limit]
    return "".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))


def numbered(lines: list[str], first: int) -> str:
    return "\n".join([f"{number}\t{line}" for number, line in enumerate(lines, first)])


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed, run from source"
