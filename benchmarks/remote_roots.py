"""Measures remote roots: requests and bytes of a window, the exact total of an object, a folder of many keys.

The server runs in a process of its own. Usage: remote_roots.py [--megabytes 1024] [--keys 100000] [--rounds 5]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from console import progress

from readwell import Reader
from readwell.deadline import Deadline
from readwell.remote.credentials import AwsCredentials
from readwell.remote.s3_store import ObjectStore, UnsignedRequest, aws_signature_headers
from readwell.remote.sockets import Endpoint

HERE = Path(__file__).parent
RESULTS = HERE / "remote.json"
RANGE, UNDER_WAY = 8 << 20, 4
ROOT = "s3://bucket"
LISTING = """
import time
from pathlib import Path
from readwell import Reader
def peak():  # that of getrusage would be the parent's
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) * 1024
with Reader("s3://bucket", cache_dir=None) as reader:
    reader.read("big.log", limit=1, total="lazy")
    began, before = time.process_time(), peak()
    total = reader.read("many", limit=10).window.total
    print(total, time.process_time() - began, peak() - before)
"""


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--megabytes", type=int, default=1024)
    words.add_argument("--keys", type=int, default=100_000)
    words.add_argument("--rounds", type=int, default=5)
    options = words.parse_args()
    with store(options.megabytes, options.keys) as url, tempfile.TemporaryDirectory() as folder:
        results = {
            "megabytes": options.megabytes,
            "requests": requests(url, folder),
            "total": total(url, options.rounds),
            "listing": listing(),
        }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(RESULTS.read_text())


@contextmanager
def store(megabytes: int, keys: int) -> Generator[str]:
    """Runs a server, and sets the environment so that it is asked."""
    command = [sys.executable, str(HERE / "remote_store.py"), str(megabytes), str(keys)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin
        assert server.stdout
        url = server.stdout.readline().strip()
        who = {"AWS_ACCESS_KEY_ID": "K", "AWS_SECRET_ACCESS_KEY": "S", "AWS_REGION": "us-east-1"}
        os.environ.update({**who, "AWS_ENDPOINT_URL": url})
        try:
            yield url
        finally:
            server.stdin.close()


def requests(url: str, folder: str) -> list[dict[str, object]]:
    """Returns how many requests and bytes each way to read takes."""
    rows: list[dict[str, object]] = []

    def row(what: str, read: Callable[[], object]) -> None:
        progress(what)
        counted(url)
        read()
        count, sent = counted(url)
        rows.append({"what": what, "requests": count, "bytes": sent})

    with Reader(ROOT, cache_dir=None) as reader:
        row("first window, lazy", lambda: reader.read("big.log", total="lazy"))
    with Reader(ROOT, cache_dir=None) as reader:
        row("last window, lazy", lambda: reader.read("big.log", offset=-100, total="lazy"))
    with Reader(ROOT, cache_dir=folder) as reader:
        row("exact total", lambda: reader.read("big.log", limit=1, total="exact"))
        row("a window once counted", lambda: reader.read("big.log", offset=5_000_000))
    with Reader(ROOT, cache_dir=folder) as reader:
        row("a window once counted, in another reader", lambda: reader.read("big.log", offset=6_000_000))
        row("a folder of many keys", lambda: reader.read("many", limit=10))
    return rows


def counted(url: str) -> tuple[int, int]:
    """Returns the requests and bytes since the last time."""
    with urlopen(f"{url}/counted") as answer:
        return tuple(json.load(answer))


def total(url: str, rounds: int) -> dict[str, float]:
    """Returns what an exact total takes, against downloading the object by the same requests and counting."""
    times: dict[str, list[tuple[float, float]]] = {"total": [], "download": []}
    for number in range(rounds + 1):
        progress(f"exact total, round {number} of {rounds}")
        for name, work in (("download", lambda: downloaded(url)), ("total", counted_lines)):
            wall, processor = time.perf_counter(), time.process_time()
            work()
            if number:
                times[name].append((time.perf_counter() - wall, time.process_time() - processor))
    medians = {
        name: [statistics.median(each[part] for each in rows) for part in (0, 1)] for name, rows in times.items()
    }
    return {
        "seconds": medians["total"][0],
        "wall": medians["total"][0] / medians["download"][0],
        "processor": medians["total"][1] / medians["download"][1],
    }


def counted_lines() -> int | None:
    with Reader(ROOT, cache_dir=None, deadline_s=600) as reader:
        return reader.read("big.log", limit=1, total="exact").window.total


def downloaded(url: str) -> int:
    """Counts line ends in ranges of the same size, as many of them under way."""
    port = int(url.rpartition(":")[2])
    who = AwsCredentials("K", "S")

    def sign(asked: UnsignedRequest, _deadline: Deadline) -> dict[str, str]:
        return aws_signature_headers(asked, who, "us-east-1", time.time())

    deadline = Deadline(clock=time.monotonic, expires=time.monotonic() + 600, seconds=600)
    bucket = ObjectStore(Endpoint(False, "127.0.0.1", port), "/bucket/", sign, {})
    size = bucket.version_of("big.log", deadline).size
    with ThreadPoolExecutor(UNDER_WAY) as threads:
        pieces = threads.map(
            lambda start: bucket.fetch("big.log", start, RANGE, None, deadline).content.count(b"\n"),
            range(0, size, RANGE),
        )
        lines = sum(pieces)
    bucket.close()
    return lines


def listing() -> dict[str, float]:
    """Returns the processor time and memory of listing many keys, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    keys, seconds, memory = done.stdout.split()
    return {"keys": int(keys), "processor_s": float(seconds), "bytes": int(memory)}


if __name__ == "__main__":
    main()
