"""Starting the server as a program, on stdio and over HTTP, or in this process; talking to it with the SDK's client."""

import os
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import readwell
from readwell.dialects import dialect_named
from readwell.doors.mcp.executors import create_executors
from readwell.doors.mcp.mcp_command import _server_config, command_parser
from readwell.doors.mcp.request_handlers import make_server

SOURCES = str(Path(readwell.__file__).resolve().parent.parent)
ERAS = ["legacy", "2026-07-28"]
TOKEN = "a-token-for-tests-0123456789"
BEARING = Path(__file__).with_name("bearing_server.py")
HANG = 60


def environment(**more):
    """The caller's environment without what would steer the program."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("READWELL_")}
    places = os.pathsep.join(filter(None, [SOURCES, env.get("PYTHONPATH")]))
    return {**env, "PYTHONPATH": places, "TOKEN": TOKEN, **more}


def data_for_programs(dialect, data):
    """What the server sends of a reply's data beside its text."""
    brief = dialect_named(dialect).tools[0].brief
    return brief(data) if brief else data


def server_command(*words):
    return [sys.executable, "-m", "readwell", "mcp", *map(str, words)]


@asynccontextmanager
async def on_stdio(*words, era="legacy", command=None, cwd=None, **env):
    start, *rest = command or server_command(*words)
    server = StdioServerParameters(command=start, args=rest, env=environment(**env), cwd=cwd)
    async with Client(server, mode=era, read_timeout_seconds=HANG) as client:
        yield client


@contextmanager
def http_server(*words, command=None, **env):
    """Yields the process and the address of a server that listens on a port of its own."""
    words = command or server_command(*words, "--http", "127.0.0.1:0", "--token-env", "TOKEN")
    server = subprocess.Popen(
        words, env=environment(**env), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        line = server.stderr.readline()
        assert line.startswith("readwell: serving http"), line + server.stderr.read()
        yield server, line.split()[-1]
    finally:
        server.terminate()
        server.wait(HANG)
        server.stderr.close()


@asynccontextmanager
async def over_http(url, era="legacy", token=TOKEN):
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=HANG) as http,
        Client(streamable_http_client(url, http_client=http), mode=era, read_timeout_seconds=HANG) as client,
    ):
        yield client


def make_test_server(*words):
    """A server in this process, as the words of a command line ask for it: starting a program costs a second."""
    parser = command_parser()
    return make_server(
        _server_config(parser, parser.parse_args(list(map(str, words)))), create_executors(small_reads_in_loop=True)
    )


def in_process(server, work, era="legacy"):
    """Runs `work(client)` in this process; an error of the protocol is returned, too."""

    async def session():
        async with Client(server, mode=era, read_timeout_seconds=HANG) as client:
            try:
                return await work(client)
            except MCPError as error:
                return error

    return anyio.run(session)
