"""A server that takes its time: `slow_server.py stdio|http ROOT CONVERSION_S STEP_S TICKS [TOKENS_FILE [LIMITS]]`.

Each conversion takes so long and talks too much; each step of a scan takes so long and leaves a byte in TICKS. The trial
conversion of `/ready` leaves a byte, too, and takes as long as there is a file TICKS.hold.
"""

import os
import sys
import time

import anyio

from readwell.dialects import dialect_named
from readwell.doors.mcp.client_limits import LimitsPerClient, parse_limits_per_client
from readwell.doors.mcp.executors import create_executors
from readwell.doors.mcp.http_callers import Callers
from readwell.doors.mcp.http_server import serve_http
from readwell.doors.mcp.listen_address import ListenAddress, listen
from readwell.doors.mcp.metrics import Metrics
from readwell.doors.mcp.nonblocking_stderr import make_stderr_nonblocking
from readwell.doors.mcp.readiness import Readiness
from readwell.doors.mcp.request_admission import Gate
from readwell.doors.mcp.request_handlers import make_server
from readwell.doors.mcp.server_config import ServerConfig
from readwell.doors.mcp.stdio_server import serve_stdio
from readwell.doors.mcp.stop_signals import join_threads_or_exit
from readwell.doors.mcp.token_file import TokenFile
from readwell.tool import Tool
from readwell.toolspec import tool_spec

TALK = "said by a parser, on and on, whether anyone listens or not, until the pipe is full " * 4

GRACE_S = 30


def main(transport, root, conversion_s, step_s, ticks, tokens_file=None, limits=""):
    def convert(data, name):
        os.write(log, b"c")
        print(TALK)
        print(TALK, file=sys.stderr)
        os.write(2, TALK.encode())
        os.write(1, TALK.encode())
        time.sleep(float(conversion_s))
        return f"# {name}\n"

    def clock():
        if float(step_s):
            time.sleep(float(step_s))
            os.write(log, b".")
        return 0.0

    def try_conversion():
        os.write(log, b"r")
        while os.path.exists(f"{ticks}.hold"):
            time.sleep(0.02)

    log = os.open(ticks, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    tool = Tool(dialect_named("qq"), [root], document_reader=convert, clock=clock, cache_dir=None)
    spec = tool_spec(tool)
    search = tool_spec(Tool(dialect_named("native"), [root], clock=clock, cache_dir=None).all()[1])
    executors = create_executors(small_reads_in_loop=transport == "stdio")
    metrics = Metrics([], executors.waiting_count)
    server = make_server(ServerConfig([spec, search], spec, [root]), executors, metrics)
    if transport == "stdio":
        make_stderr_nonblocking()
        anyio.run(serve_stdio, server)
    else:
        bound, address = listen(ListenAddress("127.0.0.1", 0))
        print(f"readwell: serving {address.url}", file=sys.stderr, flush=True)
        make_stderr_nonblocking()
        ready = Readiness(try_conversion)
        file = tokens_file and TokenFile(tokens_file, [root])
        callers = Callers(file.read_callers()) if file else Callers.with_token(os.environ["TOKEN"])
        gate = Gate(callers, parse_limits_per_client(limits) if limits else LimitsPerClient())
        reload = file and (lambda: callers.replace(file.read_callers()))
        anyio.run(serve_http, server, metrics, bound, address, gate, ready, GRACE_S, None, reload)


main(*sys.argv[1:])
sys.exit(join_threads_or_exit(0))
