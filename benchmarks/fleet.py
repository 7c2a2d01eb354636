"""A fleet under load: three replicas behind nginx, one cache, 64 clients, rolling restarts, one replica killed.

`python benchmarks/fleet.py [MINUTES]`: prints a table, writes benchmarks/fleet.json and docs/pictures/fleet.svg.
"""

import asyncio
import hashlib
import json
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from fleet_client import Answer, Client, CutBody
from fleet_plot import draw
from fleet_servers import HOST, Balancer, Fleet, token_of
from made_reports import write_reports

from readwell import Reader

HERE = Path(__file__).parent
RESULTS = HERE / "fleet.json"
PICTURE = HERE.parent / "docs" / "pictures" / "fleet.svg"
REPLICAS, CLIENTS, HOT_CLIENTS, PAUSE_S = 3, 64, 30, 0.05
TEXTS = 12
AFTER_KILL_S = 2.0
"""Until when clients have noticed that a replica was killed."""


def make_root(folder: Path) -> list[dict[str, Any]]:
    """Writes the files of the run; returns the calls that clients choose from."""
    drawn = random.Random(22)
    calls: list[dict[str, Any]] = []
    for number in range(TEXTS):
        lines = [f"{drawn.getrandbits(64):x} line {line} of text {number}\n" for line in range(400 * (number + 1))]
        (folder / f"text-{number}.txt").write_text("".join(lines))
        calls += [{"path": f"text-{number}.txt"}, {"path": f"text-{number}.txt", "offset": 200, "limit": 50}]
    for path in write_reports(folder):
        calls += [{"path": path.name}, {"path": path.name, "offset": 40, "limit": 30}]
    return [*calls, {"path": "."}, {"path": "missing.txt"}]


class Load:
    """What the clients see: every answer is compared with the first one to the same call."""

    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self._calls, self._first = calls, dict[str, str]()
        self.seen: Counter[tuple[str, str]] = Counter()
        self.times: list[tuple[float, float]] = []
        self.errors: list[tuple[float, str]] = []
        self.cut: list[tuple[float, float]] = []
        self.differing = 0
        self.began, self.disturbed = time.monotonic(), False

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    async def client(self, number: int, port: int, seconds: float) -> None:
        """Calls until the time is up and no replica is being restarted any more."""
        drawn, client = random.Random(number), Client("127.0.0.1", port, token_of(number), HOST)
        name = token_of(number).removeprefix("token-of-").removesuffix("-0123456789")
        while self.now < seconds or not self.disturbed:
            call = drawn.choice(self._calls)
            began = self.now
            try:
                answer = await client.call("read", **call)
            except CutBody:
                self.cut.append((began, self.now))
                continue
            except OSError as error:
                self.errors.append((began, repr(error)))
                continue
            self.times.append((began, self.now - began))
            if answer.status != 200 or "error" in answer.message:
                self.errors.append((began, f"{answer.status} {str(answer.message)[:200]}"))
                continue
            self.seen[name, str(call["path"])] += 1
            self._compare(json.dumps(call), answer.text)
            await asyncio.sleep(drawn.random() * 2 * PAUSE_S)
        client.close()

    def _compare(self, call: str, text: str) -> None:
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.differing += self._first.setdefault(call, digest) != digest


async def convert_hot_documents(fleet: Fleet, root: Path) -> dict[str, float]:
    """Lets 30 clients read 4 documents that nobody has read before, at all replicas at once.

    Returns how many conversions they started together, and how many a single reader needs.
    """
    names = sorted(path.name for path in root.iterdir() if path.suffix in (".pdf", ".docx", ".pptx", ".xlsx"))
    clients = [fleet.client(number % REPLICAS, number) for number in range(HOT_CLIENTS)]
    before = fleet.metrics().get("readwell_conversions_total", 0)
    answers: list[Answer] = []
    for name in names:
        answers += await asyncio.gather(*(client.call("read", path=name) for client in clients))
    failed = [answer.text or answer.message for answer in answers if answer.is_error]
    assert not failed, failed[:3]
    for client in clients:
        client.close()
    started = fleet.metrics().get("readwell_conversions_total", 0) - before
    with tempfile.TemporaryDirectory() as cache, Reader([str(root)], cache_dir=cache) as reader:
        for name in names:
            reader.read(name)
        alone = reader.tool.activity()[0]
    return {"documents": len(names), "clients": HOT_CLIENTS, "conversions": started, "conversions_of_one_reader": alone}


async def disturb(fleet: Fleet, load: Load, seconds: float) -> list[tuple[float, str]]:
    """Restarts each replica in turn in the first half of the run: two after SIGTERM, one after SIGKILL."""
    events = []
    for step, (number, how) in enumerate([(0, "SIGTERM"), (1, "SIGTERM"), (2, "SIGKILL")], 1):
        await asyncio.sleep(max(0, seconds * step / 10 - load.now))
        events.append((load.now, f"{how} replica {number + 1}"))
        status = await asyncio.to_thread(fleet.stop, number, getattr(signal, how))
        assert status == (0 if how == "SIGTERM" else -signal.SIGKILL), status
        await asyncio.to_thread(fleet.start, number)
    load.disturbed = True
    return events


async def run(fleet: Fleet, load: Load, port: int, seconds: float, clients: int) -> list[tuple[float, str]]:
    """Lets all clients call, and disturbs them."""

    async def watch() -> None:
        while load.now < seconds:
            fleet.note_memory(load.now)
            await asyncio.sleep(1)

    calling = [load.client(number, port, seconds) for number in range(clients)]
    disturbing = asyncio.ensure_future(disturb(fleet, load, seconds))
    await asyncio.gather(disturbing, watch(), *calling)
    return disturbing.result()


def cut_by_others(load: Load, events: list[tuple[float, str]]) -> list[tuple[float, float]]:
    """Returns the start and end of each body that was cut, but for those that ended when a replica was killed."""
    kills = [at for at, name in events if name.startswith("SIGKILL")]
    return [cut for cut in load.cut if not any(cut[0] <= at <= cut[1] <= at + AFTER_KILL_S for at in kills)]


def memory_growth(fleet: Fleet, seconds: float) -> list[float]:
    """Returns for each replica by how much its memory grew over the second half, when nothing is restarted."""
    grown = []
    for lives in fleet.lives:
        held = [size for at, size in lives[-1].memory if at > seconds / 2]
        if len(held) < 2:
            return []  # the run was too short: the last restart came too late
        tenth = max(1, len(held) // 10)
        grown.append(statistics.median(held[-tenth:]) / statistics.median(held[:tenth]) - 1)
    return grown


def compare_record(fleet: Fleet, load: Load, before: int) -> tuple[int, int]:
    """Returns how many answers are missing behind so many lines of the record, and how many records nobody saw."""
    kept: Counter[tuple[str, str]] = Counter()
    for line in fleet.record.read_text().splitlines()[before:]:
        each = json.loads(line)
        kept[each["caller"], each["path"]] += 1
    return sum((load.seen - kept).values()), sum((kept - load.seen).values())


def measure(seconds: float, clients: int = CLIENTS) -> tuple[dict[str, Any], Load]:
    """Runs the fleet; returns what was seen."""
    with tempfile.TemporaryDirectory() as name:
        root, folder = Path(name, "root"), Path(name, "work")
        root.mkdir()
        folder.mkdir()
        calls = make_root(root)
        fleet = Fleet(root, folder, REPLICAS)
        try:
            for number in range(REPLICAS):
                fleet.start(number)
            hot = asyncio.run(convert_hot_documents(fleet, root))
            before = len(fleet.record.read_text().splitlines())
            balancer = Balancer(fleet.ports, folder)
            load = Load(calls)
            try:
                events = asyncio.run(run(fleet, load, balancer.port, seconds, clients))
            finally:
                balancer.close()
            metrics = fleet.metrics()
        finally:
            fleet.close()
        missing, unseen = compare_record(fleet, load, before)
        others = cut_by_others(load, events)
        lost = len(load.cut) - len(others)
        return {
            "seconds": seconds,
            "replicas": REPLICAS,
            "clients": clients,
            "calls": len(load.times),
            "events": events,
            "errors": len(load.errors),
            "first_errors": load.errors[:5],
            "first_cut_bodies": others[:5],
            "cut_bodies": len(others),
            "lost_with_the_killed_replica": lost,
            "differing_answers": load.differing,
            "memory_growth": memory_growth(fleet, seconds),
            "median_ms": 1e3 * statistics.median(each for _, each in load.times),
            "p99_ms": 1e3 * statistics.quantiles((each for _, each in load.times), n=100)[98],
            "answers_missing_in_record": missing,
            "records_without_seen_answer": unseen,
            "hot_documents": hot,
            "conversions_after_restarts": metrics.get("readwell_conversions_total", 0),
        }, load


if __name__ == "__main__":
    result, seen = measure(60 * float(sys.argv[1] if sys.argv[1:] else 10))
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    draw(seen.times, result["events"], PICTURE)
    for title, value in result.items():
        print(f"{title:>28}  {value}")
