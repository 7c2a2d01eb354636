"""The same bytes on every engine, the cage shut in its workers, and the recipes of the guide.

Ray and datatrove are too heavy for continuous integration: what needs them is skipped where they are not installed, and
`make corpus` says so.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cage_probe import cage_of_child
from small_corpus import SOURCES, fill, manifest, run_program, shards

from command_line import called
from effort import EFFORT
from readwell.corpus import convert, find_sources
from readwell.corpus.engines import ENGINES, EngineUnavailable

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "corpus"
TESTS = str(Path(__file__).parent.parent)


def needs(module):
    """Skips loudly what needs a package that is not installed."""
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"NOT TESTED: {module} is not installed")


ENGINE_NAMES = [pytest.param("dask", marks=needs("distributed")), pytest.param("ray", marks=needs("ray"))]
COUNT = 12 if EFFORT == 1 else 24
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    home = tmp_path_factory.mktemp("engines")
    fill(home / "docs", COUNT)
    (home / "docs" / "damaged.pdf").write_bytes(b"%PDF-1.7 damaged")
    return home


@pytest.fixture(scope="module")
def alone(docs):
    """The shards of one process of this machine."""
    out = {}
    for shard_format in ("jsonl", "parquet"):
        done = run_program(
            docs, "convert", "docs", "-o", f"one-{shard_format}", "--format", shard_format, "--jobs", "1"
        )
        assert done.returncode == 1, done.stderr
        out[shard_format] = docs / f"one-{shard_format}"
    return out


@pytest.fixture(scope="module")
def dask_address():
    """The address of a Dask cluster that tests share."""
    pytest.importorskip("distributed")
    from distributed import get_client

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([SOURCES, TESTS, str(Path(__file__).parent)]))
        with ENGINES["dask"](None, 2):
            yield get_client().scheduler.address


@pytest.mark.parametrize("shard_format", ["jsonl", "parquet"])
@pytest.mark.parametrize("engine", ["local", *ENGINE_NAMES])
def test_every_engine_writes_the_same_bytes(docs, alone, tmp_path, engine, shard_format, request):
    words = ("convert", "docs", "-o", tmp_path / "out", "--format", shard_format, "--engine", engine, "--jobs", "2")
    if (engine, shard_format) == ("dask", "parquet"):
        words += ("--address", request.getfixturevalue("dask_address"))
    done = run_program(docs, *words)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith(f"{COUNT} converted, 1 failed (")
    assert [path.name for path in shards(tmp_path / "out")] == [f"part-00000.{shard_format}"]
    assert [path.read_bytes() for path in shards(tmp_path / "out")] == [
        path.read_bytes() for path in shards(alone[shard_format])
    ]
    assert manifest(tmp_path / "out") == manifest(alone[shard_format])
    assert run_program(docs, *words).stderr.startswith("nothing to do")


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_cage_is_shut_in_the_workers_of_an_engine(engine, monkeypatch, request):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCES, *filter(None, sys.path)]))
    address = request.getfixturevalue("dask_address") if engine == "dask" else None
    with ENGINES[engine](address, 1) as started:
        caged = started.executor.submit(cage_of_child).result(120)
    assert caged
    assert {status["NoNewPrivs"] for status in caged} == {"1"}


@pytest.mark.parametrize(
    ("engine", "address", "hint"),
    [
        pytest.param("dask", "tcp://127.0.0.1:9", "dask scheduler", marks=needs("distributed")),
        pytest.param("dask", "nonsense://x", "dask scheduler", marks=needs("distributed")),
        pytest.param("ray", "127.0.0.1:9", "ray start --head", marks=needs("ray")),
    ],
)
def test_an_engine_that_is_not_reachable_says_how_to_start_one(docs, tmp_path, monkeypatch, engine, address, hint):
    monkeypatch.setattr(f"readwell.corpus.{engine}.PATIENCE_S", 1)
    words = ("convert", "docs", "-o", tmp_path / "out", "--format", "jsonl", "--engine", engine, "--address", address)
    done = called(docs, *words, env=os.environ)
    assert (done.returncode, hint in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr
    assert done.stderr.count("readwell convert:") == 1


def test_an_engine_that_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.setattr("readwell.corpus.engines.find_spec", lambda _: None)
    for engine in ("dask", "ray"):
        with pytest.raises(EngineUnavailable, match=rf'pip install "readwell\[{engine}\]"'):
            ENGINES[engine](None, 1)


def run_example(name, *words):
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, words)],
        env=os.environ | {"PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines() if line.startswith("/"))


def expected(folder):
    found = [convert(source) for source in find_sources(str(folder))]
    return {each.source: each.error.code if each.error else str(len(each.text)) for each in found}


@needs("distributed")
def test_the_recipes_of_dask_run(docs, dask_address):
    assert run_example("with_dask_bag.py", docs / "docs") == expected(docs / "docs")
    assert run_example("with_dask_futures.py", docs / "docs", dask_address) == expected(docs / "docs")


@needs("ray")
def test_the_recipe_of_ray_data_runs(docs):
    assert run_example("with_ray_data.py", docs / "docs") == expected(docs / "docs")


@needs("datatrove")
def test_the_recipe_of_datatrove_runs(docs, tmp_path):
    run_example("with_datatrove.py", docs / "docs", tmp_path)
    written = [json.loads(line) for path in tmp_path.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert {row["metadata"]["source"]: str(len(row["text"])) for row in written} == {
        source: told for source, told in expected(docs / "docs").items() if told.isdecimal()
    }


@needs("datatrove")
def test_datatrove_reads_shards_as_they_are(docs, alone):
    from datatrove.pipeline.readers import JsonlReader  # pyright: ignore

    read = list(JsonlReader(str(alone["jsonl"]), glob_pattern="part-*.jsonl").run())
    texts = {document.id: document.text for document in read}
    assert {len(text) for text in texts.values()} == {
        int(told) for told in expected(docs / "docs").values() if told.isdecimal()
    }
    assert {document.metadata["format"] for document in read} >= {"pdf", "docx", "html", "text"}


@needs("pyarrow")
def test_parquet_is_read_by_arrow(alone):
    from pyarrow.parquet import read_table  # pyright: ignore

    rows = read_table(shards(alone["parquet"])[0]).to_pylist()
    assert rows == [json.loads(line) for line in shards(alone["jsonl"])[0].read_bytes().splitlines()]
