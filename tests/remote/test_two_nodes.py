"""Two nodes of a Dask cluster that have no disk in common with each other or with the command that writes."""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from remote_roots import put_all
from small_documents import docx, paragraph, pdf

from dataset.small_corpus import SOURCES, rows, run_program
from readwell.corpus import convert, convert_many

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
DOCUMENTS = {f"{number:02d}.pdf": pdf([[f"page {page} of {number}"] for page in range(3)]) for number in range(8)}
DOCUMENTS |= {f"{number:02d}.docx": docx(paragraph(f"letter {number}")) for number in range(8, 16)}
HIDDEN = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$1" && shift && exec "$@"', "sh")
"""Starts a program that sees an empty folder in place of one."""


def started(stack, folder, *words):
    """Starts a program of Dask in a folder, and ends it with the block."""
    folder.mkdir()
    process = subprocess.Popen(
        list(map(str, words)), cwd=folder, env=os.environ | {"PYTHONPATH": SOURCES}, stderr=subprocess.DEVNULL
    )
    stack.callback(process.wait, 30)
    stack.callback(process.kill)


@pytest.fixture
def nodes(moto, aws, tmp_path):
    """The address of a scheduler with two workers, each in a folder of its own, to whom that of the test looks empty."""
    pytest.importorskip("distributed")
    aws(moto)
    here, told = tmp_path / "here", tmp_path / "scheduler.json"
    here.mkdir()
    hidden = (*HIDDEN, here)
    if subprocess.run([*hidden, "true"], check=False, capture_output=True).returncode:
        hidden = ()  # an ordinary user may not: the folders are then only different ones
    dask = (sys.executable, "-m", "dask")
    with ExitStack() as stack:
        scheduler = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", told)
        started(stack, tmp_path / "scheduler", *dask, "scheduler", *scheduler)
        for number in range(2):
            worker = ("--scheduler-file", told, "--nthreads", "1", "--no-dashboard", "--no-nanny")
            started(stack, tmp_path / f"node{number}", *hidden, *dask, "worker", *worker)
        until = time.monotonic() + 60
        while not told.exists():
            assert time.monotonic() < until, "the scheduler did not start"
            time.sleep(0.05)
        yield here, json.loads(told.read_text())["address"], bool(hidden)


def test_nodes_without_a_shared_disk_convert_objects_and_contents(moto, nodes, tmp_path):
    here, address, is_hidden = nodes
    put_all(moto, "two-nodes", {f"docs/{name}": content for name, content in DOCUMENTS.items()})
    (here / "near.txt").write_text("on the disk of the command\n")
    words = ("convert", "s3://two-nodes/docs", "near.txt", "-o", "out", "--format", "jsonl")
    done = run_program(here, *words, "--engine", "dask", "--address", address)
    found = rows(here / "out")
    assert [(row["source"], row["text"], row["error"]) for row in found[:-1]] == [
        (f"s3://two-nodes/docs/{name}", convert(content, name=name).text, None) for name, content in sorted(DOCUMENTS.items())
    ]  # fmt: skip
    assert (found[-1]["error"] or {}).get("code") == ("NOT_FOUND" if is_hidden else None)
    assert done.returncode == int(is_hidden), done.stderr
    assert [path for number in range(2) for path in (tmp_path / f"node{number}").rglob("*.jsonl")] == []
    again = run_program(here, *words, "--resume")  # what the nodes could not see is converted here
    assert (again.returncode, rows(here / "out")[-1]["text"]) == (0, "on the disk of the command\n"), again.stderr
    assert_contents_are_converted(address)


def assert_contents_are_converted(address):
    """Documents that the program holds itself, with names that are no files anywhere."""
    from distributed import Client

    with Client(address) as client:
        found = list(convert_many(DOCUMENTS.items(), executor=client.get_executor(pure=False), workers=2))
    assert {each.source: each.text for each in found} == {
        name: convert(content, name=name).text for name, content in DOCUMENTS.items()
    }
