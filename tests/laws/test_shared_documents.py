"""A document is the same for everybody: threads, processes, with a shared cache and without, killed in between."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from corpus.pdf_writer import Page, pdf
from effort import EFFORT
from readwell import DeadlineExceeded, Reader
from readwell.deadline import Deadline
from readwell.disk_store import Store
from readwell.documents.unit_cache import UnitCache
from readwell.documents.unit_source import UnitSource

READ_ON = """
import json, sys
from readwell import Reader
root, cache = sys.argv[1], sys.argv[2] or None
with Reader(root, cache_dir=cache) as reader:
    for line in sys.stdin:
        params = json.loads(line)
        reply = reader.reply(params)
        print(json.dumps([params, reply.text, reply.data]), flush=True)
"""
"""Answers calls, one a line, in a process of its own."""

COUNT = """
import sys
from readwell import Reader
converted = []
with Reader(sys.argv[1], cache_dir=sys.argv[2], on_progress=lambda done, _, what: converted.append(what)) as reader:
    reader.read("one.pdf", total="exact")
print(converted.count("convert"))
"""
"""Reads a document and prints how many of its pages this process converted."""


def random_book(chance, pages):
    """Returns a PDF whose pages have one to twelve lines each, all different."""
    made = []
    for number in range(1, pages + 1):
        page = Page()
        for line in range(chance.randint(1, 12)):
            page.text(72, 720 - 40 * line, f"Sentence {line} of page {number} says {chance.random():.12f} to you.")
        made.append(page)
    return pdf(*made)


def random_call(chance, names):
    """Returns the params of a window: from a line, from the end, by pages, by a limit."""
    name = chance.choice(names)
    place = chance.choice([{}, {"offset": chance.randint(1, 90)}, {"offset": -chance.randint(1, 90)}, {"pages": "-2"},
                           {"pages": str(chance.randint(1, 20))}])  # fmt: skip
    return {"path": name, "limit": chance.randint(1, 60), "total": chance.choice(["auto", "lazy", "exact"]), **place}


class Truth:
    """The lines of a document as one reader alone shows them, and the page of each."""

    def __init__(self, reader, name):
        self.lines, offset = [], 1
        while offset:
            result = reader.read(name, offset=offset, total="exact")
            self.lines += result.lines
            offset = result.next and result.next.line
        self.pages = []
        for line in self.lines:
            self.pages.append((self.pages[-1] if self.pages else 0) + line.startswith("<!-- page "))

    def allows(self, text, data):
        """Says whether a reply shows what stands in the document, under its true numbers."""
        total = len(self.lines)
        start, end = (number if number > 0 else total + 1 + number for number in (data["start"], data["end"]))
        shown = [line.partition("\t") for line in text.split("\n") if line[:1] != "["]
        first, last = self.pages[start - 1], self.pages[end - 1]
        return (
            [line for _, _, line in shown] == self.lines[start - 1 : end]
            and [int(number) for number, _, _ in shown] == list(range(data["start"], data["end"] + 1))
            and data["total"] in (None, total)
            and data["pages"] == {"first": first, "last": last, "total": self.pages[-1]}
        )


@pytest.fixture
def shared(tmp_path):
    """A folder of random documents and what stands in them."""
    chance = random.Random(1959)
    folder = tmp_path / "root"
    folder.mkdir()
    for name in ("one.pdf", "two.pdf"):
        (folder / name).write_bytes(random_book(chance, 22))
    with Reader(folder, cache_dir=None) as alone:
        return folder, {name: Truth(alone, name) for name in ("one.pdf", "two.pdf")}


def untrue(truths, answers):
    """Returns the answers that are errors or say what is not so."""
    return [
        (params, text[:300])
        for params, text, data in answers
        if "error" in data or not truths[params["path"]].allows(text, data)
    ]


def read_in_threads(reader, calls, threads):
    """Returns the answers to calls that so many threads make at once."""
    answers, failures = [], []
    ready = threading.Barrier(threads)

    def work(mine):
        ready.wait()
        try:
            for params in mine:
                reply = reader.reply(params)
                answers.append((params, reply.text, reply.data))
        except BaseException as error:  # a defect, to be shown by the test
            failures.append(error)

    working = [threading.Thread(target=work, args=(calls[number::threads],)) for number in range(threads)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    assert failures == []
    return answers


def check_threads(shared, cache, seed):
    folder, truths = shared
    chance = random.Random(seed)
    calls = [random_call(chance, list(truths)) for _ in range(32)]
    with Reader(folder, cache_dir=cache) as reader:
        answers = read_in_threads(reader, calls, 8)
    assert len(answers) == len(calls)
    assert untrue(truths, answers) == []


@pytest.mark.parametrize("cache", [None, "cache"])
def test_threads_that_read_a_document_at_once_see_what_one_alone_sees(shared, tmp_path, cache):
    check_threads(shared, cache and tmp_path / cache, 7)


@pytest.mark.slow
@pytest.mark.parametrize("place", [{"limit": 40}, {"offset": -60}, {"pages": "19"}])
def test_a_cold_window_that_all_ask_for_at_once_has_its_true_pages(shared, place):
    folder, truths = shared
    with Reader(folder, cache_dir=None) as reader:
        calls = [{"path": "one.pdf", "total": "lazy", **place}] * 8
        assert untrue(truths, read_in_threads(reader, calls, 8)) == []


@pytest.mark.slow
@pytest.mark.parametrize("cache", [None, "cache"])
def test_threads_that_need_a_document_at_once_convert_each_page_once(shared, tmp_path, cache):
    folder, _ = shared
    converted = []
    with Reader(
        folder, cache_dir=cache and tmp_path / cache, on_progress=lambda done, _, what: converted.append((what, done))
    ) as reader:
        read_in_threads(reader, [{"path": "one.pdf", "total": "exact"}] * 8, 8)
    assert sorted(done for what, done in converted if what == "convert") == list(range(1, 23))


def test_processes_that_share_a_cache_convert_each_page_once(shared, tmp_path):
    folder, _ = shared
    running = [
        subprocess.Popen([sys.executable, "-c", COUNT, folder, tmp_path / "cache"], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert sum(int(process.communicate()[0]) for process in running) == 22


@pytest.mark.parametrize("cache", ["", "cache"])
def test_who_waits_for_another_conversion_waits_no_longer_than_its_deadline(tmp_path, cache):
    units = UnitCache(Store(str(tmp_path / cache), b"version1", 1 << 20) if cache else None)
    assert units.locks.acquire(b"key")
    began = time.monotonic()
    deadline = Deadline(time.monotonic, began + 0.1, 0.1)

    def start(first, prepared, recognise):
        deadline.check()
        time.sleep(0.1)
        deadline.check()
        raise AssertionError("there was no time left")

    with pytest.raises(DeadlineExceeded):
        UnitSource(b"key", units, start, deadline).group(0)


def test_a_lock_ends_with_its_holder(tmp_path):
    store = Store(str(tmp_path), b"version1", 1 << 20)
    holder = os.fork()
    if not holder:
        store.lock(b"key")
        (tmp_path / "held").touch()
        signal.pause()
    while not (tmp_path / "held").exists():
        time.sleep(0.01)
    assert store.lock(b"key") is None
    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)
    lock = store.lock(b"key")
    assert lock
    lock.remove()
    assert list(tmp_path.rglob("*.lock")) == []


@pytest.mark.slow
@pytest.mark.parametrize("cache", [None, "cache"])
def test_many_random_windows_by_threads_are_those_of_one_reader_alone(shared, tmp_path, cache):
    for seed in range(10 * EFFORT):
        check_threads(shared, cache and tmp_path / f"{cache}{seed}", seed)


def check_processes(shared, cache, seed, processes):
    """Lets processes answer random calls with one cache, and kills every second one in the middle."""
    folder, truths = shared
    chance = random.Random(seed)
    running = []
    for _ in range(processes):
        calls = "".join(json.dumps(random_call(chance, list(truths))) + "\n" for _ in range(8))
        process = subprocess.Popen(
            [sys.executable, "-c", READ_ON, folder, cache], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        process.stdin.write(calls)
        process.stdin.close()
        running.append(process)
    time.sleep(chance.uniform(0.3, 0.8))
    for process in running[::2]:
        process.kill()
    answers = []
    for process in running:
        lines = process.stdout.read().split("\n")
        process.stdout.close()
        process.wait()
        answers += [json.loads(line) for line in lines[:-1]]
    assert len(answers) >= 8 * (processes // 2)
    assert untrue(truths, answers) == []
    with Reader(folder, cache_dir=cache) as heir:
        calls = [random_call(chance, list(truths)) for _ in range(8)]
        assert untrue(truths, read_in_threads(heir, calls, 1)) == []
        assert {name: Truth(heir, name).lines for name in truths} == {name: truths[name].lines for name in truths}


@pytest.mark.slow
def test_processes_that_share_a_cache_see_the_same_and_keep_nothing_wrong_when_killed(shared, tmp_path):
    check_processes(shared, tmp_path / "cache", 3, 4)


@pytest.mark.slow
def test_random_windows_by_processes_with_a_shared_cache_are_those_of_one_reader_alone(shared, tmp_path):
    for seed in range(6 * EFFORT):
        check_processes(shared, tmp_path / f"cache{seed}", seed, 5)
