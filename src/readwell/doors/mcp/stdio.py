"""The server on standard input and output, which carry the protocol and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Thread
from typing import Any, cast

import anyio
from anyio.from_thread import run as run_in_loop
from anyio.lowlevel import current_token
from anyio.streams.memory import MemoryObjectSendStream
from anyio.to_thread import run_sync
from mcp.server import Server
from mcp.server.stdio import stdio_server

from .signals import until_told_to_go

LONGEST_LINE = 1 << 20


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client until it closes its end or a signal says to go."""
    incoming, outgoing = _claimed(0, os.O_RDONLY), _claimed(1, os.O_WRONLY)
    stdin, stdout = cast("Any", _incoming_lines(incoming)), cast("Any", _Outgoing(outgoing))
    async with until_told_to_go(), stdio_server(stdin, stdout) as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


def _claimed(descriptor: int, how: int) -> int:
    """Moves a stream to a descriptor of our own, so that nobody else can read from or write to it."""
    own = os.dup(descriptor)
    nowhere = os.open(os.devnull, how)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return own


class _Outgoing:
    """A file to write to from the event loop, which goes on while a slow client reads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def write(self, text: str) -> None:
        await run_sync(self._write, text.encode(), abandon_on_cancel=True)

    async def flush(self) -> None:
        """Has nothing to do: nothing is held back."""

    def _write(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self._descriptor, raw) :]


async def _incoming_lines(descriptor: int) -> Any:
    """Yields the client's lines, read by a thread that nobody has to wait for at the end."""
    send, receive = anyio.create_memory_object_stream[str](0)
    Thread(target=_pass_on, args=(descriptor, send, current_token()), daemon=True).start()
    async with receive:
        async for line in receive:
            yield line


def _pass_on(descriptor: int, send: MemoryObjectSendStream[str], loop: Any) -> None:
    try:
        for line in _lines(descriptor):
            run_in_loop(send.send, line.decode(errors="replace"), token=loop)
    except (anyio.BrokenResourceError, RuntimeError):
        return  # the server has gone first
    run_in_loop(send.aclose, token=loop)


def _lines(descriptor: int) -> Iterator[bytes]:
    rest = b""
    while piece := os.read(descriptor, 65536):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > LONGEST_LINE:
            yield rest  # no message is so long: it is answered as one that cannot be read
            rest = b""
