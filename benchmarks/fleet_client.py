"""A client of the MCP server over HTTP that costs little itself: one connection, one call after the other."""

import asyncio
import json
from typing import NamedTuple

HEADERS = (
    "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
)


class CutBody(Exception):
    """The server ended a response before its end."""


class Answer(NamedTuple):
    """A response: its status, and the JSON-RPC message in it."""

    status: int
    message: dict

    @property
    def text(self) -> str:
        """The text of the result; empty where it has none."""
        content = self.message.get("result", {}).get("content") or [{}]
        return content[0].get("text", "")

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.status != 200 or "error" in self.message or bool(self.message["result"].get("isError"))


class Client:
    """Calls a tool over a connection that is kept; a call on a connection that the server has closed raises OSError."""

    def __init__(self, host: str, port: int, token: str, name: str = "") -> None:
        self._host, self._port, self._token = host, port, token
        self._name = name or f"{host}:{port}"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, tool: str, **arguments: object) -> Answer:
        """Calls a tool; raises OSError if no response came, CutBody if half of one did."""
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, limit=1 << 24)
        reader, writer = self._streams
        head = HEADERS.format(host=self._name, token=self._token, length=len(body)).encode()
        try:
            writer.write(head + body)
            status, headers = await _head(reader)
            content = await _body(reader, headers)
        except BaseException:
            self.close()
            raise
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, _message(content))

    def close(self) -> None:
        """Closes the connection."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("no response") from error
    pairs = (line.split(":", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value.strip().lower() for name, value in pairs}


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    try:
        if headers.get("transfer-encoding") != "chunked":
            return await reader.readexactly(int(headers.get("content-length", 0)))
        chunks = []
        while size := int((await reader.readuntil(b"\r\n")), 16):
            chunks.append((await reader.readexactly(size + 2))[:-2])
        await reader.readexactly(2)
    except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
        raise CutBody from error
    return b"".join(chunks)


def _message(content: bytes) -> dict:
    """Returns the one message of a body: JSON, or an event stream with notifications before it."""
    if content.startswith(b"{"):
        return json.loads(content)
    lines = [line[6:] for line in content.replace(b"\r\n", b"\n").split(b"\n") if line.startswith(b"data: ")]
    return json.loads(lines[-1]) if lines else {}
