"""How much one greedy client slows the others: `python benchmarks/fairness.py`; prints a table.

A polite client reads a file and pauses, again and again; a greedy one does so on 64 connections without a pause. Rounds
with and without the greedy one take turns.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fleet_client import Client

ROUND_S, ROUNDS, GREEDY, PAUSE_S = 3.0, 4, 64, 0.02
TOKENS = {"greedy": "greedy-token-0123456789", "polite": "polite-token-0123456789"}


@contextmanager
def server(folder: Path, *options: str) -> Iterator[int]:
    """Yields the port of a server with two tokens."""
    tokens = folder.parent / "tokens.toml"
    tokens.write_text("".join(f'[{name}]\ntoken = "{token}"\n' for name, token in TOKENS.items()))
    command = [sys.executable, "-m", "readwell", "mcp", "--root", folder, "--http", "127.0.0.1:0"]
    command += ["--tokens-file", tokens, *options, "--cache-dir", folder.parent / "cache"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("READWELL_")}
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr
        yield int(process.stderr.readline().split()[-1].removesuffix("/mcp").rpartition(":")[2])
    finally:
        process.terminate()
        process.wait(60)


async def polite(port: int, seconds: float) -> list[float]:
    """Returns the durations of calls, one after the other."""
    client, times, until = Client("127.0.0.1", port, TOKENS["polite"]), [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.perf_counter()
        assert not (await client.call("read", path="app.py")).is_error
        times.append(time.perf_counter() - began)
        await asyncio.sleep(PAUSE_S)
    client.close()
    return times


async def greedy(port: int, seconds: float) -> int:
    """Calls on many connections without a pause; returns how many calls were answered."""
    until, calls = time.monotonic() + seconds, []

    async def one() -> None:
        client = Client("127.0.0.1", port, TOKENS["greedy"])
        while time.monotonic() < until:
            calls.append((await client.call("read", path="app.py")).is_error)
        client.close()

    await asyncio.gather(*(one() for _ in range(GREEDY)))
    return len(calls)


def measure(*options: str, rounds: int = ROUNDS, seconds: float = ROUND_S) -> dict[str, float]:
    """Returns medians and 95th percentiles alone and beside the greedy client, in milliseconds."""
    alone: list[float] = []
    beside: list[float] = []
    calls = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "root")
        folder.mkdir()
        (folder / "app.py").write_text("".join(f"line {number} of a file of usual size\n" for number in range(400)))
        with server(folder, *options) as port:
            asyncio.run(polite(port, 1))
            for _ in range(rounds):
                alone += asyncio.run(polite(port, seconds))
                other = subprocess.Popen(
                    [sys.executable, __file__, "greedy", str(port), str(seconds + 1)], stdout=subprocess.PIPE, text=True
                )
                time.sleep(0.5)
                beside += asyncio.run(polite(port, seconds))
                calls += int(other.communicate()[0])
    return {
        "alone_ms": 1e3 * statistics.median(alone),
        "beside_ms": 1e3 * statistics.median(beside),
        "alone_p95_ms": 1e3 * statistics.quantiles(alone, n=20)[-1],
        "beside_p95_ms": 1e3 * statistics.quantiles(beside, n=20)[-1],
        "median_ratio": statistics.median(beside) / statistics.median(alone),
        "greedy_calls_a_second": calls / rounds / (seconds + 1),
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["greedy"]:
        print(asyncio.run(greedy(int(sys.argv[2]), float(sys.argv[3]))))
    else:
        for name, value in measure(*sys.argv[1:]).items():
            print(f"{name:>24} {value:8.2f}")
