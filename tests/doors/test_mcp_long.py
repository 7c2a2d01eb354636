"""Long calls: they tell how far they are, stop when nobody waits for them, and keep nobody else waiting."""

import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp_serving import ERAS, HANG, TOKEN, http_server, on_stdio, over_http

pytestmark = pytest.mark.slow

SLOW = Path(__file__).with_name("slow_server.py")
STEP_S, LONG_STEP_S = 0.02, 0.1
EVERY_WAY = [
    ("stdio", ERAS[0]),
    pytest.param("stdio", ERAS[1], marks=pytest.mark.slow),
    ("http", ERAS[1]),
    pytest.param("http", ERAS[0], marks=pytest.mark.slow),
]
PDF = b"%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("alpha\n")
    (root / "large.log").write_bytes(b"a line of a log, of no interest to anybody\n" * 1_000_000)
    return root


def slow_server_command(transport, folder, conversion_s=0.0, step_s=STEP_S):
    words = [sys.executable, SLOW, transport, folder, conversion_s, step_s, folder.parent / "ticks"]
    return list(map(str, words))


@asynccontextmanager
async def served(transport, folder, era, **more):
    if transport == "stdio":
        async with on_stdio(era=era, command=slow_server_command("stdio", folder, **more)) as client:
            yield client
    else:
        with http_server(command=slow_server_command("http", folder, **more)) as (_, url):
            async with over_http(url, era) as client:
                yield client


@pytest.mark.parametrize("transport, era", EVERY_WAY)
def test_a_long_scan_tells_how_far_it_is(folder, transport, era):
    told = []

    async def note(progress, total, message):
        told.append((progress, total, message))

    async def talk():
        async with served(transport, folder, era) as client:
            return await client.call_tool("read_file", {"path": "large.log"}, progress_callback=note)

    assert not anyio.run(talk).is_error
    size = (folder / "large.log").stat().st_size
    assert len(told) >= 2
    assert [each[0] for each in told] == sorted({each[0] for each in told})
    assert {each[1:] for each in told} == {(size, "scan")}


@pytest.mark.parametrize("transport, era", EVERY_WAY[:3])
def test_a_cancelled_call_stops_working(folder, transport, era):
    async def talk():
        async with served(transport, folder, era, step_s=LONG_STEP_S) as client:
            await client.call_tool("read_file", {"path": "a.txt"})
            with anyio.move_on_after(0.3):
                await client.call_tool("read_file", {"path": "large.log"})
            await stopped_early(folder)
            return await client.call_tool("read_file", {"path": "a.txt"})

    assert not anyio.run(talk).is_error


@pytest.mark.parametrize(
    "params, total", [({"path": "large.log"}, 43_000_000), ({"path": "many"}, None)], ids=["a file", "a tree"]
)
def test_a_long_search_tells_how_far_it_is_where_a_token_is_given(folder, params, total):
    (folder / "many").mkdir()
    for number in range(15):
        (folder / "many" / f"{number}.log").write_bytes(b"a line of a log, of no interest to anybody\n" * 80_000)
    told = []

    async def note(progress, whole, message):
        told.append((progress, whole, message))

    async def talk():
        async with served("stdio", folder, ERAS[0]) as client:
            return await client.call_tool("search", {"pattern": "absent", **params}, progress_callback=note)

    assert not anyio.run(talk).is_error
    assert len(told) >= 2
    assert [each[0] for each in told] == sorted({each[0] for each in told})
    assert {each[1:] for each in told} == {(total, "search")}


def test_a_cancelled_search_ends_and_the_server_answers_on(folder):
    async def talk():
        async with served("stdio", folder, ERAS[0], step_s=LONG_STEP_S) as client:
            with anyio.move_on_after(1):
                await client.call_tool("search", {"pattern": "absent", "path": "large.log"})
            await stopped_early(folder)
            return await client.call_tool("search", {"pattern": "alpha", "path": "a.txt"})

    assert "1\talpha" in anyio.run(talk).content[0].text


@pytest.mark.slow
def test_a_call_of_the_old_era_stops_working_when_its_client_hangs_up(folder):
    """Without sessions a word of cancellation cannot be told from another client's; the connection can."""
    call = {"name": "read_file", "arguments": {"path": "large.log"}}
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}

    async def talk(url):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        async with httpx2.AsyncClient(headers=headers) as http:
            with anyio.move_on_after(0.4):
                await http.post(url, json=message, timeout=HANG)
        await stopped_early(folder)

    with http_server(command=slow_server_command("http", folder, step_s=LONG_STEP_S)) as (_, url):
        anyio.run(talk, url)


async def stopped_early(folder):
    """Waits until the server works on nothing, and checks that it had not come to the end."""
    ticks, seen = folder.parent / "ticks", -1
    while seen != (seen := ticks.stat().st_size):
        await anyio.sleep(0.5)
    assert 0 < seen < (folder / "large.log").stat().st_size >> 20
