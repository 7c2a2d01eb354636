"""Peers, which are alternatives to readwell: each is a process in its own environment, installed on demand.

`python benchmarks/peers.py` installs them all and prints their versions.
"""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from console import progress, warn
from timing import JobDropped

WORKER = Path(__file__).with_name("reader_worker.py")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "readwell-benchmarks"
INSTALL_S, ANSWER_S = 900, 180
ANYWHERE = ("first", "middle", "last")
QUIET = {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


class Peer(NamedTuple):
    """An alternative that reads a window; `package` is installed with `made_by` (pip or npm)."""

    name: str
    package: str = ""
    made_by: str = ""
    programs: tuple[str, ...] = ()
    least_python: tuple[int, int] = (3, 11)
    positions: tuple[str, ...] = ANYWHERE
    is_ours: bool = False


OURS = tuple(Peer(f"readwell-{how}", is_ours=True) for how in ("cold", "warm", "lazy"))
PEERS = (
    Peer("readlines"),
    Peer("islice"),
    Peer("linecache"),
    Peer("linecache-kept"),
    Peer("sed", programs=("sed",)),
    Peer("tail-head", programs=("tail", "head")),
    Peer("deepagents", "deepagents", "pip"),
    Peer("openhands-aci", "openhands-aci", "pip", least_python=(3, 12)),
    Peer("langchain-community", "langchain-community", "pip"),
    Peer(
        "mcp-filesystem", "@modelcontextprotocol/server-filesystem", "npm", ("node", "npm"), positions=("first", "last")
    ),
)
DRAWING = Peer("matplotlib", "matplotlib pypdfium2", "pip")
"""Not a peer: the environment in which plots are drawn."""


class Skipped(Exception):
    """A peer cannot take part here; the text says why."""


class Worker:
    """A running peer; a context manager that ends it."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **QUIET},
            start_new_session=True,
        )
        try:
            self.hello = self._answer()
        except BaseException:
            self.close()
            raise
        self.peak = self.peak_at_start = int(self.hello["peak"])

    def ask(self, **request: object) -> Mapping[str, Any]:
        stdin = self._process.stdin
        try:
            if stdin:
                stdin.write(json.dumps(request).encode() + b"\n")
                stdin.flush()
        except OSError:
            raise JobDropped(self._last_error()) from None
        answer = self._answer()
        if "error" in answer:
            raise JobDropped(str(answer["error"]))
        self.peak = int(answer["peak"])
        return answer

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):
                if stream:
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self) -> dict[str, Any]:
        stdout = self._process.stdout
        if stdout is None or not select.select([stdout], [], [], ANSWER_S)[0]:
            raise JobDropped(f"no answer within {ANSWER_S} s")
        line = stdout.readline()
        if not line:
            raise JobDropped(self._last_error())
        return json.loads(line)

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it ended without a word")


def start(peer: Peer, folder: Path, worker: Path = WORKER) -> Worker:
    """Installs a peer unless it is installed, and starts it; raises Skipped with the reason."""
    progress(f"starting {peer.name}")
    python, rest = _command_of(peer)
    try:
        return Worker(peer.name, [*python, str(worker), peer.name, str(folder), *rest])
    except JobDropped as why:
        raise Skipped(f"it does not start: {why}") from why


def peers_named(names: str | None) -> tuple[Peer, ...]:
    if names is None:
        return PEERS
    wanted = [] if names == "none" else names.split(",")
    unknown = set(wanted) - {peer.name for peer in PEERS}
    if unknown:
        known = ", ".join(peer.name for peer in PEERS)
        raise SystemExit(f"unknown peer: {', '.join(sorted(unknown))}; there are {known}, or none")
    return tuple(peer for peer in PEERS if peer.name in wanted)


def _command_of(peer: Peer) -> tuple[list[str], list[str]]:
    """Returns the interpreter for a peer, and further arguments of its worker."""
    for program in peer.programs:
        if shutil.which(program) is None:
            raise Skipped(f"{program} is not installed")
    if peer.is_ours:
        return [sys.executable], []
    if peer.made_by == "pip":
        return [str(installed_environment(peer) / "bin" / "python"), "-I"], []
    if peer.made_by == "npm":
        return [sys.executable, "-I"], ["node", str(_node_program_of(peer))]
    return [sys.executable, "-I"], []


def installed_environment(peer: Peer) -> Path:
    """Installs a peer with its dependencies, unless it is; returns the environment's folder, or raises Skipped."""
    python, found = _python_for(peer.least_python)
    folder = CACHE / f"{peer.name}-python{found[0]}.{found[1]}"
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *peer.package.split()]
    _install(folder, [[python, "-m", "venv", str(folder)], pip])
    return folder


def _node_program_of(peer: Peer) -> Path:
    folder = CACHE / peer.name
    npm = ["npm", "install", "--no-fund", "--no-audit", "--loglevel=error", "--prefix", str(folder), peer.package]
    _install(folder, [npm])
    return folder / "node_modules" / peer.package / "dist" / "index.js"


def _install(folder: Path, steps: list[list[str]]) -> None:
    """Runs the installation once: a folder without the mark of success is made again."""
    mark = folder / "installed"
    if mark.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    progress(f"installing into {folder.name}, this time only")
    for step in steps:
        try:
            subprocess.run(step, capture_output=True, text=True, timeout=INSTALL_S, check=True)
        except subprocess.SubprocessError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise Skipped(f"it could not be installed: {_reason(error)}") from error
    mark.touch()


def _reason(error: subprocess.SubprocessError) -> str:
    if not isinstance(error, subprocess.CalledProcessError):
        return f"it took more than {INSTALL_S} s"
    lines = [line.strip() for line in error.stderr.splitlines() if "error" in line.lower()]
    return (lines or ["no reason was given"])[-1][:300]


def _python_for(least: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    for python in _pythons():
        found = _version_of(python)
        if found and found >= least:
            return python, found
    raise Skipped(f"it needs Python {least[0]}.{least[1]} or later, and none was found")


def _pythons() -> Iterator[str]:
    yield sys.executable
    names = [f"python3.{minor}" for minor in range(12, 16)]
    yield from filter(None, map(shutil.which, names))
    versions = Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser() / "versions"
    for name in names:
        yield from map(str, sorted(versions.glob(f"*/bin/{name}")))


def _version_of(python: str) -> tuple[int, int] | None:
    ask = [python, "-c", "import sys; print(*sys.version_info[:2])"]
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        major, minor = subprocess.run(ask, capture_output=True, text=True, timeout=30, check=False).stdout.split()
        return int(major), int(minor)
    return None


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for peer in PEERS:
            try:
                with start(peer, Path(folder)) as worker:
                    hello = worker.hello
                    print(f"{peer.name}: {hello['version']}, Python {hello['python']}; {hello['settings']}")
            except Skipped as why:
                warn(f"SKIPPED {peer.name}: {why}")


if __name__ == "__main__":
    main()
