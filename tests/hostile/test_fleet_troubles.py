"""What years bring to a server: a cache disk that fills up, is read-only or gone; crowds, slow readers, other versions."""

import asyncio
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "doors"))
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from fleet_client import Client
from mcp_serving import HANG, TOKEN, http_server

from readwell.disk_store import Store
from readwell.documents.unit_cache import UNKNOWN, UnitCache, UnitTable

CROWD = 10_000


def notebook(number):
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [f"# {number} of {line}\n" * 40]} for line in range(20)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    for number in range(24):
        (folder / f"{number}.ipynb").write_text(notebook(number))
    (folder / "long.txt").write_text("".join(f"{line} {'x' * 60}\n" for line in range(20_000)))
    return folder


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 100 kB: the entries of some documents fit."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("NOT TESTED: only a superuser may mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def port_of(url):
    return int(url.removesuffix("/mcp").rpartition(":")[2])


async def texts_of(port, names):
    """Reads the files over four connections at once."""
    answers = {}

    async def some(part):
        client = Client("127.0.0.1", port, TOKEN)
        for name in part:
            answers[name] = await client.call("read", path=name)
        client.close()

    await asyncio.gather(*(some(names[number::4]) for number in range(4)))
    assert not [name for name, answer in answers.items() if answer.is_error]
    return {name: answer.text for name, answer in answers.items()}


@pytest.mark.slow
def test_a_cache_disk_that_fills_up_turns_read_only_and_vanishes_fails_no_call(root, small_disk):
    names = [f"{number}.ipynb" for number in range(24)]
    cache = small_disk / "cache"
    with http_server("--root", root, "--cache-dir", cache) as (_, url):
        full = asyncio.run(texts_of(port_of(url), names[:8]))
        assert os.statvfs(small_disk).f_bavail < 8  # blocks
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        full |= asyncio.run(texts_of(port_of(url), names[6:16]))
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        shutil.rmtree(cache)
        full |= asyncio.run(texts_of(port_of(url), names[14:]))
    with http_server("--root", root, "--cache-dir", "") as (_, url):
        assert full == asyncio.run(texts_of(port_of(url), names))


@pytest.mark.slow
def test_clients_that_never_read_their_answers_keep_nobody_else_waiting(root):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read", "arguments": {}}}
    body["params"]["arguments"] = {"path": "long.txt", "limit": 20_000, "max_tokens": 400_000, "max_bytes": 2_000_000}
    sent = json.dumps(body)
    head = f"POST /mcp HTTP/1.1\r\nHost: {{}}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    head += f"Accept: application/json, text/event-stream\r\nContent-Length: {len(sent)}\r\n\r\n"
    slow = []
    limits = ["--limit", "20000", "--max-tokens", "500000", "--max-bytes", "2000000"]
    with http_server("--root", root, *limits) as (_, url):
        port = port_of(url)
        for _ in range(40):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall((head.format(f"127.0.0.1:{port}") + sent).encode())
            slow.append(client)
        texts = asyncio.run(texts_of(port, [f"{number}.ipynb" for number in range(8)]))
        assert len(texts) == 8
        for client in slow:
            client.close()
        assert len(asyncio.run(texts_of(port, ["0.ipynb"]))) == 1


@pytest.mark.slow
def test_ten_thousand_connections_leave_the_server_answering(root):
    """Bounded: all of them from this process, on 127.0.0.1; the server closes the oldest beyond 512."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < CROWD + 500:
        pytest.skip("NOT TESTED: too few file descriptors for 10,000 connections")
    crowd = []
    with http_server("--root", root) as (server, url):
        port = port_of(url)
        try:
            for number in range(CROWD):
                client = socket.socket()
                client.settimeout(HANG)
                client.connect(("127.0.0.1", port))
                client.sendall(b"POST /mcp HTTP/1.1\r\n" if number % 2 else b"")
                crowd.append(client)
                if number % 2500 == 2499:
                    assert len(asyncio.run(texts_of(port, ["0.ipynb"]))) == 1
            assert len(os.listdir(f"/proc/{server.pid}/fd")) < 700
        finally:
            for client in crowd:
                client.close()
        assert len(asyncio.run(texts_of(port, ["1.ipynb"]))) == 1


def test_two_versions_on_one_cache_do_not_read_each_others_entries(tmp_path):
    old, new = (UnitCache(Store(str(tmp_path), version, 1 << 20)) for version in (b"1", b"2"))
    old.keep_units(b"key", 0, ["of the old version"])
    new_first = new.units(b"key", 0)
    new.keep_units(b"key", 0, ["of the new version"])
    again = UnitCache(Store(str(tmp_path), b"1", 1 << 20))
    assert (new_first, again.units(b"key", 0), new.units(b"key", 0)) == (None, None, ["of the new version"])
    assert old.units(b"key", 0) == ["of the old version"]  # in its memory


def test_the_lines_of_pages_that_two_processes_counted_are_known_to_a_third(tmp_path):
    def table(*lines):
        return UnitTable("page", len(lines), array("i", lines))

    first, second, third = (UnitCache(Store(str(tmp_path), b"1", 1 << 20)) for _ in range(3))
    first.save_table(b"key", table(5, UNKNOWN, UNKNOWN))
    second.save_table(b"key", table(UNKNOWN, 7, UNKNOWN))
    assert third.table(b"key") == table(5, 7, UNKNOWN)
    assert third.table(b"another") is None


def test_a_clock_that_jumps_ends_no_call_and_leaves_the_record_readable(root, tmp_path):
    code = (
        "import sys, time, itertools\n"
        "true, jumps = time.time, itertools.cycle([0, 3e8, -3e8])\n"
        "time.time = lambda: true() + next(jumps)\n"
        "from readwell import Reader\n"
        "from readwell.audit import AuditFile\n"
        "with Reader([sys.argv[1]], audit=AuditFile(sys.argv[2]), cache_dir=None) as reader:\n"
        "    for _ in range(40): assert reader.tool.reply({'path': 'long.txt', 'limit': 3}).error is None\n"
    )
    file = tmp_path / "record.jsonl"
    subprocess.run([sys.executable, "-c", code, str(root), str(file)], check=True, timeout=HANG)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 40 and {line["verdict"] for line in lines} == {"read"}
    assert min(line["time"] for line in lines) < "2020" and max(line["time"] for line in lines) > "2030"
    assert all(0 <= line["ms"] < 60_000 for line in lines)
