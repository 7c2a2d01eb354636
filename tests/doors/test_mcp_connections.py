"""The server's side of an HTTP connection: nothing of it remains once it has ended."""

import asyncio
import gc
import socket
import struct
from functools import partial

import uvicorn
from mcp_serving import HANG
from uvicorn.protocols.http.h11_impl import H11Protocol

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


async def connections_left_after_resets(count):
    """Serves clients that each reset their connection after an answer; returns how many connections remain."""
    connections = OpenConnections(limit=10)
    config = uvicorn.Config(
        connections.track_requests(say_ok),
        http=partial(Connection, connections),
        timeout_keep_alive=NEVER_S,
        lifespan="off",
        log_level="warning",
    )
    server = uvicorn.Server(config)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        while not server.started:
            await asyncio.sleep(0.01)
        for _ in range(count):
            await asyncio.to_thread(reset_after_an_answer, bound.getsockname()[1])
        while server.server_state.connections:
            await asyncio.sleep(0.01)
        gc.collect()
        left = sum(isinstance(each, H11Protocol) for each in gc.get_objects())
        server.should_exit = True
        await serving
    return left


def test_a_connection_that_its_client_resets_is_not_kept_in_memory():
    assert asyncio.run(asyncio.wait_for(connections_left_after_resets(5), HANG)) == 0
