"""What those who run servers rely on: probes, metrics, and an end in which nothing is cut."""

import asyncio
import json
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, http_server
from prometheus_client.parser import text_string_to_metric_families
from scripted_server import serving
from test_mcp_long import PDF, slow_server_command

from readwell.doors.mcp.http_connections import GRACE_S, IDLE_TIMEOUT_S
from readwell.doors.mcp.readiness import Readiness
from readwell.errors import ConversionFailed

HEADERS = {
    "Authorization": f"Bearer {TOKEN}",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


def tool_call(url, path, tool="read"):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {"path": path}}}
    return httpx2.post(url, content=json.dumps(body), headers=HEADERS, timeout=HANG)


def page(url, name, **options):
    return httpx2.get(url.replace("/mcp", f"/{name}"), timeout=HANG, **options)


def samples(url):
    """The samples of the metrics page, as Prometheus itself parses it."""
    answer = page(url, "metrics", headers=HEADERS)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = list(text_string_to_metric_families(answer.text))
    assert all(family.name.startswith("readwell_") and family.documentation for family in families)
    return {(each.name, *sorted(each.labels.values())): each.value for family in families for each in family.samples}


def wait_until_working(folder):
    """Waits until the slow server says that a conversion or a trial of one runs: it leaves a byte then."""
    started, ends = folder.parent / "ticks", time.monotonic() + HANG
    while not started.exists() or not started.stat().st_size:
        assert time.monotonic() < ends, "nothing was converted"
        time.sleep(0.05)


def port_of(url):
    return int(url.rpartition(":")[2].removesuffix("/mcp"))


def wait_until_refused(url):
    """Waits until the server accepts no more connections."""
    ends = time.monotonic() + HANG
    while True:
        assert time.monotonic() < ends, "the server still accepts connections"
        try:
            socket.create_connection(("127.0.0.1", port_of(url)), timeout=HANG).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("alpha\n")
    (root / "report.pdf").write_bytes(PDF)
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Notes"]}]
    (root / "notes.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return root


def test_metrics_count_what_clients_saw_and_probes_need_no_token(folder):
    with http_server("--root", folder) as (_, url):
        texts = [tool_call(url, path).text for path in ("a.txt", "a.txt", "gone.txt", "notes.ipynb", "notes.ipynb")]
        counted = samples(url)
        assert page(url, "metrics").status_code == 401
        assert page(url, "health").status_code == 200
        assert (page(url, "ready").status_code, page(url, "ready").json()) == (200, {"status": "ready"})
    assert counted["readwell_calls_total", "native", "ok", "read"] == 4
    assert counted["readwell_calls_total", "NotFound", "native", "read"] == 1
    assert (
        counted["readwell_call_seconds_count", "read"] == counted["readwell_call_seconds_bucket", "+Inf", "read"] == 5
    )
    assert counted["readwell_conversions_total",] == 1 and counted["readwell_workers",] == 0
    assert counted["readwell_cache_misses_total",] == 1 and counted["readwell_cache_hits_total",] >= 1
    assert counted["readwell_calls_in_flight",] == counted["readwell_queue",] == 0
    assert 0 < counted["readwell_reply_bytes_total", "read"] < sum(map(len, texts))
    assert counted["readwell_reply_tokens_total", "read"] > 0


def test_a_server_that_cannot_convert_is_not_ready_and_neither_is_one_that_ends():
    tries = []

    def fail():
        tries.append(1)
        raise ConversionFailed("csv", "no more processes")

    async def problems():
        readiness = Readiness(fail)
        found = [await readiness.find_problem(), await readiness.find_problem()]
        readiness.is_draining = True
        return [*found, await readiness.find_problem()]

    first, second, last = asyncio.run(problems())
    assert first == second and first.startswith("documents cannot be converted") and last == "draining"
    assert len(tries) == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_stopped, told", [(False, (200, "ready")), (True, (503, "draining"))])
def test_a_probe_that_waits_for_its_answer_is_told_when_the_server_ends(folder, is_stopped, told):
    hold = folder.parent / "ticks.hold"
    hold.touch()
    with http_server(command=slow_server_command("http", folder, step_s=0)) as (server, url):
        probing = ThreadPoolExecutor().submit(page, url, "ready")
        wait_until_working(folder)
        if is_stopped:
            server.send_signal(signal.SIGTERM)
            wait_until_refused(url)
        hold.unlink()
        answer = probing.result(HANG)
        assert (answer.status_code, answer.json()["status"]) == told
        assert server.wait(HANG) == 0 if is_stopped else page(url, "ready").status_code == 200


@pytest.mark.slow
def test_a_call_in_flight_ends_before_the_server_does_and_nobody_new_is_served(folder):
    with http_server(command=slow_server_command("http", folder, conversion_s=3, step_s=0)) as (server, url):
        calling = ThreadPoolExecutor().submit(tool_call, url, "report.pdf", "read_file")
        wait_until_working(folder)
        server.send_signal(signal.SIGTERM)
        wait_until_refused(url)
        answer = calling.result(HANG)
        assert (answer.status_code, server.wait(HANG)) == (200, 0)
    assert "# report.pdf" in answer.text


@pytest.mark.slow
def test_a_second_signal_ends_the_server_at_once(folder):
    with http_server(command=slow_server_command("http", folder, conversion_s=2 * HANG, step_s=0)) as (server, url):
        calling = ThreadPoolExecutor().submit(tool_call, url, "report.pdf", "read_file")
        wait_until_working(folder)
        server.send_signal(signal.SIGTERM)
        wait_until_refused(url)
        server.send_signal(signal.SIGTERM)
        assert server.wait(HANG) == 0
        with pytest.raises(httpx2.HTTPError):
            calling.result(HANG).raise_for_status()


@pytest.mark.slow
def test_a_call_that_outlasts_the_grace_does_not_keep_the_server(tmp_path):
    answering = Event()

    def hang(_handler, _number):
        return not answering.wait(2 * HANG)

    with serving() as far:
        far.objects, far.fault = {"/far/a.txt": b"far away\n"}, hang
        words = ("--root", f"{far.url}/far/", "--grace-s", "1", "--deadline-s", str(2 * HANG))
        with http_server(*words) as (server, url):
            calling = ThreadPoolExecutor().submit(tool_call, url, f"{far.url}/far/a.txt")
            while not far.seen:
                time.sleep(0.05)
            server.send_signal(signal.SIGTERM)
            assert server.wait(HANG) == 0
            assert len(server.stderr.read().splitlines()) == 1
            with pytest.raises(httpx2.HTTPError):
                calling.result(HANG).raise_for_status()
        answering.set()


LONG_LINES = [f"{number} {'x' * 80}" for number in range(80_000)]
META = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": {}}


@pytest.mark.slow
@pytest.mark.parametrize("is_new_era", [False, True], ids=["old era", "new era"])
def test_a_large_answer_that_is_read_slowly_comes_whole_although_the_server_ends(folder, is_new_era):
    """The client takes nothing for longer than an idle connection is kept, and then a little at a time; a part fills every buffer."""
    (folder / "long.txt").write_text("".join(f"{line}\n" for line in LONG_LINES))
    words = ("--root", folder, "--max-bytes", 16 << 20, "--limit", 200_000, "--max-tokens", 16 << 20)
    with http_server(*words) as (server, url), socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(HANG)
        client.connect(("127.0.0.1", port_of(url)))
        client.sendall(request_for_all(url, "long.txt", is_new_era))
        client.recv(1, socket.MSG_PEEK)  # the answer has begun
        server.send_signal(signal.SIGTERM)
        wait_until_refused(url)
        time.sleep(IDLE_TIMEOUT_S + 2 * GRACE_S)
        answer = b""
        while piece := client.recv(65536):
            answer += piece
        assert server.wait(HANG) == 0
    message = json.loads(re.search(rb'\{"jsonrpc".*\}', answer)[0])
    text = message["result"]["content"][0]["text"]
    assert len(text) > 6_000_000
    assert text.splitlines()[1:-1] == [f"{number}\t{line}" for number, line in enumerate(LONG_LINES, 1)]


def request_for_all(url, path, is_new_era):
    """The bytes of a request for all lines of a file."""
    params = {"name": "read", "arguments": {"path": path, "limit": 200_000, "max_tokens": 16 << 20}}
    headers = {**HEADERS, "Host": f"127.0.0.1:{port_of(url)}"}
    if is_new_era:
        params["_meta"] = {f"io.modelcontextprotocol/{name}": value for name, value in META.items()}
        headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "read"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    lines = [f"{name}: {value}" for name, value in {**headers, "Content-Length": len(body)}.items()]
    return "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", body]).encode()
