"""Measures the start-up time of the command line, as a ratio to an empty Python in the same run."""

import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 25
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With that variable the modules might be compiled at each start."""
PROJECT = Path(__file__).parent.parent


def main() -> None:
    sample = str(PROJECT / "examples" / "hello.py")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import argparse'": [sys.executable, "-c", "import argparse"],
        "readwell hello.py": [sys.executable, "-m", "readwell", sample],
        "readwell --root . hello.py": [sys.executable, "-m", "readwell", "--root", str(PROJECT), sample],
        "readwell --dialect envelope": [sys.executable, "-m", "readwell", "--dialect", "envelope", sample],
    }
    for command in commands.values():  # compiles what is not
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name in random.sample(list(commands), len(commands)):
            began = time.perf_counter()
            subprocess.run(commands[name], stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)
            times[name].append(time.perf_counter() - began)
    floor = statistics.median(times["python -c pass"])
    print(f"Start-up, Python {sys.version.split()[0]}, {ROUNDS} interleaved rounds, median (quartiles)")
    for name, taken in times.items():
        low, middle, high = statistics.quantiles(taken, n=4)
        print(f"  {name:<30} {middle * 1000:6.1f} ms ({low * 1000:.1f}-{high * 1000:.1f})  {middle / floor:.2f} x")


if __name__ == "__main__":
    main()
