"""Connections that dawdle: they end by their time, and keep no good client out."""

import json
import socket
import time
from contextlib import ExitStack

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, http_server

from readwell.doors.mcp.http_connections import MAX_CONNECTIONS, REQUEST_TIMEOUT_S

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
PONG = '{"jsonrpc":"2.0","id":1,"result":{}}'
HEADERS = {
    "Authorization": f"Bearer {TOKEN}",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODILESS = HEAD + b"Authorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{" % TOKEN.encode()
DAWDLERS = 200

pytestmark = pytest.mark.slow


def connected(url, stack):
    port = int(url.rpartition(":")[2].removesuffix("/mcp"))
    return stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=HANG))


def is_served(url):
    """Whether a client that comes anew gets its answer."""
    answer = httpx2.post(url, content=PING, headers=HEADERS, timeout=HANG)
    return (answer.status_code, PONG in answer.text) == (200, True)


def received(connection, end):
    got = b""
    while end not in got and (piece := connection.recv(65536)):
        got += piece
    return got


def is_hung_up_on(connection):
    try:
        return not connection.recv(65536)
    except ConnectionResetError:
        return True


def trickled(connections, piece):
    """Sends a piece on each connection; returns those that are still open."""
    left = []
    for connection in connections:
        try:
            connection.sendall(piece)
            left.append(connection)
        except OSError:
            continue
    return left


def begun(url, stack):
    """Connections of every kind that are late: silent, amid a head, amid a body, amid a further request."""
    late = [connected(url, stack) for _ in range(4)]
    late[1].sendall(HEAD)
    late[2].sendall(BODILESS)
    for _ in range(2):
        late[3].sendall(b"GET /health HTTP/1.1\r\n")
        time.sleep(0.5)
        late[3].sendall(b"Host: 127.0.0.1\r\n\r\n")
        assert b'{"status":"ok"}' in received(late[3], b"}")
    late[3].sendall(HEAD)
    return late


def test_connections_that_dawdle_end_by_their_time_and_keep_nobody_waiting(tmp_path):
    """A byte a second does not keep one alive, and saying nothing more does not, either."""
    with ExitStack() as stack, http_server("--root", tmp_path) as (server, url):
        late = begun(url, stack)
        dawdlers = [connected(url, stack) for _ in range(DAWDLERS)]
        dawdlers = trickled(dawdlers[::2], HEAD) + trickled(dawdlers[1::2], BODILESS)
        assert len(dawdlers) == DAWDLERS
        until = time.monotonic() + 3 * REQUEST_TIMEOUT_S
        while dawdlers and time.monotonic() < until:
            assert is_served(url)
            time.sleep(1)
            dawdlers = trickled(dawdlers, b"x")
        assert dawdlers == []
        assert [is_hung_up_on(connection) for connection in late] == [True] * len(late)
        assert is_served(url)
    assert server.returncode == 0


def test_more_connections_than_there_is_room_for_make_room_for_the_newest(tmp_path):
    with ExitStack() as stack, http_server("--root", tmp_path) as (_, url):
        crowd = [connected(url, stack) for _ in range(MAX_CONNECTIONS + DAWDLERS)]
        crowd[-1].sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b'{"status":"ok"}' in received(crowd[-1], b"}")
        assert is_served(url)
        assert all(is_hung_up_on(connection) for connection in crowd[:DAWDLERS])
