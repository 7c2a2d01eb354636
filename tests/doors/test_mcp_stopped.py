"""A server that was stopped for a while, as by SIGSTOP: clients that were in time get their answers."""

import contextlib
import os
import select
import signal
import socket
import struct
import time

import pytest
from mcp_serving import HANG, TOKEN, http_server

from readwell.doors.mcp.http_connections import REQUEST_TIMEOUT_S

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
REQUEST = b"\r\n".join(
    (
        b"POST /mcp HTTP/1.1",
        b"Host: 127.0.0.1:%d",
        b"Authorization: Bearer " + TOKEN.encode(),
        b"Content-Type: application/json",
        b"Accept: application/json, text/event-stream",
        b"Content-Length: %d" % len(PING),
        b"",
        PING,
    )
)
BURST = 600


def answer(connection):
    """All of an answer, to the end of its last chunk."""
    got = b""
    while not got.endswith(b"0\r\n\r\n") and (piece := connection.recv(65536)):
        got += piece
    return got


def asked(port):
    """The answer to a client that comes anew."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG) as connection:
        connection.sendall(REQUEST.replace(b"%d", str(port).encode(), 1))
        return answer(connection)


def reset_after_an_answer(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=HANG) as connection:
        connection.sendall(request)
        assert PONG in answer(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.slow
def test_a_server_that_was_stopped_answers_what_arrived_meanwhile(tmp_path):
    with http_server("--root", tmp_path) as (server, url):
        port = int(url.rpartition(":")[2].removesuffix("/mcp"))
        request = REQUEST.replace(b"%d", str(port).encode(), 1)
        with (
            socket.create_connection(("127.0.0.1", port), timeout=HANG) as idle,
            socket.create_connection(("127.0.0.1", port), timeout=HANG) as half_sent,
        ):
            idle.sendall(request)
            assert PONG in answer(idle)
            reset_after_an_answer(port, request)
            half_sent.sendall(request[:60])
            time.sleep(0.5)
            os.kill(server.pid, signal.SIGSTOP)
            os.waitpid(server.pid, os.WUNTRACED)  # what arrives before it has stopped is read first
            idle.sendall(request)
            half_sent.sendall(request[60:])
            time.sleep(REQUEST_TIMEOUT_S + 1)
            os.kill(server.pid, signal.SIGCONT)
            assert PONG in answer(idle)
            assert PONG in answer(half_sent)
        server.terminate()
        assert (server.wait(HANG), server.stderr.read()) == (0, "")


@pytest.mark.slow
def test_a_burst_of_connections_waits_for_a_busy_server(tmp_path):
    """The kernel queues them, as a server busy with a call would; refused, each would come back after a second."""
    with http_server("--root", tmp_path) as (server, url), contextlib.ExitStack() as stack:
        port = int(url.rpartition(":")[2].removesuffix("/mcp"))
        assert PONG in asked(port)
        os.kill(server.pid, signal.SIGSTOP)
        os.waitpid(server.pid, os.WUNTRACED)
        try:
            burst = [stack.enter_context(socket.socket()) for _ in range(BURST)]
            for connection in burst:
                connection.setblocking(False)
                connection.connect_ex(("127.0.0.1", port))
            waiting = select.poll()
            for connection in burst:
                waiting.register(connection, select.POLLOUT)
            assert len(waiting.poll(0)) == BURST  # on the loopback a connection is made at once, or later by a timer
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert PONG in asked(port)
