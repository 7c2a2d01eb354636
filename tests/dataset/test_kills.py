"""Runs that are killed at any moment, and workers that die: no row is lost, none is doubled, nothing is done twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from small_corpus import SOURCES, fill, shards

from effort import EFFORT
from readwell.corpus import convert_many, find_sources
from readwell.dataset.shard_formats import FORMATS

KILLS, A_KILL = (4, 12) if EFFORT == 1 else (30, 25)
"""How often a run is killed, and documents for each of them."""
SCRIPT = Path(__file__).parent / "slow_run.py"
LONGEST_S = 60


def start(*words):
    return subprocess.Popen(
        [sys.executable, SCRIPT, *map(str, words)], env=os.environ | {"PYTHONPATH": SOURCES}, stdout=subprocess.PIPE, text=True
    )  # fmt: skip


def converted_in(audit):
    """The sources that a run has begun to convert, from the records of its workers."""
    lines = audit.read_text().splitlines() if audit.exists() else []
    return [json.loads(line)["path"] for line in lines]


def sources_in(out, shard_format):
    """The sources of whole shards, or of whole files that the manifest tells of."""
    if not out.exists():
        return []
    if shard_format == "md":
        from readwell.dataset.manifest import parse_manifest

        manifest = out / "manifest.json"
        return list(parse_manifest(manifest.read_bytes()).entries) if manifest.exists() else []
    return [key.source for shard in shards(out) for key in FORMATS[shard_format].keys(shard.read_bytes())]


@pytest.mark.slow
@pytest.mark.parametrize("shard_format", ["jsonl", *(["parquet", "md"] if EFFORT > 1 else [])])
def test_a_run_that_is_killed_at_random_moments_loses_no_row_and_doubles_none(tmp_path, shard_format):
    docs, out = fill(tmp_path / "docs", A_KILL * KILLS), tmp_path / "out"
    drawn, begun, killed = random.Random(21), 0, 0
    for number in range(KILLS):
        done_before = sources_in(out, shard_format)
        assert len(done_before) == len(set(done_before))
        audit = tmp_path / f"audit-{number}"
        run = start(docs, out, shard_format, audit)
        left = A_KILL * KILLS - len(done_before)
        wait_for_work(audit, run, drawn.randint(1, max(1, min(A_KILL // 2, left // 3))))
        time.sleep(drawn.uniform(0, 0.02))
        killed += run.poll() is None
        run.kill()
        run.communicate()
        again = set(converted_in(audit)) & set(done_before)
        assert not again, "converted again though its row was there"
        begun += len(set(converted_in(audit)))
    audit = tmp_path / "audit-last"
    last = start(docs, out, shard_format, audit)
    told, _ = last.communicate(timeout=LONGEST_S * 2)
    assert told.split() == [str(A_KILL * KILLS), "0"]
    assert killed >= KILLS // 2, "the documents were too few to be interrupted"
    print(f"{killed} kills, {begun + len(converted_in(audit))} conversions for {A_KILL * KILLS} documents")
    alone = start(docs, tmp_path / "alone", shard_format, tmp_path / "audit-alone")
    alone.communicate(timeout=LONGEST_S * 2)
    assert content(out, shard_format) == content(tmp_path / "alone", shard_format)


def content(out, shard_format):
    """What must be equal: files by name, or the sorted rows; rows that wait for longer than a shard is open are overtaken."""
    if shard_format == "md":
        return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*.md")}
    if shard_format == "jsonl":
        return sorted(line for shard in shards(out) for line in shard.read_bytes().splitlines())
    return sorted(key for shard in shards(out) for key in FORMATS[shard_format].keys(shard.read_bytes()))


def wait_for_work(audit, run, begun):
    """Waits until a run has begun to convert so many documents; a run is killed by how far it is, not by the clock."""
    until = time.monotonic() + LONGEST_S
    while run.poll() is None and len(converted_in(audit)) < begun:
        assert time.monotonic() < until, "nothing was converted"
        time.sleep(0.005)


@pytest.mark.slow
def test_dask_workers_that_are_killed_again_and_again_cost_no_row(tmp_path):
    pytest.importorskip("distributed")
    from distributed import get_client

    from readwell.corpus.dask import engine

    sources = find_sources(str(fill(tmp_path / "docs", 40 * min(EFFORT, 9))))
    found, killed, last_kill = [], 0, time.monotonic()
    with engine(None, 2) as cluster:
        nannies = get_client().cluster.workers
        for each in convert_many(sources, executor=cluster.executor, workers=2):
            found.append(each)
            enough = len(found) % 20 == 10 if EFFORT == 1 else time.monotonic() - last_kill > 5
            victim = nannies[killed % 2].pid
            if enough and victim:
                os.kill(victim, signal.SIGKILL)
                killed, last_kill = killed + 1, time.monotonic()
    assert killed
    print(f"{killed} workers killed, {len(found)} rows")
    assert sorted(each.source for each in found) == sources
    assert {each.error for each in found} == {None}


@pytest.mark.slow
def test_dask_itself_tries_a_task_that_kills_its_worker_only_once_more(tmp_path):
    pytest.importorskip("distributed")
    from readwell.corpus.dask import engine

    def die(folder):
        with open(f"{folder}/{time.monotonic_ns()}", "w"):
            os.kill(os.getpid(), signal.SIGKILL)

    with suppress(AssertionError), engine(None, 1) as cluster:  # Dask's own, if it ends while it starts a worker
        failure = cluster.executor.submit(die, str(tmp_path)).exception(120)
    assert type(failure).__name__ == "KilledWorker"
    assert len(list(tmp_path.iterdir())) == 2
