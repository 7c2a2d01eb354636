"""Measures the start-up time of the command line, as a ratio to an empty Python in the same run."""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 25
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With that variable the modules might be compiled at each start."""
PROJECT = Path(__file__).parent.parent
SAMPLE = "hello.py"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PROJECT / "examples" / SAMPLE, folder)
        times = _times(Path(folder))
    floor = statistics.median(times["python -c pass"])
    print(f"Start-up, Python {sys.version.split()[0]}, {ROUNDS} interleaved rounds, median (quartiles)")
    for name, taken in times.items():
        low, middle, high = statistics.quantiles(taken, n=4)
        print(f"  {name:<36} {middle * 1000:6.1f} ms ({low * 1000:.1f}-{high * 1000:.1f})  {middle / floor:.2f} x")


def _times(folder: Path) -> dict[str, list[float]]:
    """Returns how long each command takes, in a folder with a sample; one starts inside the checkout.

    There modules are imported ahead: the folder that is read also holds what Python imports from.
    """
    readwell = [sys.executable, "-m", "readwell"]
    commands = {
        "python -c pass": ([sys.executable, "-c", "pass"], folder),
        "python -c 'import argparse'": ([sys.executable, "-c", "import argparse"], folder),
        "readwell hello.py": ([*readwell, SAMPLE], folder),
        "readwell --root . hello.py": ([*readwell, "--root", ".", SAMPLE], folder),
        "readwell --dialect envelope hello.py": ([*readwell, "--dialect", "envelope", SAMPLE], folder),
        "the same in the checkout": ([*readwell, f"examples/{SAMPLE}"], PROJECT),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 1):  # the first round compiles what is not
        for name in random.sample(list(commands), len(commands)):
            command, place = commands[name]
            began = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT, cwd=place)
            if number:
                times[name].append(time.perf_counter() - began)
    return times


if __name__ == "__main__":
    main()
