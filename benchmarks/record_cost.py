"""What record and metrics cost beside a warm call over HTTP, in processor time: `python benchmarks/record_cost.py`.

The call is measured in a server, the record and the metrics in this process: in a server their share drowns in noise.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fleet_client import Client
from fleet_servers import HOST, Fleet, token_of

from readwell import Reader
from readwell.audit import AuditFile
from readwell.doors.mcp.metrics import Metrics
from readwell.model import Reply

ROUNDS, CALLS, REPEATS = 6, 100, 200


def processor_time(pid: int) -> float:
    """Returns the seconds of all threads of a process."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) * 1e-9


async def call(port: int) -> None:
    client = Client("127.0.0.1", port, token_of(0), HOST)
    for _ in range(CALLS):
        assert not (await client.call("read", path="app.py")).is_error
    client.close()


def call_us(root: Path, folder: Path) -> float:
    """Returns what a warm call costs a server that keeps a record."""
    fleet = Fleet(root, folder, 1)
    fleet.start(0)
    pid, times = fleet.lives[0][0].process.pid, []
    try:
        for _ in range(ROUNDS):
            before = processor_time(pid)
            asyncio.run(call(fleet.ports[0]))
            times.append((processor_time(pid) - before) / CALLS)
    finally:
        fleet.close()
    return 1e6 * min(times)


def record_us(root: Path, folder: Path) -> float:
    """Returns what the record adds to a read; readers with and without it take turns."""
    with Reader([str(root)]) as plain, Reader([str(root)], audit=AuditFile(str(folder / "own.jsonl"))) as kept:
        calls = [partial(reader.tool.reply, {"path": "app.py"}) for reader in (plain, kept)]
        pairs = [[_us(call) for call in calls] for _ in range(20)]
    return statistics.median(with_record - without for without, with_record in pairs)


def metrics_us() -> float:
    """Returns what counting one call costs."""
    metrics, reply = Metrics([], lambda: 0), Reply("line of text\n" * 300, {"tokens": 900})

    def count() -> None:
        with metrics.call_in_flight():
            pass
        metrics.count("read", "native", reply, 0.001, "client-1")

    return statistics.median(_us(count) for _ in range(20))


def _us(work: Callable[[], object]) -> float:
    began = time.process_time()
    for _ in range(REPEATS):
        work()
    return 1e6 * (time.process_time() - began) / REPEATS


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        root, folder = Path(name, "root"), Path(name, "work")
        root.mkdir()
        folder.mkdir()
        (root / "app.py").write_text("".join(f"line {number} of a file of usual size\n" for number in range(400)))
        whole, record, metrics = call_us(root, folder), record_us(root, folder), metrics_us()
    print(f"call {whole:.0f} us, of it record {record:.1f} us and metrics {metrics:.1f} us:", end=" ")
    print(f"{100 * (record + metrics) / (whole - record - metrics):.1f} % beside the rest")
