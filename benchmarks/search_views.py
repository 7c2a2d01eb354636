"""What a search keeps in memory, and what an outline of a long source file takes: used by searching.py."""

import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import readwell

LINES = 5000
OUTLINES = 15
PEAK = """
import re, readwell, sys
folder, pattern = sys.argv[1:]
def peak():  # getrusage would give that of the process that started this one, where it is larger
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
with readwell.Reader(folder, cache_dir=None, deadline_s=300) as reader:
    reader.search("warm", "small.txt")
    before = peak()
    reader.search(pattern)
    print(peak() - before)
"""


def search_memory_peaks(log: Path, megabytes: int) -> dict[str, float]:
    """Returns by how many megabytes a search of a log, and one of a single line as long, raises a process's peak."""
    line = log.with_name("line")
    line.mkdir()
    for folder in (log, line):
        (folder / "small.txt").write_text("nothing\n")
    with (line / "line.txt").open("wb") as file:
        for _ in range(megabytes):
            file.write(b"abcdefgh" * (1 << 17))
    return {folder.name: _peak(folder) for folder in (log, line)}


def _peak(folder: Path) -> float:
    command = [sys.executable, "-c", PEAK, str(folder), "absentNeedle[0-9]"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return round(int(done.stdout) / 1024, 1)


def outline_times(folder: Path) -> dict[str, float]:
    """Returns the median wall milliseconds of an outline: of a content nobody asked for yet, and once it is kept.

    `first` is the first outline of a reader, which starts the process in which parsers run.
    """
    folder.mkdir()
    source = Path(sysconfig.get_paths()["stdlib"], "_pydecimal.py").read_text().split("\n")[:LINES]
    for number in range(OUTLINES):
        (folder / f"part{number}.py").write_text("\n".join([f"# copy {number}", *source[1:]]))
    times: dict[str, list[float]] = {"first": [], "cold": [], "warm": []}
    with readwell.Reader(folder, cache_dir=None) as reader:
        for number in range(OUTLINES):
            for kind in ("cold" if number else "first", "warm"):
                began = time.perf_counter()
                reader.reply({"path": f"part{number}.py", "view": "outline"})
                times[kind].append(1000 * (time.perf_counter() - began))
    return {kind: round(sorted(each)[len(each) // 2], 1) for kind, each in times.items()}
