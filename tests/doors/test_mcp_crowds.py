"""Connections that dawdle: they end by their time, and keep no good client out."""

import json
import socket
import time
from contextlib import ExitStack

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, http_server

from readwell.doors.mcp.connections import ARRIVAL_S, MOST_CONNECTIONS

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


def test_a_request_that_does_not_arrive_is_hung_up_on(tmp_path):
    with ExitStack() as stack, http_server("--root", tmp_path) as (_, url):
        _, half_a_head, half_a_body, known = late = [connected(url, stack) for _ in range(4)]
        half_a_head.sendall(HEAD)
        half_a_body.sendall(BODILESS)
        for _ in range(2):
            known.sendall(b"GET /health HTTP/1.1\r\n")
            time.sleep(0.5)
            known.sendall(b"Host: 127.0.0.1\r\n\r\n")
            assert b'{"status":"ok"}' in received(known, b"}")
        known.sendall(HEAD)
        assert [is_hung_up_on(connection) for connection in late] == [True] * 4
        assert is_served(url)


def test_clients_that_send_a_byte_a_second_do_not_live_on_by_it_and_keep_nobody_waiting(tmp_path):
    with ExitStack() as stack, http_server("--root", tmp_path) as (server, url):
        dawdlers = [connected(url, stack) for _ in range(DAWDLERS)]
        dawdlers = trickled(dawdlers[::2], HEAD) + trickled(dawdlers[1::2], BODILESS)
        assert len(dawdlers) == DAWDLERS
        until = time.monotonic() + 3 * ARRIVAL_S
        while dawdlers and time.monotonic() < until:
            assert is_served(url)
            time.sleep(1)
            dawdlers = trickled(dawdlers, b"x")
        assert dawdlers == []
        assert is_served(url)
    assert server.returncode == 0


def test_more_connections_than_there_is_room_for_make_room_for_the_newest(tmp_path):
    with ExitStack() as stack, http_server("--root", tmp_path) as (_, url):
        crowd = [connected(url, stack) for _ in range(MOST_CONNECTIONS + DAWDLERS)]
        crowd[-1].sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b'{"status":"ok"}' in received(crowd[-1], b"}")
        assert is_served(url)
        assert all(is_hung_up_on(connection) for connection in crowd[:DAWDLERS])
