"""Compares the MCP server with a bare server of the same SDK and with the MCP filesystem server.

Every ratio comes from one interleaved run over stdio; the files are those of Python's standard library.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from console import progress, warn
from timing import interleaved, ratio, seconds_of
from token_costs import FILES, LIBRARY, LINES, token_table

HERE = Path(__file__).parent
START_ROUNDS, ROUNDS, CALLS = 9, 21, 100
OURS, BARE, PEER = "readwell", "bare SDK", "MCP filesystem server"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Contender(NamedTuple):
    """A server: how it is started, and the call that reads the first lines of a file."""

    command: list[str]
    tool: str
    arguments: dict[str, object]


class Session:
    """One session over stdio, with a minimal client."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self._number = process, 0

    def ask(self, method: str, params: Mapping[str, object]) -> bytes:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        return self._sent(message)

    def tell(self, method: str) -> None:
        self._write({"jsonrpc": "2.0", "method": method})

    def processor_s(self) -> float:
        """Returns the processor time of the server in seconds, which does not depend on the load of the machine."""
        ticks = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def _sent(self, message: Mapping[str, object]) -> bytes:
        self._write(message)
        assert self._process.stdout
        answer = self._process.stdout.readline()
        if b'"result"' not in answer or b'"isError":true' in answer:
            raise RuntimeError(f"no result: {answer[:500]!r}")
        return answer

    def _write(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def main() -> None:
    path = LIBRARY / FILES[0]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        contenders = _contenders(path, Path(folder))
        starts = interleaved(
            {name: lambda each=each: _start_seconds(each) for name, each in contenders.items()}, START_ROUNDS
        )
        sessions = {name: stack.enter_context(started(each)) for name, each in contenders.items()}
        sizes = {name: len(_call(sessions[name], each)) for name, each in contenders.items()}
        jobs = {name: lambda name=name: _calls(sessions[name], contenders[name]) for name in contenders}
        before = {name: session.processor_s() for name, session in sessions.items()}
        calls = interleaved(jobs, ROUNDS)
        spent = {name: (sessions[name].processor_s() - before[name]) / CALLS / (ROUNDS + 1) for name in sessions}
    progress("")
    print(f"A window of {LINES} lines of {path.name} over stdio, Python {sys.version.split()[0]}, medians of one run\n")
    print("| server | initialised after | calls a second | bytes a call | beside the bare SDK | its processor time |")
    print("|---|---|---|---|---|---|")
    for name in contenders:
        beside = ratio(calls[name], calls[BARE])
        cells = [
            name,
            f"{statistics.median(starts[name]) * 1000:.0f} ms",
            f"{CALLS / statistics.median(calls[name]):.0f}",
            str(sizes[name]),
            f"{beside.value:.2f} x ({beside.low:.2f}-{beside.high:.2f})",
            f"{spent[name] / spent[BARE]:.2f} x" if spent[name] else "–",  # of a launcher, the child is not counted
        ]
        print(f"| {' | '.join(cells)} |")
    print()
    print(token_table())


def _contenders(path: Path, folder: Path) -> dict[str, Contender]:
    ours = Contender(
        [sys.executable, "-m", "readwell", "mcp", "--root", str(LIBRARY)], "read", {"path": path.name, "limit": LINES}
    )
    with started(ours) as session:
        reply = json.loads(_call(session, ours))["result"]["content"][0]["text"]
    (folder / "reply.txt").write_text(reply)
    bare = Contender([sys.executable, str(HERE / "echo_server.py"), str(folder / "reply.txt")], "read", {})
    return {OURS: ours, BARE: bare, **_peer(path)}


def _peer(path: Path) -> dict[str, Contender]:
    installed = subprocess.run([sys.executable, HERE.parent / "scripts/node.py"], capture_output=True, text=True)
    if installed.returncode:
        warn(f"SKIPPED {PEER}: {installed.stderr.partition(chr(10))[0]}")
        return {}
    tools = Path(installed.stdout.strip())
    program = [str(tools / "env/bin/node"), str(tools / "node_modules/.bin/mcp-server-filesystem"), str(LIBRARY)]
    return {PEER: Contender(program, "read_text_file", {"path": str(path), "head": LINES})}


@contextmanager
def started(contender: Contender) -> Iterator[Session]:
    """Starts a server and initialises the session."""
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(contender.command, stdin=pipe, stdout=pipe, stderr=nowhere) as process:
        session = Session(process)
        session.ask("initialize", HELLO)
        session.tell("notifications/initialized")
        yield session
        assert process.stdin
        process.stdin.close()


def _start_seconds(contender: Contender) -> float:
    """Returns the seconds from the start of the program to its answer to `initialize`."""
    with ExitStack() as stack:
        return seconds_of(lambda: stack.enter_context(started(contender)))


def _calls(session: Session, contender: Contender) -> float:
    return seconds_of(lambda: [_call(session, contender) for _ in range(CALLS)])


def _call(session: Session, contender: Contender) -> bytes:
    return session.ask("tools/call", {"name": contender.tool, "arguments": contender.arguments})


if __name__ == "__main__":
    main()
