"""The server on standard input and output, which carry the protocol and nothing else."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import AsyncGenerator
from typing import Any, cast

from anyio import CancelScope
from anyio.to_thread import run_sync
from mcp.server import Server
from mcp.server.stdio import stdio_server

from .signals import until_told_to_go

PIECE = 65536
LONGEST_LINE = 1 << 20


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client until it closes its end or a signal says to go."""
    incoming, outgoing = _claimed(0, os.O_RDONLY), _claimed(1, os.O_WRONLY)
    async with until_told_to_go() as told_to_go:
        stdin, stdout = cast("Any", _incoming_lines(incoming)), cast("Any", _Outgoing(outgoing, told_to_go))
        async with stdio_server(stdin, stdout) as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())


def _claimed(descriptor: int, how: int) -> int:
    """Moves a stream to a descriptor of our own, so that nobody else can read from or write to it."""
    own = os.dup(descriptor)
    nowhere = os.open(os.devnull, how)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return own


async def _incoming_lines(descriptor: int) -> AsyncGenerator[str]:
    """Yields the client's lines. What is read was there to be read, so nothing waits but the event loop."""
    rest = b""
    while piece := await _next_piece(descriptor):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
        if len(rest) > LONGEST_LINE:
            yield ""  # no message is so long: it is passed over like one that cannot be read
            rest = b""


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

    def __init__(self, descriptor: int, told_to_go: CancelScope) -> None:
        self._descriptor, self._told_to_go = descriptor, told_to_go
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Writes all of it; a client that reads no more has gone."""
        try:
            await self._write(text.encode())
        except OSError:
            self._told_to_go.cancel()

    async def flush(self) -> None:
        """Has nothing to do: nothing is held back."""

    async def _write(self, raw: bytes) -> None:
        """Writes at once as far as the client has room, and the rest in a thread."""
        while raw and self._room.poll(0):
            raw = raw[os.write(self._descriptor, raw[: select.PIPE_BUF]) :]
        if raw:
            await run_sync(self._write_slowly, raw, abandon_on_cancel=True)

    def _write_slowly(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self._descriptor, raw) :]
