"""A server whose clients need not send the token: it is added to their requests. `bearing_server.py ROOT`."""

import sys

import anyio
import uvicorn

from readwell.dialects import dialect_named
from readwell.doors.mcp.executors import create_executors
from readwell.doors.mcp.http_callers import Callers
from readwell.doors.mcp.http_server import make_app
from readwell.doors.mcp.listen_address import ListenAddress, listen
from readwell.doors.mcp.request_admission import Gate
from readwell.doors.mcp.request_handlers import make_server
from readwell.doors.mcp.server_config import ServerConfig
from readwell.tool import Tool
from readwell.toolspec import tool_spec

TOKEN = "a-token-that-is-added-to-every-request"


def main(root):
    async def bearing(scope, receive, send):
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]
        await app(scope, receive, send)

    spec = tool_spec(Tool(dialect_named("native"), [root]))
    bound, address = listen(ListenAddress("127.0.0.1", 0))
    app = make_app(
        make_server(ServerConfig([spec], spec, [root]), create_executors(small_reads_in_loop=False)),
        address,
        Gate(Callers.with_token(TOKEN)),
    )
    print(f"readwell: serving {address.url}", file=sys.stderr, flush=True)
    config = uvicorn.Config(bearing, log_level="critical", access_log=False)
    anyio.run(uvicorn.Server(config).serve, [bound])


main(*sys.argv[1:])
