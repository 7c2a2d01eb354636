"""Many calls and many clients: nothing blocks, nothing fails, nothing grows."""

import json
import os
import statistics
import subprocess
import time
from pathlib import Path

import anyio
import pytest
from mcp_serving import ERAS, HANG, environment, http_server, over_http
from test_mcp_long import PDF, slow_server_command

from effort import EFFORT

CALLS = min(2000 * EFFORT, 100_000)
CLIENTS = 64
SECONDS = min(25 * EFFORT, 600)
WARM_UP_S = 10


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("alpha\nbeta\n")
    (root / "app.py").write_text("".join(f"line {number} of a file of usual size\n" for number in range(400)))
    (root / "report.pdf").write_bytes(PDF)
    (root / "misnamed.txt").write_bytes(PDF)
    return root


def request(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}}


def exchanged(command, calls):
    """Sends each call after the answer to the last, to a server whose stderr nobody reads; returns the answers."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment(), **pipes) as server:
        answers = []
        for number, call in enumerate([request(0, "initialize", **HELLO), *calls]):
            server.stdin.write(call)
            server.stdin.flush()
            answers.append(json.loads(server.stdout.readline()))
            assert answers[-1]["id"] == number
        server.stdin.close()
        assert server.wait(HANG) == 0
    return answers[1:]


@pytest.mark.slow
def test_thousands_of_calls_on_stdio_with_stderr_unread(folder):
    """Every conversion says some kilobytes on stdout and stderr; the pipe holds 64 of them."""
    paths = ["report.pdf" if number % 4 == 0 else "a.txt" for number in range(CALLS)]
    calls = [
        request(number, "tools/call", name="read_file", arguments={"path": path})
        for number, path in enumerate(paths, 1)
    ]
    answers = exchanged(slow_server_command("stdio", folder, step_s=0.0), calls)
    assert len(answers) == CALLS
    assert {answer["result"]["isError"] for answer in answers} == {False}


def resident(process):
    """Kilobytes that a process holds in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="NOT TESTED: memory is read from /proc")
def test_many_clients_at_once_see_no_error_and_memory_stays_flat(folder):
    warming_up, held, counts = [], [], []

    async def client_of(url, number):
        async with over_http(url, ERAS[number % 2]) as client:
            while time.monotonic() < until:
                result = await client.call_tool("read", {"path": "app.py", "offset": 1 + number})
                assert not result.is_error
                counts.append(1)

    async def watch(server):
        while time.monotonic() < until:
            await anyio.sleep(1)
            (warming_up if time.monotonic() < began + WARM_UP_S else held).append(resident(server))

    async def crowd(server, url):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch, server)
            for number in range(CLIENTS):
                tasks.start_soon(client_of, url, number)

    with http_server("--root", folder) as (server, url):
        began = time.monotonic()
        until = began + SECONDS
        anyio.run(crowd, server, url)
    settled = held[0]
    print(f"{len(counts)} calls, {settled} kB after {WARM_UP_S} s, at most {max(held)} kB")
    assert len(counts) > CLIENTS
    assert max(held) <= settled * 1.1


CONVERSION_S = 10.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.pdf", "misnamed.txt"])
def test_a_text_read_does_not_wait_behind_a_hundred_conversions(folder, name):
    """Half of the documents are named like text: what counts is what they are."""

    async def timed(client, count):
        times = []
        for _ in range(count):
            began = time.perf_counter()
            assert not (await client.call_tool("read_file", {"path": "a.txt"})).is_error
            times.append(time.perf_counter() - began)
        return times

    async def talk(url):
        async with over_http(url, ERAS[1]) as client, over_http(url, ERAS[1]) as busy:
            unloaded = await timed(client, 50)
            async with anyio.create_task_group() as tasks:
                for _ in range(100):
                    tasks.start_soon(busy.call_tool, "read_file", {"path": name})
                await anyio.sleep(1)
                loaded = await timed(client, 100)
                tasks.cancel_scope.cancel()
            return unloaded, loaded

    with http_server(command=slow_server_command("http", folder, conversion_s=CONVERSION_S, step_s=0.0)) as (_, url):
        unloaded, loaded = anyio.run(talk, url)
    alone, beside = statistics.median(unloaded), statistics.median(loaded)
    print(f"median {alone * 1e3:.1f} ms alone, {beside * 1e3:.1f} ms beside 100 conversions")
    assert max(loaded) < CONVERSION_S
