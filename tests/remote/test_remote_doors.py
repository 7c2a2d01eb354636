"""Remote roots through the command line, the MCP server and the adapters; a slow store makes nobody else wait."""

import json
import os
import subprocess
import sys
import time

import pytest
from certificates import Authority
from remote_roots import KEYS, SECRET
from scripted_server import always, hangs, serving, status

from readwell import Reader
from readwell.adapters import openai

SECRETS = (SECRET, KEYS["AWS_ACCESS_KEY_ID"])
TEXT = b"".join(b"line %d\n" % number for number in range(1, 51))


@pytest.fixture
def bucket(server, aws):
    """A bucket with a file, a secret and an ignored file."""
    aws(server.url)
    server.objects = {
        "/bucket/folder/a.txt": TEXT,
        "/bucket/folder/.env": b"PASSWORD=x\n",
        "/bucket/folder/.aiignore": b"private/\n",
        "/bucket/folder/private/b.txt": b"b\n",
        "/bucket/folder/src/c.py": b"def c():\n    pass\n",
    }
    return server


def run(*words, server, **more):
    """Runs the program in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("READWELL_", "AWS_"))}
    environment |= {**KEYS, "AWS_ENDPOINT_URL": server.url, **more}
    done = subprocess.run(
        [sys.executable, "-m", "readwell", *words], capture_output=True, text=True, env=environment, timeout=60
    )
    assert all(secret not in done.stdout + done.stderr for secret in SECRETS)
    return done


def test_the_command_line_reads_lists_and_searches_a_bucket(bucket):
    done = run("--root", "s3://bucket/folder", "a.txt", "--offset", "-1", server=bucket)
    assert (done.returncode, done.stderr) == (0, "")
    assert "50\tline 50" in done.stdout
    listed = run("--root", "s3://bucket/folder", ".", server=bucket).stdout
    assert "a.txt\t" in listed and ".env" not in listed and "private" not in listed
    assert "line 7\n" in run("search", "line 7", "--root", "s3://bucket/folder", server=bucket).stdout
    denied = run("--root", "s3://bucket/folder", "private/b.txt", server=bucket)
    assert (denied.returncode, "ACCESS_DENIED" in denied.stderr) == (1, True)


def test_the_variable_for_roots_is_not_split_inside_an_address(bucket, tmp_path):
    (tmp_path / "here.txt").write_text("here\n")
    roots = f"{tmp_path}:s3://bucket/folder:{bucket.url}/bucket/folder"
    assert "here" in run("here.txt", server=bucket, READWELL_ROOT=roots).stdout
    assert "line 1\n" in run("s3://bucket/folder/a.txt", server=bucket, READWELL_ROOT=roots).stdout
    assert "line 1\n" in run(f"{bucket.url}/bucket/folder/a.txt", server=bucket, READWELL_ROOT=roots).stdout


def test_a_root_that_is_invalid_is_wrong_usage_and_its_password_is_not_repeated(bucket):
    done = run("--root", "s3://user:pass-word@bucket", "a.txt", server=bucket)
    assert done.returncode == 2
    assert "pass-word" not in done.stdout + done.stderr and "environment" in done.stderr
    assert run("--root", "s3://bucket", "a.txt", "--dialect", "qq", server=bucket).returncode == 2


def test_doctor_tries_a_root_and_says_what_is_wrong(bucket):
    good = run("doctor", "--root", "s3://bucket/folder", server=bucket)
    line = next(line for line in good.stdout.split("\n") if " root " in line)
    assert line.startswith("ok") and "lists" in line and "reads" in line and " ms" in line
    bucket.fault = always(
        lambda handler: handler.answer(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>") or True
    )
    bad = run("doctor", "--root", "s3://bucket/folder", server=bucket)
    line = next(line for line in bad.stdout.split("\n") if " root " in line)
    assert line.startswith("MISSING") and "the secret key is wrong" in line and bad.returncode == 1
    assert SECRET not in bad.stdout + bad.stderr
    bucket.fault = None
    web = run("doctor", "--root", f"{bucket.url}/bucket/", server=bucket)
    assert "an HTTP root cannot be listed" in web.stdout
    refused = run("doctor", "--root", "s3://user:pass-word@bucket", server=bucket)
    assert refused.returncode == 1 and "pass-word" not in refused.stdout


def test_a_client_is_configured_with_a_remote_root(bucket):
    done = run("config", "codex", "--root", "s3://bucket/folder", server=bucket)
    assert '"--root", "s3://bucket/folder"' in done.stdout


def test_help_and_errors_show_no_credential(bucket, tmp_path):
    for words in (["--help"], ["mcp", "--help"]):
        assert "--root" in run(*words, server=bucket).stdout  # which looks at what it prints
    bucket.fault = always(status(403))
    log = tmp_path / "audit.jsonl"
    told = run("--root", "s3://bucket/folder", "a.txt", "--json", "--audit", str(log), server=bucket)
    assert "PERMISSION_DENIED" in told.stdout + told.stderr and '"Unreadable"' in log.read_text()
    assert not any(secret in log.read_text() for secret in SECRETS)


def test_an_adapter_reads_a_bucket(bucket):
    from types import SimpleNamespace

    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        asked = SimpleNamespace(name="read", arguments=json.dumps({"path": "a.txt", "offset": 50}))
        assert "50\tline 50" in openai.call(reader.tool, SimpleNamespace(id="1", function=asked))["content"]


def test_the_server_reads_a_bucket_locked_in_and_a_slow_store_makes_nobody_else_wait(bucket, tmp_path):
    anyio = pytest.importorskip("anyio", reason="NOT TESTED: the extra `mcp` is not installed")
    from mcp import Client, StdioServerParameters

    (tmp_path / "here.txt").write_text("here\n")
    environment = {**os.environ, **KEYS, "AWS_ENDPOINT_URL": bucket.url}
    with serving() as slow:
        slow.fault = always(hangs)
        roots = [str(tmp_path), "s3://bucket/folder", slow.url]
        words = ["-m", "readwell", "mcp", "--deadline-s", "7", *(word for root in roots for word in ("--root", root))]
        server = StdioServerParameters(command=sys.executable, args=words, env=environment)
        waited = []

        async def session():
            async with Client(server, read_timeout_seconds=60) as client, anyio.create_task_group() as tasks:
                resources = [str(each.uri) for each in (await client.list_resources()).resources]
                assert resources[1:] == roots[1:]

                async def ask_slow():
                    reply = await client.call_tool("read", {"path": f"{slow.url}/x.txt"})
                    waited.append(reply.content[0].text)

                for _ in range(40):
                    tasks.start_soon(ask_slow)
                await anyio.sleep(1)
                began = time.monotonic()
                here = await client.call_tool("read", {"path": "here.txt"})
                far = await client.call_tool("read", {"path": "s3://bucket/folder/a.txt", "limit": 1})
                listed = await client.call_tool("search", {"pattern": "def", "path": "s3://bucket/folder"})
                took = time.monotonic() - began
                texts = [each.content[0].text for each in (here, far, listed)]
                tasks.cancel_scope.cancel()
                return texts, took

        texts, took = anyio.run(session)
    assert "here" in texts[0] and "1\tline 1" in texts[1] and "def c" in texts[2]
    assert waited == [] and took < 6


def test_a_server_over_http_reads_a_bucket_over_https_and_shows_no_credential(bucket, tmp_path):
    anyio = pytest.importorskip("anyio", reason="NOT TESTED: the extra `mcp` is not installed")
    import httpx2
    from mcp_serving import TOKEN, http_server, over_http

    authority = Authority(tmp_path)
    log = tmp_path / "log" / "audit.jsonl"
    log.parent.mkdir()
    calls = [
        ("read", {"path": "a.txt", "offset": 7, "limit": 1}),
        ("read", {"path": "."}),
        ("search", {"pattern": "def c", "path": "src"}),
        ("read", {"path": "src/c.py", "view": "outline"}),
        ("read", {"path": "private/b.txt"}),
        ("read", {"paths": ["src/*.py", "a.txt"], "limit": 1}),
        ("read", {"path": "gone.txt"}),
    ]

    async def session(url):
        async with over_http(url) as client:
            return [(await client.call_tool(tool, params)).content[0].text for tool, params in calls]

    with serving(authority.issue("store")) as store:
        store.objects = bucket.objects
        given = {**KEYS, "AWS_ENDPOINT_URL": store.url, "SSL_CERT_FILE": str(authority.path)}
        with http_server("--root", "s3://bucket/folder", "--audit", log, **given) as (server, url):
            texts = anyio.run(session, url)
            headers = {"Authorization": f"Bearer {TOKEN}"}
            metrics = httpx2.get(url.replace("/mcp", "/metrics"), headers=headers, timeout=60).text
            server.terminate()
            said = server.stderr.read()
    wanted = ["7\tline 7", "src/", "def c", "1-2\tdef c()", "ACCESS_DENIED", "src/c.py", "NOT_FOUND"]
    assert [words in text for words, text in zip(wanted, texts, strict=True)] == [True] * 7, texts
    for shown in (*texts, metrics, said, log.read_text()):
        assert not any(secret in shown for secret in SECRETS)
    assert 'outcome="NotFound"' in metrics and log.read_text().count("\n") == 7


@pytest.mark.parametrize("transport, era", [("stdio", "legacy"), ("http", "2026-07-28")])
@pytest.mark.slow
def test_a_client_is_told_how_far_a_call_is_and_a_cancelled_one_asks_the_store_no_more(
    server, tmp_path, transport, era
):
    anyio = pytest.importorskip("anyio", reason="NOT TESTED: the extra `mcp` is not installed")
    from mcp_serving import http_server, on_stdio, over_http

    line = b"a line of a long object in a store\n"
    server.objects = {"/long.txt": line * (20_000_000 // len(line))}
    server.fault = lambda *_: time.sleep(0.2)
    (tmp_path / "here.txt").write_text("here\n")
    words = ("--root", tmp_path, "--root", server.url, "--cache-dir", "")
    counting = {"path": f"{server.url}/long.txt", "limit": 1, "total": "exact"}
    told = []

    async def note(progress, total, _message):
        told.append((progress, total))

    async def talk(client):
        whole = await client.call_tool("read", counting, progress_callback=note)
        server.fault = always(hangs)
        with anyio.move_on_after(1):
            await client.call_tool("read", counting)
        asked = len(server.seen)
        near = await client.call_tool("read", {"path": "here.txt"})
        await anyio.sleep(1)
        return whole.content[0].text, near.content[0].text, len(server.seen) - asked

    async def session(url=None):
        async with over_http(url, era) if url else on_stdio(*words, era=era) as client:
            return await talk(client)

    if transport == "stdio":
        whole, near, after = anyio.run(session)
    else:
        with http_server(*words) as (_, url):
            whole, near, after = anyio.run(session, url)
    assert f"of {20_000_000 // len(line)}" in whole and "here" in near and after == 0
    assert told and {total for _, total in told} == {len(server.objects["/long.txt"])}
    assert [each for each, _ in told] == sorted({each for each, _ in told})


def test_connections_to_a_root_are_bounded(server):
    from threading import Thread

    server.objects = {"/a.txt": TEXT}
    open_now, most = [], []

    def slow(handler, _):
        open_now.append(1)
        most.append(len(open_now))
        time.sleep(0.05)
        open_now.pop()
        return False

    server.fault = slow
    with Reader(server.url, cache_dir=None, deadline_s=30) as reader:
        threads = [Thread(target=reader.read, args=("a.txt",)) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.seen) == 40
    assert 1 < max(most) <= 8


def test_a_forked_process_reads_with_connections_of_its_own(server):
    server.objects = {"/a.txt": TEXT}
    with Reader(server.url, cache_dir=None) as reader:
        assert reader.read("a.txt").window.total == 50
        child = os.fork()
        if child == 0:
            os._exit(0 if reader.read("a.txt", limit=1).lines == ["line 1"] else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert reader.read("a.txt").window.total == 50


def test_progress_is_told_while_an_object_is_counted(server):
    server.objects = {"/long.txt": b"a line\n" * 700_000}
    told = []
    with Reader(server.url, cache_dir=None, on_progress=lambda *each: told.append(each)) as reader:
        assert reader.read("long.txt", limit=1, total="exact").window.total == 700_000
    assert told and told[-1][1] == 4_900_000


def test_a_reader_is_told_the_status_of_a_store_in_asynchronous_code(server):
    import asyncio

    server.objects, server.fault = {"/a.txt": TEXT}, always(status(403))
    with Reader(server.url, cache_dir=None) as reader:
        assert asyncio.run(reader.areply({"path": "a.txt"})).data["error"]["code"] == "PERMISSION_DENIED"
