"""The server's side of an HTTP connection: nothing of it remains once it has ended."""

import asyncio
import gc
import socket
import struct
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import uvicorn
from mcp_serving import HANG
from uvicorn.protocols.http.h11_impl import H11Protocol

from readwell.doors.mcp import http_connections
from readwell.doors.mcp.http_connections import Connection, OpenConnections
from readwell.doors.mcp.http_server import NEVER_S

RESET_ON_CLOSE = struct.pack("ii", 1, 0)


async def say_ok(scope, receive, send):
    assert scope["type"] == "http"
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def reset_after_an_answer(port):
    with socket.create_connection(("127.0.0.1", port), timeout=HANG) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b""
        while not answer.endswith(b"ok"):
            answer += client.recv(1000)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)


@asynccontextmanager
async def serving(app):
    """Yields the server of an application and its port."""
    connections = OpenConnections(limit=10)
    config = uvicorn.Config(
        connections.wrap_with_timeouts(app),
        http=partial(Connection, connections),
        timeout_keep_alive=NEVER_S,
        lifespan="off",
        log_level="warning",
    )
    server = uvicorn.Server(config)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        running = asyncio.create_task(server.serve(sockets=[bound]))
        while not server.started:
            await asyncio.sleep(0.01)
        yield server, bound.getsockname()[1]
        server.should_exit = True
        await running


async def wait_until_all_have_ended(server):
    while server.server_state.connections:
        await asyncio.sleep(0.01)


async def connections_left_after_resets(count):
    """Serves clients that each reset their connection after an answer; returns how many connections remain."""
    async with serving(say_ok) as (server, port):
        for _ in range(count):
            await asyncio.to_thread(reset_after_an_answer, port)
        await wait_until_all_have_ended(server)
        gc.collect()
        return sum(isinstance(each, H11Protocol) for each in gc.get_objects())


def test_a_connection_that_its_client_resets_is_not_kept_in_memory():
    assert asyncio.run(asyncio.wait_for(connections_left_after_resets(5), HANG)) == 0


LARGE = 16 << 20
"""More than the buffers of a connection hold."""


async def say_much(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LARGE)]})
    await send({"type": "http.response.body", "body": bytes(LARGE)})


async def bytes_left_for_a_client_that_takes_none():
    async with serving(say_much) as (server, port):
        with socket.create_connection(("127.0.0.1", port), timeout=HANG) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            await asyncio.to_thread(client.recv, 1)  # the answer has begun
            await wait_until_all_have_ended(server)
            return await asyncio.to_thread(all_that_comes, client)


def all_that_comes(client):
    count = 0
    with suppress(ConnectionResetError):
        while piece := client.recv(1 << 20):
            count += len(piece)
    return count


@pytest.mark.slow
def test_a_client_that_takes_nothing_of_its_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(http_connections, "IDLE_TIMEOUT_S", 0.1)
    monkeypatch.setattr(http_connections, "STALLED_TIMEOUT_S", 0.5)
    assert asyncio.run(asyncio.wait_for(bytes_left_for_a_client_that_takes_none(), HANG)) < LARGE


async def say_ok_late(scope, receive, send):
    await receive()
    await asyncio.sleep(0.6)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def a_late_answer():
    async with serving(say_ok_late) as (_, port):
        with socket.create_connection(("127.0.0.1", port), timeout=HANG) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return await asyncio.to_thread(all_that_comes, client)


def test_a_request_is_served_for_as_long_as_that_takes(monkeypatch):
    monkeypatch.setattr(http_connections, "REQUEST_TIMEOUT_S", 0.1)
    monkeypatch.setattr(http_connections, "GRACE_S", 0.1)
    assert asyncio.run(asyncio.wait_for(a_late_answer(), HANG)) > 0
