"""Replicas of the MCP server with one cache and one record, behind nginx with the configuration that is shipped."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fleet_client import Client

DEPLOY = Path(__file__).parents[1] / "deploy"
HOST = "files.example"
HANG_S = 60
CALLERS = 8


def free_port() -> int:
    """Returns a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def token_of(number: int) -> str:
    """Returns the token of a client."""
    return f"token-of-client-{number % CALLERS}-0123456789"


class Life(NamedTuple):
    """One run of a replica: its process, and its memory in kB at times."""

    process: subprocess.Popen[str]
    memory: list[tuple[float, int]]


class Fleet:
    """Some replicas; `folder` gets the cache, the record and configurations."""

    def __init__(self, root: Path, folder: Path, replicas: int, *options: str) -> None:
        self.folder, self.record = folder, folder / "record.jsonl"
        self._root, self._options = root, options
        self.ports = [free_port() for _ in range(replicas)]
        self.lives: list[list[Life]] = [[] for _ in range(replicas)]
        tokens = "".join(f'[client-{number}]\ntoken = "{token_of(number)}"\n' for number in range(CALLERS))
        (folder / "tokens.toml").write_text(tokens)

    def start(self, number: int) -> None:
        """Starts a replica and waits until it is ready."""
        command = [sys.executable, "-m", "readwell", "mcp", "--root", str(self._root), "--allowed-host", HOST]
        command += ["--http", f"127.0.0.1:{self.ports[number]}", "--tokens-file", str(self.folder / "tokens.toml")]
        command += ["--cache-dir", str(self.folder / "cache"), "--audit", str(self.record), *self._options]
        env = {name: value for name, value in os.environ.items() if not name.startswith("READWELL_")}
        with open(self.folder / f"replica-{number}.log", "a") as log:
            self.lives[number].append(Life(subprocess.Popen(command, env=env, stderr=log, text=True), []))
        until = time.monotonic() + HANG_S
        while b" 200 " not in self._answer(number, "/ready").split(b"\r\n")[0]:
            assert time.monotonic() < until, "a replica is not ready"
            time.sleep(0.1)

    def stop(self, number: int, how: signal.Signals) -> int:
        """Ends a replica by a signal; returns its exit status."""
        process = self.lives[number][-1].process
        process.send_signal(how)
        return process.wait(HANG_S)

    def metrics(self) -> dict[str, float]:
        """Returns the sums of the metrics of all running replicas."""
        sums: dict[str, float] = {}
        for number in range(len(self.ports)):
            for line in self._answer(number, "/metrics").decode().splitlines():
                if found := re.fullmatch(r"(readwell_\S+) (\S+)", line):
                    sums[found[1]] = sums.get(found[1], 0) + float(found[2])
        return sums

    def note_memory(self, now: float) -> None:
        """Notes the resident memory of each running replica."""
        for lives in self.lives:
            process, memory = lives[-1]
            if process.poll() is None:
                with suppress(FileNotFoundError, ProcessLookupError):  # it ends just now
                    status = Path(f"/proc/{process.pid}/status").read_text()
                    if found := re.search(r"VmRSS:\s+(\d+)", status):
                        memory.append((now, int(found[1])))

    def client(self, replica: int, number: int = 0) -> Client:
        """Returns a client of one replica."""
        return Client("127.0.0.1", self.ports[replica], token_of(number), HOST)

    def close(self) -> None:
        """Ends all replicas."""
        for lives in self.lives:
            for life in lives:
                if life.process.poll() is None:
                    life.process.terminate()
                    life.process.wait(HANG_S)

    def _answer(self, number: int, path: str) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.ports[number]), timeout=HANG_S) as connection:
                token = f"Authorization: Bearer {token_of(0)}\r\n"
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{token}Connection: close\r\n\r\n".encode())
                return b"".join(iter(lambda: connection.recv(1 << 16), b""))
        except OSError:
            return b""


class Balancer:
    """nginx in front of replicas."""

    def __init__(self, ports: list[int], folder: Path) -> None:
        self.port = free_port()
        program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        assert program, "nginx is needed: apt-get install nginx-light"
        file = folder / "nginx.conf"
        file.write_text(self._configuration(ports, folder))
        self._process = subprocess.Popen([program, "-c", str(file), "-p", str(folder), "-g", "daemon off;"])
        until = time.monotonic() + HANG_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                assert time.monotonic() < until, "nginx does not listen"
                time.sleep(0.05)

    def _configuration(self, ports: list[int], folder: Path) -> str:
        """Returns the shipped configuration with the addresses of this run."""
        shipped = (DEPLOY / "nginx.conf").read_text()
        line = re.search(r" *server readwell-1:8000(.*;)\n", shipped)
        assert line
        servers = "".join(f"        server 127.0.0.1:{port}{line[1]}\n" for port in ports)
        text = re.sub(r"( *server readwell-\d:8000.*\n)+", servers, shipped)
        text = text.replace("listen 8080", f"listen 127.0.0.1:{self.port}").replace("/tmp/nginx", str(folder / "nginx"))
        return text.replace("worker_processes auto", "worker_processes 1").replace(
            "/dev/stderr", str(folder / "nginx.log")
        )

    def close(self) -> None:
        """Ends nginx."""
        self._process.terminate()
        self._process.wait(HANG_S)
