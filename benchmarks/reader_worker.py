"""Serves windows of files over stdin and stdout, one JSON object per line, so that start-up is not measured.

One process per peer, in an environment of the peer's own: `python reader_worker.py NAME FOLDER [REST]`.
"""

import itertools
import json
import linecache
import logging
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import IO, NamedTuple

PLAIN = {**os.environ, "LC_ALL": "C"}
ROOMY_MB = 1 << 20
SHORT = 1000
"""Messages shorter than this many bytes may be an error; they are parsed."""


SHORT_S = 0.005
"""Reads are repeated for this long: a single short one would measure how the process wakes up."""


class Ask(NamedTuple):
    """A requested window; `last` means that it ends the file, `show` that its text is returned too."""

    path: str
    start: int = 1
    count: int = 200
    last: bool = False
    column: int = 1
    show: bool = False


def nothing() -> None:
    """Does nothing: most peers need no cleanup after a read."""


class Served(NamedTuple):
    """A peer that is ready: `afterwards` runs outside of the measurement."""

    version: str
    settings: str
    read: Callable[[Ask], object]
    text_of: Callable[[object], str] = str
    peak: Callable[[], int] | None = None
    afterwards: Callable[[], None] = nothing


def main(name: str, folder: str, *rest: str) -> None:
    logging.disable(logging.INFO)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    served = PEERS[name](folder, *rest)
    peak = served.peak or own_peak
    hello = {"version": served.version, "settings": served.settings, "python": platform.python_version()}
    say(answers, {**hello, "peak": peak()})
    for line in sys.stdin:
        say(answers, {**answer(served, Ask(**json.loads(line))), "peak": peak()})
        served.afterwards()


def answer(served: Served, ask: Ask) -> dict[str, object]:
    try:
        found, seconds = timed(served, ask)
    except Exception as error:  # noqa: BLE001
        return {"error": f"{type(error).__name__}: {error}"}
    return {"seconds": seconds, "text": served.text_of(found) if ask.show else ""}


def timed(served: Served, ask: Ask) -> tuple[object, float]:
    """Returns the reply and the seconds of one read; a mean of several where reads are short, for every peer."""
    began = time.perf_counter()
    found, reads = served.read(ask), 1
    while time.perf_counter() - began < SHORT_S and served.afterwards is nothing:
        found, reads = served.read(ask), reads + 1
    return found, (time.perf_counter() - began) / reads


def say(answers: IO[str], what: dict[str, object]) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


def own_peak() -> int:
    """Returns the peak memory of this process in bytes; on Linux without that of its parent before the fork."""
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak_of("self")


def peak_of(process: int | str) -> int:
    if sys.platform == "darwin":
        found = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True)
        return int(found.stdout) * 1024
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def peak_with_children() -> int:
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return max(own_peak(), children * (1 if sys.platform == "darwin" else 1024))


def in_python() -> str:
    return f"Python {platform.python_version()}"


def joined(lines: list[str], start: int) -> str:
    return "".join([f"{number}\t{line}" for number, line in enumerate(lines, start)])


def readwell_warm(folder: str) -> Served:
    from readwell_calls import checked_reply, fresh_reader, version_of

    reader = fresh_reader(folder)

    def read(ask: Ask) -> str:
        return checked_reply(reader, path=ask.path, offset=ask.start, limit=ask.count, column=ask.column)

    return Served(version_of("readwell"), "one reader for all reads, nothing kept on disk", read)


def readwell_cold(folder: str) -> Served:
    from readwell_calls import checked_reply, fresh_reader, version_of

    def read(ask: Ask) -> str:
        with fresh_reader(folder) as reader:
            return checked_reply(reader, path=ask.path, offset=ask.start, limit=ask.count)

    return Served(version_of("readwell"), "a new reader for each read, nothing kept on disk", read)


def readwell_lazy(folder: str) -> Served:
    from readwell_calls import checked_reply, fresh_reader, version_of

    def read(ask: Ask) -> str:
        offset = -ask.count if ask.last else ask.start
        with fresh_reader(folder) as reader:
            return checked_reply(reader, path=ask.path, offset=offset, limit=ask.count, total="lazy")

    return Served(version_of("readwell"), "a new reader for each read, total=lazy", read)


def by_readlines(_: str) -> Served:
    def read(ask: Ask) -> str:
        with open(ask.path, encoding="utf-8") as file:
            return joined(file.readlines()[ask.start - 1 : ask.start - 1 + ask.count], ask.start)

    return Served(in_python(), "open, readlines, slice, number", read)


def by_islice(_: str) -> Served:
    def read(ask: Ask) -> str:
        with open(ask.path, encoding="utf-8") as file:
            return joined(list(itertools.islice(file, ask.start - 1, ask.start - 1 + ask.count)), ask.start)

    return Served(in_python(), "open, itertools.islice, number", read)


def _from_linecache(ask: Ask) -> str:
    linecache.checkcache(ask.path)
    wanted = range(ask.start, ask.start + ask.count)
    return joined([linecache.getline(ask.path, number) for number in wanted], ask.start)


def by_linecache(_: str) -> Served:
    return Served(in_python(), "its cache emptied after each read", _from_linecache, afterwards=linecache.clearcache)


def by_linecache_kept(_: str) -> Served:
    return Served(in_python(), "its cache kept, checkcache before each read", _from_linecache)


def by_sed(_: str) -> Served:
    def read(ask: Ask) -> str:
        end = ask.start + ask.count - 1
        command = ["sed", "-n", f"{ask.start},{end}{{=;p;}};{end}q", ask.path]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, env=PLAIN).stdout.decode()

    return Served(_program_version("sed"), "LC_ALL=C, quits behind the window", read, peak=peak_with_children)


def by_tail_and_head(_: str) -> Served:
    def read(ask: Ask) -> str:
        first = ["tail", "-n", str(ask.count) if ask.last else f"+{ask.start}", ask.path]
        second = ["head", "-n", str(ask.count)]
        with subprocess.Popen(first, stdout=subprocess.PIPE, env=PLAIN) as feeding:
            shown = subprocess.run(second, stdin=feeding.stdout, stdout=subprocess.PIPE, check=True, env=PLAIN).stdout
            if feeding.stdout:
                feeding.stdout.close()
        return shown.decode()

    settings = "LC_ALL=C, tail -n 200 for the last window, no numbers"
    return Served(_program_version("tail"), settings, read, peak=peak_with_children)


def _program_version(program: str) -> str:
    found = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return found.stdout.splitlines()[0] if found.returncode == 0 and found.stdout else "as the system has it"


def by_deepagents(folder: str) -> Served:
    from deepagents.backends import FilesystemBackend  # pyright: ignore[reportMissingImports]
    from deepagents.middleware.filesystem import FilesystemMiddleware  # pyright: ignore[reportMissingImports]
    from langchain.tools import ToolRuntime  # pyright: ignore[reportMissingImports]

    tools = FilesystemMiddleware(backend=FilesystemBackend(root_dir=folder, virtual_mode=True)).tools
    tool = next(each for each in tools if each.name == "read_file")
    runtime = ToolRuntime(state={}, context=None, config={}, stream_writer=lambda _: None, tool_call_id="1", store=None)

    def read(ask: Ask) -> str:
        args = {"file_path": f"/{Path(ask.path).name}", "offset": ask.start - 1, "limit": ask.count}
        call = {"type": "tool_call", "id": "1", "name": tool.name, "args": {**args, "runtime": runtime}}
        return tool.invoke(call).content

    return Served(version("deepagents"), "read_file of FilesystemMiddleware on a FilesystemBackend, no numbers", read)


def by_openhands_aci(_: str) -> Served:
    from openhands_aci.editor import OHEditor  # pyright: ignore[reportMissingImports]

    editor = OHEditor(max_file_size_mb=ROOMY_MB)

    def read(ask: Ask) -> str:
        return editor(command="view", path=ask.path, view_range=[ask.start, ask.start + ask.count - 1]).output

    return Served(version("openhands-aci"), "OHEditor view with view_range, max_file_size_mb raised", read)


def by_langchain_community(folder: str) -> Served:
    from langchain_community.tools import ReadFileTool  # pyright: ignore[reportMissingImports]

    tool = ReadFileTool(root_dir=folder)

    def read(ask: Ask) -> str:
        return tool.invoke({"file_path": Path(ask.path).name})

    return Served(version("langchain-community"), "ReadFileTool, returns the whole file, no numbers", read)


def by_mcp_filesystem(folder: str, node: str, program: str) -> Served:
    server = subprocess.Popen(
        [node, program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    client = McpClient(server)
    package = json.loads((Path(program).parent.parent / "package.json").read_text())
    runtime = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    settings = f"Node {runtime}, read_text_file with head or tail over stdio, no numbers"
    return Served(package["version"], settings, client.read, mcp_text, lambda: peak_of(server.pid))


class McpClient:
    """A minimal client: JSON-RPC, one message per line, one request at a time."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server
        self._number = 0
        who = {"name": "readwell-benchmarks", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self, ask: Ask) -> bytes:
        if ask.start > 1 and not ask.last:
            raise ValueError("it reads from the first or the last line only")
        # Behind the last line end it counts one more line, an empty one.
        extent = {"tail": ask.count + 1} if ask.last and ask.start > 1 else {"head": ask.count}
        line = self._ask("tools/call", {"name": "read_text_file", "arguments": {"path": ask.path, **extent}})
        if len(line) < SHORT and b'"isError":true' in line:
            raise ValueError(mcp_text(line))
        return line

    def _ask(self, method: str, params: dict[str, object]) -> bytes:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while line := self._from().readline():
            if len(line) >= SHORT or json.loads(line).get("id") == self._number:
                return line
        raise EOFError("the server has gone")

    def _send(self, message: dict[str, object]) -> None:
        if self._server.stdin:
            self._server.stdin.write(json.dumps(message).encode() + b"\n")
            self._server.stdin.flush()

    def _from(self) -> IO[bytes]:
        if not self._server.stdout:
            raise EOFError("the server has no output")
        return self._server.stdout


def mcp_text(line: object) -> str:
    return json.loads(line)["result"]["content"][0]["text"] if isinstance(line, bytes) else ""


PEERS: dict[str, Callable[..., Served]] = {
    "readwell-cold": readwell_cold,
    "readwell-warm": readwell_warm,
    "readwell-lazy": readwell_lazy,
    "readlines": by_readlines,
    "islice": by_islice,
    "linecache": by_linecache,
    "linecache-kept": by_linecache_kept,
    "sed": by_sed,
    "tail-head": by_tail_and_head,
    "deepagents": by_deepagents,
    "openhands-aci": by_openhands_aci,
    "langchain-community": by_langchain_community,
    "mcp-filesystem": by_mcp_filesystem,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
