"""Lines on standard input that are no messages: each is answered as JSON-RPC says, and the next is served."""

import asyncio
import json
import os
import subprocess
import threading
from contextlib import suppress

import anyio
import pytest
from mcp_serving import HANG, environment, server_command

from readwell.doors.mcp.stdio_server import _Output

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
PING = {"jsonrpc": "2.0", "id": "still there?", "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": "still there?", "result": {}}
NO_JSON, NO_MESSAGE = -32700, -32600
SPOILED = {
    "not JSON": (b"hello", NO_JSON, None),
    "cut off": (b'{"jsonrpc": "2.0", "id": 5, "method": "pi', NO_JSON, None),
    "NUL bytes": (b"\0\0\0", NO_JSON, None),
    "a NUL in a string": (b'{"jsonrpc": "2.0", "id": 5, "method": "pi\0ng"}', NO_JSON, None),
    "no UTF-8": (b'{"jsonrpc": "2.0", "id": 5, "method": "\xff"}', NO_JSON, 5),
    "another encoding": ('{"jsonrpc": "2.0", "id": 5, "method": "ping"}'.encode("utf-16-le"), NO_JSON, None),
    "half a surrogate pair": (b'{"jsonrpc": "2.0", "id": "five", "method": "\\ud800"}', NO_JSON, "five"),
    "half a surrogate pair as id": (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', NO_JSON, None),
    "two messages on a line": (json.dumps(PING).encode() * 2, NO_JSON, None),
    "endless nesting": (b"[" * 100_000, NO_JSON, None),
    "a number without end": (b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "ping"}', NO_JSON, None),
    "a batch": (b"[" + json.dumps(PING).encode() + b"]", NO_MESSAGE, None),
    "an empty batch": (b"[]", NO_MESSAGE, None),
    "a number": (b"7", NO_MESSAGE, None),
    "nothing": (b"null", NO_MESSAGE, None),
    "no fields": (b"{}", NO_MESSAGE, None),
    "no method": (b'{"jsonrpc": "2.0", "id": 5}', NO_MESSAGE, 5),
    "no version": (b'{"id": 5, "method": "ping"}', NO_MESSAGE, 5),
    "another version": (b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}', NO_MESSAGE, 5),
    "a method that is none": (b'{"jsonrpc": "2.0", "id": 5, "method": 7}', NO_MESSAGE, 5),
    "params that are none": (b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": "x"}', NO_MESSAGE, 5),
    "params by position": (b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": [1]}', NO_MESSAGE, 5),
    "an id that is null": (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', NO_MESSAGE, None),
    "an id that is true": (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', NO_MESSAGE, None),
    "an id that is a list": (b'{"jsonrpc": "2.0", "id": [5], "method": "ping"}', NO_MESSAGE, None),
    "a broken answer": (b'{"jsonrpc": "2.0", "id": 5, "result": 7}', NO_MESSAGE, None),
    "a line of 10 MB": (b"x" * 10_000_000, NO_MESSAGE, None),
    "a message of 2 MB": (b'{"jsonrpc": "2.0", "id": 5, "method": "' + b"x" * (2 << 20) + b'"}', NO_MESSAGE, None),
}


def asked(server, line):
    server.stdin.write(line + b"\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = server_command("--root", tmp_path_factory.mktemp("served"))
    with subprocess.Popen(command, env=environment(), **pipes) as server:
        assert asked(server, json.dumps(HELLO).encode())["id"] == 1
        yield server
        assert server.communicate(timeout=HANG) == (b"", b"")


@pytest.mark.parametrize("line, code, number", SPOILED.values(), ids=SPOILED)
def test_a_line_that_is_no_message_is_answered_and_the_next_is_served(server, line, code, number):
    answer = asked(server, line)
    assert (answer["id"], answer["error"]["code"]) == (number, code)
    assert asked(server, json.dumps(PING).encode()) == PONG


def test_what_is_wrong_is_said_in_a_sentence(server):
    said = [asked(server, line)["error"]["message"] for line in (b"{", b"[]", b"{}", b" " * (2 << 20) + b"{}")]
    assert said == [
        "This is not one valid JSON value.",
        "Batches are not served: send one message at a time.",
        'This is no JSON-RPC message: "jsonrpc" must be "2.0", "method" a string, "id" a string or a whole number, '
        'and "params", if any, an object.',
        "A message may have 1048576 bytes.",
    ]


def test_a_method_that_is_not_there_is_said_to_be_missing(server):
    answer = asked(server, b'{"jsonrpc": "2.0", "id": 9, "method": "no/such"}')
    assert (answer["id"], answer["error"]["code"]) == (9, -32601)


def test_blank_lines_are_nothing_to_answer(server):
    assert asked(server, b"\n \r\n\t\n" + json.dumps(PING).encode()) == PONG


def answers_to(root, *lines):
    """What a server says that is sent these lines at once, and no more."""
    done = subprocess.run(
        server_command("--root", root), input=b"\n".join(lines), env=environment(), capture_output=True, timeout=HANG
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_nonsense_keeps_no_client_out_and_what_was_asked_before_the_end_is_answered(tmp_path):
    """The end comes while a call is still worked on, and without a line feed after the last message."""
    (tmp_path / "large.log").write_bytes(b"a line of a log\n" * 100_000)
    call = {"name": "read", "arguments": {"path": "large.log", "limit": 1}}
    asked = [HELLO, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}, PING]
    nonsense = [line for line, *_ in SPOILED.values()]
    answers = answers_to(tmp_path, *nonsense, *(json.dumps(message).encode() for message in asked))
    assert [(answer["id"], answer["error"]["code"]) for answer in answers[: len(nonsense)]] == [
        (number, code) for _, code, number in SPOILED.values()
    ]
    rest = {answer["id"]: answer for answer in answers[len(nonsense) :]}
    assert rest[1]["result"]["serverInfo"]["name"] == "readwell"
    assert (rest[2]["result"]["isError"], rest[PING["id"]], len(rest)) == (False, PONG, 3)


@pytest.mark.slow
def test_half_a_message_before_the_end_of_input_is_answered(tmp_path):
    answers = answers_to(tmp_path, json.dumps(HELLO).encode(), b'{"jsonrpc": "2.0", "id": 5, "meth')
    refused = [(answer["id"], answer["error"]["code"]) for answer in answers if "error" in answer]
    assert (len(answers), refused) == (2, [(None, NO_JSON)])


def test_while_a_client_does_not_read_the_server_goes_on_and_loses_nothing():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    held = 0
    with suppress(BlockingIOError):
        while True:
            held += os.write(writing, bytes(4096))
    os.set_blocking(writing, True)
    rescue = threading.Timer(10, os.read, (reading, held))  # else a server that waits would wait for ever

    async def serve():
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_Output(writing, scope).write, "the answer\n" * 10_000)
                got = b""
                while got.count(b"\n") < 10_000:
                    got += await anyio.to_thread.run_sync(os.read, reading, 1 << 16)
                return got

    rescue.start()
    got = asyncio.run(serve())
    rescue.cancel()
    os.close(reading)
    os.close(writing)
    assert got == bytes(held) + b"the answer\n" * 10_000
