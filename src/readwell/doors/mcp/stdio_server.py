"""The MCP server on stdio, which carries protocol messages and nothing else."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import run_sync
from mcp.server import Server
from mcp.shared.message import SessionMessage

from .json_rpc_messages import MAX_LINE_BYTES, InvalidMessage, parse_message
from .stop_signals import cancel_on_stop_signals

CHUNK = 65536
LAST_RESPONSES_S, POLL_INTERVAL_S = 1.0, 0.01
SendStream = MemoryObjectSendStream[SessionMessage]
ReceiveStream = MemoryObjectReceiveStream[SessionMessage]


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client until it closes standard input or a stop signal arrives."""
    incoming, outgoing = _claim_stream(0, os.O_RDONLY), _claim_stream(1, os.O_WRONLY)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with cancel_on_stop_signals() as scope, anyio.create_task_group() as tasks:
        session = _Session(_incoming_lines(incoming), _Output(outgoing, scope))
        tasks.start_soon(session.receive, to_server, to_client.clone())
        tasks.start_soon(session.send, from_server)
        await server.run(from_client, to_client, server.create_initialization_options())


class _Session:
    """Converts the client's lines to messages for the server, and the server's messages to lines."""

    def __init__(self, lines: AsyncGenerator[bytes], output: _Output) -> None:
        self._lines, self._output = lines, output
        self._unanswered: set[types.RequestId | None] = set()

    async def receive(
        self, to_server: MemoryObjectSendStream[SessionMessage | Exception], to_client: SendStream
    ) -> None:
        """Forwards every message to the server; an invalid line is answered here."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with to_server, to_client:
                async for line in self._lines:
                    try:
                        await self._forward(parse_message(line), to_server)
                    except InvalidMessage as invalid:
                        await to_client.send(SessionMessage(invalid.response))
                await self._wait_for_responses()

    async def _forward(
        self, message: types.JSONRPCMessage, to_server: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._unanswered.add(message.id)
        if isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            cancelled = (message.params or {}).get("requestId")
            self._unanswered -= {cancelled} if isinstance(cancelled, (str, int)) else set()
        await to_server.send(SessionMessage(message))

    async def _wait_for_responses(self) -> None:
        """Waits shortly for open requests: the end of input stops the server, but the last requests need responses."""
        with anyio.move_on_after(LAST_RESPONSES_S):
            while self._unanswered:
                await anyio.sleep(POLL_INTERVAL_S)

    async def send(self, from_server: ReceiveStream) -> None:
        """Writes every message as a line."""
        async with from_server:
            async for sent in from_server:
                await self._output.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n")
                if isinstance(sent.message, (types.JSONRPCResponse, types.JSONRPCError)):
                    self._unanswered.discard(sent.message.id)


def _claim_stream(descriptor: int, flags: int) -> int:
    """Moves a standard stream to a new descriptor, so that no library can read from or write to it."""
    own = os.dup(descriptor)
    nowhere = os.open(os.devnull, flags)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return own


async def _incoming_lines(descriptor: int) -> AsyncGenerator[bytes]:
    """Yields the client's lines; an overlong line is cut just above the limit, so that it is refused.

    The descriptor is read only when it is ready, so a read does not block the event loop.
    """
    rest = b""
    while chunk := await _next_chunk(descriptor):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                yield line
        rest = rest[: MAX_LINE_BYTES + 1]
    if rest.strip():
        yield rest


async def _next_chunk(descriptor: int) -> bytes:
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # a regular file is always ready
        return os.read(descriptor, CHUNK)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, CHUNK)


class _Output:
    """Writes to a descriptor without blocking the event loop while the client reads slowly.

    A client that no longer reads has gone: then `scope` is cancelled.
    """

    def __init__(self, descriptor: int, scope: anyio.CancelScope) -> None:
        self._descriptor, self._scope = descriptor, scope
        self._writable = select.poll()
        self._writable.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Writes the whole text."""
        try:
            await self._write(text.encode())
        except OSError:
            self._scope.cancel()

    async def _write(self, raw: bytes) -> None:
        """Writes directly while the descriptor is writable, and the rest in a thread."""
        while raw and self._writable.poll(0):
            raw = raw[os.write(self._descriptor, raw[: select.PIPE_BUF]) :]
        if raw:
            await run_sync(self._write_blocking, raw, abandon_on_cancel=True)

    def _write_blocking(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self._descriptor, raw) :]
