"""The server on standard input and output, which carry the protocol and nothing else."""

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

from .messages import LONGEST_LINE, InvalidMessage, parse_message
from .signals import cancel_on_stop_signals

PIECE = 65536
LAST_ANSWERS_S, LOOK_EVERY_S = 1.0, 0.01
Sending = MemoryObjectSendStream[SessionMessage]
Receiving = MemoryObjectReceiveStream[SessionMessage]


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client until it closes its end or a signal says to go."""
    incoming, outgoing = _claimed(0, os.O_RDONLY), _claimed(1, os.O_WRONLY)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with cancel_on_stop_signals() as told_to_go, anyio.create_task_group() as tasks:
        conversation = _Conversation(_incoming_lines(incoming), _Outgoing(outgoing, told_to_go))
        tasks.start_soon(conversation.listen, to_server, to_client.clone())
        tasks.start_soon(conversation.speak, from_server)
        await server.run(from_client, to_client, server.create_initialization_options())


class _Conversation:
    """Lines of a client become messages for the server, and the other way round."""

    def __init__(self, lines: AsyncGenerator[bytes], outgoing: _Outgoing) -> None:
        self._lines, self._outgoing = lines, outgoing
        self._unanswered: set[types.RequestId | None] = set()

    async def listen(self, to_server: MemoryObjectSendStream[SessionMessage | Exception], to_client: Sending) -> None:
        """Hands on every message; a line that is none is answered here."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with to_server, to_client:
                async for line in self._lines:
                    try:
                        await self._hand_on(parse_message(line), to_server)
                    except InvalidMessage as none:
                        await to_client.send(SessionMessage(none.answer))
                await self._last_answers()

    async def _hand_on(
        self, message: types.JSONRPCMessage, to_server: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._unanswered.add(message.id)
        if isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            given_up = (message.params or {}).get("requestId")
            self._unanswered -= {given_up} if isinstance(given_up, (str, int)) else set()
        await to_server.send(SessionMessage(message))

    async def _last_answers(self) -> None:
        """Waits a little: the end of input ends the server's work, and what was asked last is to be answered."""
        with anyio.move_on_after(LAST_ANSWERS_S):
            while self._unanswered:
                await anyio.sleep(LOOK_EVERY_S)

    async def speak(self, from_server: Receiving) -> None:
        """Writes every message as a line."""
        async with from_server:
            async for sent in from_server:
                await self._outgoing.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n")
                if isinstance(sent.message, (types.JSONRPCResponse, types.JSONRPCError)):
                    self._unanswered.discard(sent.message.id)


def _claimed(descriptor: int, how: int) -> int:
    """Moves a stream to a descriptor of our own, so that nobody else can read from or write to it."""
    own = os.dup(descriptor)
    nowhere = os.open(os.devnull, how)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return own


async def _incoming_lines(descriptor: int) -> AsyncGenerator[bytes]:
    """Yields the client's lines; of one that is longer than any message only as much as shows that it is.

    What is read was there to be read, so nothing waits but the event loop.
    """
    rest = b""
    while piece := await _next_piece(descriptor):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.strip():
                yield line
        rest = rest[: LONGEST_LINE + 1]
    if rest.strip():
        yield rest


async def _next_piece(descriptor: int) -> bytes:
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # a plain file is always ready
        return os.read(descriptor, PIECE)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, PIECE)


class _Outgoing:
    """A file to write to from the event loop, which goes on while a slow client reads."""

    def __init__(self, descriptor: int, told_to_go: anyio.CancelScope) -> None:
        self._descriptor, self._told_to_go = descriptor, told_to_go
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Writes all of it; a client that reads no more has gone."""
        try:
            await self._write(text.encode())
        except OSError:
            self._told_to_go.cancel()

    async def _write(self, raw: bytes) -> None:
        """Writes at once as far as the client has room, and the rest in a thread."""
        while raw and self._room.poll(0):
            raw = raw[os.write(self._descriptor, raw[: select.PIPE_BUF]) :]
        if raw:
            await run_sync(self._write_slowly, raw, abandon_on_cancel=True)

    def _write_slowly(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self._descriptor, raw) :]
