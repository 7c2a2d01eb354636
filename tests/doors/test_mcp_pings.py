"""Whatever is asked of a server, the next message is answered meanwhile: no call keeps the event loop for itself."""

import json
import subprocess
import threading
import time

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp_serving import environment, server_command

from costly_trees import costly_trees

HANG_S = 20.0
PAUSE_S = 0.01
DEADLINE_S = 4
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pings", "version": "1"}}
READS = [
    {"path": "chained"},
    {"path": "chained/L0/../L1/../L2/a"},
    {"path": "chained", "view": "outline"},
    {"path": "deep/" + "d/" * 700},
    {"path": "deep/" + "d/../" * 800 + "missing"},
    {"path": "deep", "view": "outline"},
    {"paths": ["**/*.txt"]},
    {"paths": ["chained/L*/*"]},
    {"paths": ["deep/" + "**/x/" * 100]},
    {"path": "patterns/" + "d/" * 20},
    {"path": "patterns/" + f"{'n' * 255}/" * 15},
    {"path": "large.log", "offset": -1},
]
SEARCHES = [
    {"pattern": "(a?){1000}b"},
    {"pattern": "x", "path": "chained"},
    {"pattern": "x", "paths": ["deep/" + "**/x/" * 100]},
    {"pattern": "[a-z]+ of .*log", "path": "large.log", "limit": 2000},
]


class Talk:
    """A conversation with a server; answers are noted by a thread as they come, with their time."""

    def __init__(self, server):
        self._server, self._answers, self._came = server, {}, threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self._server.stdout:
            with self._came:
                self._answers[json.loads(line).get("id")] = time.monotonic()
                self._came.notify_all()

    def send(self, method, number=None, **params):
        message = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
        line = json.dumps(message if number is None else {**message, "id": number})
        self._server.stdin.write(line.encode() + b"\n")
        self._server.stdin.flush()

    def ping(self, number):
        """How long the answer took."""
        began = time.monotonic()
        self.send("ping", number)
        with self._came:
            assert self._came.wait_for(lambda: number in self._answers, HANG_S), "a ping was not answered"
            return self._answers[number] - began

    def answered(self, number):
        with self._came:
            return number in self._answers


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    with costly_trees(tmp_path_factory.mktemp("trees")) as folder:
        (folder / "large.log").write_bytes(b"a line of a log\n" * 1_000_000)
        yield folder


@pytest.mark.slow
def test_pings_are_answered_during_calls_of_every_tool(root):
    """How long the longest took is printed; only a hang is a failure, for the machine may be busy."""
    command = server_command("--root", root, "--deadline-s", DEADLINE_S, "--cache-dir", "none")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment(), **pipes) as server:
        talk = Talk(server)
        talk.send("initialize", 0, **HELLO)
        quiet = max(talk.ping(f"before {number}") for number in range(20))
        calls = [("read", arguments) for arguments in READS] + [("search", arguments) for arguments in SEARCHES]
        longest = {}
        for number, (name, arguments) in enumerate(calls, 1):
            talk.send("tools/call", number, name=name, arguments=arguments)
            until, pings = time.monotonic() + DEADLINE_S + HANG_S, 0
            while not (talk.answered(number) and pings) and time.monotonic() < until:
                longest[number] = max(longest.get(number, 0), talk.ping(f"{number}.{pings}"))
                pings += 1
                time.sleep(PAUSE_S)
            assert talk.answered(number), f"no answer to {name} {arguments} within {DEADLINE_S} s and {HANG_S} s"
        server.stdin.close()
        server.wait(HANG_S)
    worst = max(longest, key=lambda number: longest[number])
    print(f"before: {1000 * quiet:.1f} ms, worst: {1000 * longest[worst]:.1f} ms during {calls[worst - 1]}"[:200])
