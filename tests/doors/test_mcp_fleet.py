"""What those who run servers rely on: probes, metrics, and an end in which nothing is cut."""

import asyncio
import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, http_server
from prometheus_client.parser import text_string_to_metric_families
from test_mcp_long import PDF, slow

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


def wait_until_converting(folder):
    """Waits until the slow server says that a conversion runs: it leaves a byte then."""
    started = folder.parent / "ticks"
    while not started.exists() or not started.stat().st_size:
        time.sleep(0.05)


def wait_until_refused(url):
    """Waits until the server accepts no more connections."""
    port = int(url.rpartition(":")[2].removesuffix("/mcp"))
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=HANG).close()
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
        found = [await readiness.problem(), await readiness.problem()]
        readiness.is_draining = True
        return [*found, await readiness.problem()]

    first, second, last = asyncio.run(problems())
    assert first == second and first.startswith("documents cannot be converted") and last == "draining"
    assert len(tries) == 1


def test_a_call_in_flight_ends_before_the_server_does_and_nobody_new_is_served(folder):
    with http_server(command=slow("http", folder, conversion_s=3, step_s=0)) as (server, url):
        calling = ThreadPoolExecutor().submit(tool_call, url, "report.pdf", "read_file")
        wait_until_converting(folder)
        server.send_signal(signal.SIGTERM)
        wait_until_refused(url)
        answer = calling.result(HANG)
        assert (answer.status_code, server.wait(HANG)) == (200, 0)
    assert "# report.pdf" in answer.text


@pytest.mark.slow
def test_a_second_signal_ends_the_server_at_once(folder):
    with http_server(command=slow("http", folder, conversion_s=2 * HANG, step_s=0)) as (server, url):
        calling = ThreadPoolExecutor().submit(tool_call, url, "report.pdf", "read_file")
        wait_until_converting(folder)
        server.send_signal(signal.SIGTERM)
        wait_until_refused(url)
        server.send_signal(signal.SIGTERM)
        assert server.wait(HANG) == 0
        with pytest.raises(httpx2.HTTPError):
            calling.result(HANG).raise_for_status()
