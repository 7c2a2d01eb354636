"""A minimal server of the SDK, for comparison: its one tool returns the text of a file. `echo_server.py FILE`."""

import sys
from pathlib import Path

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

TEXT = Path(sys.argv[1]).read_text()
TOOL = types.Tool(name="read", input_schema={"type": "object"})


async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[TOOL])


async def call_tool(_context: object, _params: object) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=TEXT)])


async def main() -> None:
    server = Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


anyio.run(main)
