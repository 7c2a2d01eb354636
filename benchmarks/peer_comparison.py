"""Rows 6 and 7: the memory needed for windows, and the same windows read by alternatives (peers)."""

import random
import statistics
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from console import progress, warn
from data import WINDOW, Data, Log, log_line
from figures import PEER_ROW, Participant, Peak, Point, Row, Times, time_row
from peers import OURS, Peer, Skipped, Worker, start
from scan_and_window import size_name
from timing import Job, JobDropped, extra_peak, interleaved

MIN_REPEATS, MAX_REPEATS, REPEATING_S = 3, 15, 0.2
RANDOM_WINDOWS = 20
COLD, WARM, _LAZY = (peer.name for peer in OURS)


class Contender(NamedTuple):
    """A running peer, and whether its replies contain all lines of the requested windows."""

    peer: Peer
    worker: Worker
    complete: bool


class Comparison(NamedTuple):
    """The results of the comparison."""

    rows: list[Row]
    points: list[Point]
    participants: list[Participant]
    skipped: dict[str, str]


def memory_peaks(data: Data) -> list[Peak]:
    """Row 6: windows of the largest file, and of one enormous line."""
    log, long_line = data.largest, data.long_line
    drawn = random.Random(6)
    starts = [1, log.lines // 2, log.lines - WINDOW + 1]
    starts += [drawn.randint(1, log.lines - WINDOW) for _ in range(RANDOM_WINDOWS)]
    windows = [_request(log.path, at) for at in starts]
    size = long_line.stat().st_size
    columns = [{"path": str(long_line), "column": column} for column in (1, size // 2, size - 100)]
    progress("measuring memory")
    name = size_name(data.largest)
    return [
        Peak(6, f"windows of a log of {name}", log.size, extra_peak(lambda: start(OURS[1], data.folder), windows)),
        Peak(6, "windows of one enormous line", size, extra_peak(lambda: start(OURS[1], data.folder), columns)),
    ]


def compare_peers(data: Data, peers: tuple[Peer, ...], rounds: int) -> Comparison:
    """Row 7: first, middle and last window of the numbered log; and the last window of files of all sizes."""
    skipped: dict[str, str] = {}
    points: list[Point] = []
    contenders: list[Contender] = []
    with ExitStack() as stack:
        for peer in (*OURS, *peers):
            try:
                contender, curve = _entered(peer, data, stack)
            except (Skipped, JobDropped) as why:
                warn(f"SKIPPED {peer.name}: {why}")
                # The text after the colon comes from other programs and may name this machine.
                skipped[peer.name] = str(why).partition(":")[0]
            else:
                contenders.append(contender)
                points += curve
        times = interleaved(_jobs(contenders, data.numbered), rounds)
    stopped = {each.peer.name for each in contenders if not any(of.startswith(f"{each.peer.name},") for of in times)}
    skipped |= dict.fromkeys(sorted(stopped), "it stopped while it was measured")
    return Comparison(_peer_rows(contenders, times), points, [_participant(each) for each in contenders], skipped)


def _entered(peer: Peer, data: Data, stack: ExitStack) -> tuple[Contender, list[Point]]:
    """Starts a peer; its memory is measured before it returns anything large."""
    worker = stack.enter_context(start(peer, data.folder))
    curve = _curve(peer, worker, data)
    return Contender(peer, worker, _shows_all(peer, worker, data.numbered)), curve


def _request(path: Path, at: int, count: int = WINDOW, last: bool = False) -> dict[str, object]:
    return {"path": str(path), "start": at, "count": count, "last": last}


def _window_at(position: str, log: Log) -> dict[str, object]:
    count = min(WINDOW, log.lines)
    at = {"first": 1, "middle": log.lines // 2, "last": log.lines - count + 1}[position]
    return _request(log.path, at, count, position == "last")


def _curve(peer: Peer, worker: Worker, data: Data) -> list[Point]:
    """Measures from small to large files, so that the peak so far is that of the current file."""
    logs = [*data.steps, data.numbered]
    if peer.is_ours:
        logs += [data.ascii, *((data.large,) if data.large else ())]
    return [_point(peer, worker, log) for log in sorted(logs, key=lambda log: log.size)]


def _point(peer: Peer, worker: Worker, log: Log) -> Point:
    progress(f"{peer.name}: the last window of {size_name(log)}")
    asked = _window_at("last", log)
    worker.ask(**asked)
    taken: list[float] = []
    while len(taken) < MIN_REPEATS or (len(taken) < MAX_REPEATS and sum(taken) < REPEATING_S):
        taken.append(worker.ask(**asked)["seconds"])
    return Point(peer.name, log.size, statistics.median(taken) * 1000, worker.peak - worker.peak_at_start)


def _shows_all(peer: Peer, worker: Worker, log: Log) -> bool:
    """Checks that a peer reads the requested window; false where its own limit cuts it."""
    complete = True
    for position in peer.positions:
        asked = _window_at(position, log)
        text = worker.ask(**asked, show=True)["text"]
        first = int(str(asked["start"]))
        if log_line(first) not in text:
            raise JobDropped(f"it does not show the {position} window")
        complete = complete and log_line(first + WINDOW - 1) in text
    return complete


def _jobs(contenders: list[Contender], log: Log) -> dict[str, Job]:
    jobs: dict[str, Job] = {}
    for peer, worker, _ in contenders:
        for position in peer.positions:
            asked = _window_at(position, log)
            jobs[f"{peer.name}, {position}"] = lambda worker=worker, asked=asked: worker.ask(**asked)["seconds"]
    return jobs


def _peer_rows(contenders: list[Contender], times: Times) -> list[Row]:
    rows: list[Row] = []
    for peer, _, _ in contenders:
        for position in peer.positions:
            of = f"{peer.name}, {position}"
            if of not in times or peer.name == COLD:
                continue
            ours = {name: f"{name}, {position}" for name in (COLD, WARM) if name != peer.name}
            rows += [time_row(PEER_ROW, of, times, of, to, name) for name, to in ours.items() if to in times]
    return rows


def _participant(contender: Contender) -> Participant:
    hello = contender.worker.hello
    return Participant(contender.peer.name, hello["version"], hello["settings"], hello["python"], contender.complete)
