"""Tokens with names: who may read what, until when, and what the record says of it. Limits and turns of clients."""

import asyncio
import hashlib
import json
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest
from mcp_serving import HANG, environment, http_server, server_command
from test_mcp_fleet import wait_until_working
from test_mcp_long import PDF

from readwell.doors.mcp.client_limits import PATIENCE_S, ClientLimits, LimitsPerClient, parse_limits_per_client
from readwell.doors.mcp.client_turns import Turns
from readwell.doors.mcp.executors import FairSlots
from readwell.doors.mcp.http_callers import Caller, Callers, digest_of
from readwell.doors.mcp.token_file import parse_callers
from readwell.errors import TooManyCalls

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from fleet_client import Client

ALICE, BOB, GUEST, SCRAPER = (f"token-of-{name}-0123456789" for name in ("alice", "bob", "guest", "scraper"))


def asked(url, token, method, **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    answer = httpx2.post(url, content=json.dumps(body), headers=headers, timeout=HANG)
    if answer.status_code != 200:
        return answer.status_code
    data = [line[6:] for line in answer.text.splitlines() if line.startswith("data: ")]
    return json.loads(data[-1])


def read(url, token, path, tool="read"):
    answer = asked(url, token, "tools/call", name=tool, arguments={"path": str(path)})
    return answer if isinstance(answer, int) else answer["result"]["content"][0]["text"]


def wait_for(condition):
    until = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def roots(tmp_path):
    for name in ("open", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(f"text of {name}\n")
    return tmp_path / "open", tmp_path / "secret"


@pytest.fixture
def tokens(tmp_path, roots):
    file = tmp_path / "tokens.toml"
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    file.write_text(
        f'[alice]\ntoken = "{ALICE}"\nexpires = {soon}\n'
        f'[bob]\nsha256 = "{hashlib.sha256(BOB.encode()).hexdigest()}"\nroots = ["{roots[0]}"]\n'
        f'[guest]\ntoken = "{GUEST}"\nexpires = 2020-01-01\n'
        f'[scraper]\ntoken = "{SCRAPER}"\nroots = []\n'
    )
    return file


def served(roots, tokens, *words):
    named = [word for root in roots for word in ("--root", root)]
    return server_command(*named, "--tokens-file", tokens, *words, "--http", "127.0.0.1:0")


def test_a_token_reads_its_roots_until_it_is_withdrawn_and_the_record_names_its_owner(roots, tokens, tmp_path):
    opened, secret = roots
    record = tmp_path / "record.jsonl"
    with http_server(command=served(roots, tokens, "--audit", record, "--ledger", tmp_path / "ledger")) as (
        server,
        url,
    ):
        assert "text of secret" in read(url, ALICE, secret / "a.txt")
        assert "text of open" in read(url, BOB, "a.txt")
        refused = read(url, BOB, secret / "a.txt")
        assert refused == read(url, BOB, secret / "missing.txt") and "ACCESS_DENIED" in refused
        assert "ACCESS_DENIED" in read(url, BOB, "../secret/a.txt")
        listed = asked(url, BOB, "resources/list")["result"]["resources"]
        assert [each["uri"] for each in listed] == [f"file://{opened}"]
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        told = {each: asked(url, each, "initialize", **hello)["result"]["instructions"] for each in (ALICE, BOB)}
        assert str(secret) in told[ALICE] and str(secret) not in told[BOB] and str(opened) in told[BOB]
        assert [read(url, each, "a.txt") for each in (GUEST, "a-wrong-token-0123456789", SCRAPER)] == [401, 401, 403]
        assert page(url, "metrics", SCRAPER).status_code == page(url, "ledger", ALICE).status_code == 200
        assert page(url, "ledger", BOB).status_code == page(url, "ledger", SCRAPER).status_code == 401
        tokens.write_text(tokens.read_text().replace("[alice]", "[carol]").replace(BOB, ALICE))
        server.send_signal(signal.SIGHUP)
        wait_for(lambda: read(url, ALICE, "a.txt") != 401)
        tokens.write_text(f'[carol]\ntoken = "{ALICE}"\n')
        server.send_signal(signal.SIGHUP)
        wait_for(lambda: read(url, BOB, "a.txt") == 401)
        tokens.write_text("[carol\n")  # not TOML: the tokens stay as they were
        server.send_signal(signal.SIGHUP)
        assert "text of open" in read(url, ALICE, opened / "a.txt")
    kept = [json.loads(line) for line in record.read_text().splitlines()]
    assert {(each["caller"], each["verdict"]) for each in kept} == {
        ("alice", "read"), ("bob", "read"), ("bob", "denied"), ("carol", "read"),
    }  # fmt: skip
    assert {each["caller"] for each in kept if each["opened"] == str(secret / "a.txt")} == {"alice"}


def page(url, name, token):
    return httpx2.get(url.replace("/mcp", f"/{name}"), headers={"Authorization": f"Bearer {token}"}, timeout=HANG)


def slow_with(tokens, folder, *words):
    script = Path(__file__).with_name("slow_server.py")
    return [sys.executable, script, "http", str(folder), "6", "0", str(folder.parent / "ticks"), str(tokens), *words]


@pytest.mark.slow
def test_a_call_whose_token_is_withdrawn_meanwhile_brings_no_content(roots, tokens):
    opened, _ = roots
    (opened / "report.pdf").write_bytes(PDF)
    with http_server(command=slow_with(tokens, opened)) as (server, url), ThreadPoolExecutor() as threads:
        calling = threads.submit(asked, url, ALICE, "tools/call", name="read_file", arguments={"path": "report.pdf"})
        wait_until_working(opened)
        tokens.write_text('[dave]\ntoken = "token-of-dave-0123456789"\n')
        server.send_signal(signal.SIGHUP)
        answer = calling.result(HANG)
    assert "withdrawn" in answer["error"]["message"] and "report.pdf" not in json.dumps(answer)


@pytest.mark.slow
def test_conversions_and_calls_over_the_limits_of_a_client_are_refused_with_the_time_to_come_back(roots, tokens):
    opened, _ = roots
    (opened / "report.pdf").write_bytes(PDF)
    (opened / "again.pdf").write_bytes(PDF + b"\n")
    limits = "calls=2,conversions=1"
    with http_server(command=slow_with(tokens, opened, limits)) as (_, url), ThreadPoolExecutor() as threads:
        first = threads.submit(read, url, ALICE, "report.pdf", "read_file")
        wait_until_working(opened)
        second = read(url, ALICE, "again.pdf", "read_file")
        assert second == "Error: Too many conversions in flight. Call again in 1 s."
        waiting = [threads.submit(read, url, BOB, "report.pdf", "read_file") for _ in range(3)]
        assert "# report.pdf" in first.result(HANG)
        texts = sorted(each.result(HANG) for each in waiting)
        assert texts[0].startswith("Error: Too many") and "# report.pdf" in texts[-1]
        counted = page(url, "metrics", SCRAPER).text
    assert 'readwell_calls_refused_total{limit="conversions in flight"}' in counted
    assert 'readwell_client_calls_total{client="alice"} 2' in counted


@pytest.mark.slow
def test_calls_of_a_minute_are_counted_for_each_client_alone(roots, tokens):
    with http_server(command=served(roots, tokens, "--per-client", "minute=3")) as (_, url):
        replies = [read(url, ALICE, "a.txt") for _ in range(4)]
        others = read(url, BOB, "a.txt")
        resource = asked(url, ALICE, "resources/read", uri=f"file://{roots[0]}/a.txt")
    assert ["text of open" in reply for reply in replies] == [True, True, True, False]
    assert replies[3].startswith("[error TOO_MANY_CALLS] This client has too many calls a minute. Call again in ")
    assert 1 <= int(replies[3].split()[-2]) <= 20 and "text of open" in others
    assert "TOO_MANY_CALLS" in resource["error"]["message"]


@pytest.mark.slow
def test_a_greedy_client_gets_hardly_more_answers_than_a_polite_one_while_that_one_waits(roots, tokens):
    """Counted, not timed: of 48 calls at once, few are answered before a single call of somebody else."""
    answered, calls = [], 30

    async def greedy(port, ended):
        client = Client("127.0.0.1", port, ALICE)
        while not ended.is_set():
            assert not (await client.call("read", path="a.txt")).is_error
            answered.append(1)
        client.close()

    async def both(port):
        ended = asyncio.Event()
        crowd = [asyncio.ensure_future(greedy(port, ended)) for _ in range(48)]
        polite = Client("127.0.0.1", port, BOB)
        while len(answered) < 100:
            await asyncio.sleep(0.01)
        before = len(answered)
        for _ in range(calls):
            assert not (await polite.call("read", path="a.txt")).is_error
        ended.set()
        meanwhile = len(answered) - before
        await asyncio.gather(*crowd)
        polite.close()
        return meanwhile

    with http_server(command=served(roots, tokens)) as (_, url):
        meanwhile = asyncio.run(both(int(url.removesuffix("/mcp").rpartition(":")[2])))
    assert meanwhile / calls < 8


def test_limits_count_by_the_clock_they_are_given_and_a_place_that_becomes_free_is_given_on():
    now = [0.0]

    async def calls():
        limits = ClientLimits(LimitsPerClient(calls=1, minute=2), lambda: now[0])
        outcomes = []
        async with limits.count_call("a") as refusal:
            outcomes.append(refusal)
            waiting = asyncio.ensure_future(enter(limits))
            await asyncio.sleep(0)
        outcomes.append(await waiting)
        late = asyncio.ensure_future(enter(limits))
        await asyncio.sleep(0.01)
        now[0] += 2 * PATIENCE_S
        outcomes.append(await late)
        now[0] += 30
        outcomes.append(await enter(limits))
        return outcomes

    async def enter(limits):
        async with limits.count_call("a") as refusal:
            return refusal

    first, second, third, fourth = asyncio.run(calls())
    assert first is second is fourth is None
    assert isinstance(third, TooManyCalls) and third.args == ("calls a minute", 28)


def test_slots_go_to_the_client_that_has_fewest_and_a_cancelled_one_gives_its_slot_back():
    async def order():
        slots, got = FairSlots(2), []

        async def take(client):
            await slots.acquire(client)
            got.append(client)

        for client in ("greedy", "greedy"):
            await take(client)
        waiting = [asyncio.ensure_future(take(client)) for client in ("greedy", "greedy", "greedy", "polite", "late")]
        await asyncio.sleep(0)
        waiting[4].cancel()
        slots.release("greedy")
        slots.release("greedy")
        await asyncio.sleep(0)
        slots.release("polite")
        slots.release("greedy")
        await asyncio.sleep(0)
        return got, slots.waiting_count()

    got, waiting = asyncio.run(order())
    assert got == ["greedy", "greedy", "polite", "greedy", "greedy", "greedy"] and waiting == 0


def test_a_client_has_one_turn_at_a_time_and_loses_it_when_it_takes_long():
    async def order():
        turns, began = Turns(), []

        async def take(client, number):
            turn = await turns.begin(client)
            began.append((client, number))
            return turn

        first = await take("a", 1)
        second = asyncio.ensure_future(take("a", 2))
        cancelled = asyncio.ensure_future(take("a", 3))
        await take("b", 1)
        assert began == [("a", 1), ("b", 1)]
        cancelled.cancel()
        first.end()
        first.end()
        await second
        await take("a", 4)  # after a while: the second call has not ended
        return began

    assert asyncio.run(order()) == [("a", 1), ("b", 1), ("a", 2), ("a", 4)]


def test_an_expired_token_is_refused_by_the_clock_of_the_day_however_it_jumps():
    now = [1000.0]
    callers = Callers([Caller(digest_of(ALICE), "alice", None, 2000.0)], lambda: now[0])
    caller = callers.of_token(ALICE)
    now[0] = 2000.0
    assert (caller.name, callers.of_token(ALICE), callers.still_allows(caller), callers.valid_callers()) == (
        "alice",
        None,
        False,
        [],
    )
    now[0] = 1500.0
    assert (
        callers.still_allows(caller) and callers.of_headers([(b"authorization", b"bearer " + ALICE.encode())]) == caller
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no token"),
        ('["a b"]\ntoken = "0123456789abcdef"', "no name"),
        ("[a]\n", "either a token"),
        ('a = "0123456789abcdef"', "either a token"),
        ('[a]\ntoken = "short"', "at least 16"),
        ('[a]\ntoken = "0123456789abcdef"\nsha256 = "00"', "either a token"),
        ('[a]\ntoken = "0123456789abcdef"\nroot = "/x"', "unknown: root"),
        ('[a]\ntoken = "0123456789abcdef"\nroots = ["/srv/files/below"]', "none of the server's roots"),
        ('[a]\ntoken = "0123456789abcdef"\nroots = 7', "none of the server's roots"),
        ('[a]\ntoken = "0123456789abcdef"\nexpires = 2027-01-01T00:00:00', "with its zone"),
        ('[a]\ntoken = "0123456789abcdef"\n[b]\ntoken = "0123456789abcdef"', "the same token"),
    ],
)
def test_a_file_of_tokens_that_is_invalid_says_what_is_wrong(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_callers(text, ["/srv/files"])


@pytest.mark.parametrize("word", ["", "calls", "calls=0", "calls=-1", "minutes=3", "calls=1,calls=2", "calls=1.5"])
def test_limits_that_are_no_numbers_by_name_are_refused(word):
    with pytest.raises(ValueError, match="numbers by name"):
        parse_limits_per_client(word)
    assert parse_limits_per_client("calls=2, minute=9") == LimitsPerClient(calls=2, minute=9)


@pytest.mark.slow
def test_options_that_contradict_each_other_are_refused(tokens, roots):
    import subprocess

    both = server_command("--root", roots[0], "--tokens-file", tokens, "--token-env", "TOKEN", "--http", "127.0.0.1:0")
    caller = server_command("--root", roots[0], "--tokens-file", tokens, "--caller", "me", "--http", "127.0.0.1:0")
    stdio = server_command("--root", roots[0], "--per-client", "calls=1")
    for command, problem in ((both, "use one of them"), (caller, "leave one"), (stdio, "--http")):
        ended = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=HANG)
        assert ended.returncode == 2 and problem in ended.stderr
