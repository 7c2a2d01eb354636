"""Runs that are killed at any moment, and workers that die: no row is lost, none is doubled, nothing is done twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from small_corpus import SOURCES, fill, shards

from effort import EFFORT
from readwell.corpus import convert_many, find_sources
from readwell.dataset.output_folder import TEMPORARY
from readwell.dataset.shard_formats import FORMATS

KILLS, A_KILL = (4, 12) if EFFORT == 1 else (30, 40)
"""How often a run is killed, and documents for each of them."""
LATEST_S = 0.02 if EFFORT == 1 else 0.7
"""How long a run may go on before it is killed, once it has begun so many documents: shards are closed every half second."""
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
        told = list(parse_manifest(manifest.read_bytes()).entries) if manifest.exists() else []
        whole = [path for path in out.rglob("*.md") if not path.name.startswith(TEMPORARY)]
        assert len(whole) - len(told) in (0, 1), "the manifest is told of each file at once"
        return told
    return [key.source for shard in shards(out) for key in FORMATS[shard_format].row_states(shard.read_bytes())]


@pytest.mark.slow
@pytest.mark.parametrize("shard_format", ["jsonl", "md", *(["parquet"] if EFFORT > 1 else [])])
def test_a_run_that_is_killed_at_random_moments_loses_no_row_and_doubles_none(tmp_path, shard_format):
    docs, out = fill(tmp_path / "docs", A_KILL * KILLS), tmp_path / "out"
    drawn, begun, killed, kept = random.Random(21), 0, 0, []
    for number in range(KILLS):
        done_before = sources_in(out, shard_format)
        assert len(done_before) == len(set(done_before))
        kept.append(len(done_before))
        audit = tmp_path / f"audit-{number}"
        run = start(docs, out, shard_format, audit)
        left = A_KILL * KILLS - len(done_before)
        wait_for_work(audit, run, drawn.randint(1, max(1, min(A_KILL // 2, left // 3))))
        time.sleep(drawn.uniform(0, LATEST_S))
        killed += run.poll() is None
        run.kill()
        run.communicate()
        converted = converted_in(audit)
        assert not set(converted) & set(done_before), "converted again though its row was there"
        assert len(converted) == len(set(converted)), "converted twice by one run"
        begun += len(converted)
    audit, done_before = tmp_path / "audit-last", sources_in(out, shard_format)
    last = start(docs, out, shard_format, audit)
    told, _ = last.communicate(timeout=LONGEST_S * 2)
    assert told.split() == [str(A_KILL * KILLS), "0"]
    assert killed >= KILLS // 2, "the documents were too few to be interrupted"
    assert sorted([*converted_in(audit), *done_before]) == find_sources(str(docs)), "redone, or left out"
    in_flight = begun + len(converted_in(audit)) - A_KILL * KILLS
    growing = sum(later > earlier for earlier, later in pairwise([*kept, len(done_before)]))
    print(
        f"{killed} kills, {growing} of them after rows were written; {in_flight} documents were in flight and are "
        f"converted again, 0 of {A_KILL * KILLS} beyond them (0.00 %)"
    )
    alone = start(docs, tmp_path / "alone", shard_format, tmp_path / "audit-alone")
    alone.communicate(timeout=LONGEST_S * 2)
    assert content(out, shard_format) == content(tmp_path / "alone", shard_format)


def content(out, shard_format):
    """What must be equal: files by name, or the sorted rows; rows that wait for longer than a shard is open are overtaken."""
    if shard_format == "md":
        return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*.md")}
    if shard_format == "jsonl":
        return sorted(line for shard in shards(out) for line in shard.read_bytes().splitlines())
    return sorted(key for shard in shards(out) for key in FORMATS[shard_format].row_states(shard.read_bytes()))


def wait_for_work(audit, run, begun):
    """Waits until a run has begun to convert so many documents; a run is killed by how far it is, not by the clock."""
    until = time.monotonic() + LONGEST_S
    while run.poll() is None and len(converted_in(audit)) < begun:
        assert time.monotonic() < until, "nothing was converted"
        time.sleep(0.005)


@pytest.mark.slow
def test_dask_workers_that_are_killed_again_and_again_cost_no_row(tmp_path):
    """A worker is killed every 20 rows; in a longer run, every 5 seconds until six were."""
    pytest.importorskip("distributed")
    from distributed import get_client

    from readwell.corpus.dask import running_engine

    killed, last_kill, given = 0, time.monotonic(), []

    def sources():
        while len(given) < 40 or (EFFORT > 1 and killed < 6):
            given.append(f"{len(given):06d}.html")
            yield given[-1], f"<p>document {len(given)}</p>".encode()

    found = []
    with running_engine(None, 2) as cluster:
        nannies = get_client().cluster.workers
        for each in convert_many(sources(), executor=cluster.executor, workers=2):
            found.append(each)
            enough = len(found) % 20 == 10 if EFFORT == 1 else time.monotonic() - last_kill > 5
            victim = nannies[killed % 2].pid
            if enough and victim:
                os.kill(victim, signal.SIGKILL)
                killed, last_kill = killed + 1, time.monotonic()
    assert killed >= (1 if EFFORT == 1 else 6)
    print(f"{killed} workers killed, {len(found)} rows of {len(given)} documents, each once")
    assert sorted(each.source for each in found) == given
    assert {each.error for each in found} == {None}


@pytest.mark.slow
def test_dask_itself_tries_a_task_that_kills_its_worker_only_once_more(tmp_path):
    pytest.importorskip("distributed")
    from readwell.corpus.dask import running_engine

    def die(folder):
        with open(f"{folder}/{time.monotonic_ns()}", "w"):
            os.kill(os.getpid(), signal.SIGKILL)

    with running_engine(None, 1) as cluster:
        failure = cluster.executor.submit(die, str(tmp_path)).exception(120)
    assert type(failure).__name__ == "KilledWorker"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow
def test_a_dask_cluster_is_closed_also_where_a_worker_is_being_started_again():
    """Dask fails to close one at some moments of that; what is half closed would keep Python's end waiting a minute."""
    pytest.importorskip("distributed")
    from distributed import get_client

    from readwell.corpus.dask import running_engine

    async def close(*args, **kwargs):
        nanny.close = closing
        raise AssertionError("can only join a started process")

    with running_engine(None, 1):
        client = get_client()
        nanny = client.cluster.workers[0]
        closing, nanny.close = nanny.close, close
    assert (client.status, client.cluster.status.name, nanny.status.name) == ("closed", "closed", "closed")
