"""Builds the container's image step by step in clean Debian roots, and runs it as its container would.

Where a container engine runs, `docker build .` does this. Without one, each instruction of the Dockerfile is carried
out with debootstrap and chroot, and the server is started with the rights that the Dockerfile's first lines give it: a
read-only root, no capabilities, its own user, no network but its own. A real MCP client then reads a document there.
Needs root, and debootstrap from Debian. `container.py` builds and tries; the images are in build/container.
"""

import asyncio
import fcntl
import json
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

PROJECT = Path(__file__).parent.parent
BUILD = PROJECT / "build" / "container"
TOKEN = "a-token-of-this-trial"
FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
WITHOUT_CAPABILITIES = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]


@dataclass(slots=True)
class Stage:
    """A file system in the making, and what the instructions said about the process that will run in it."""

    root: Path
    folder: str = "/"
    user: str = "0"
    environment: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    )
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def words(self, command: list[str], *options: str) -> list[str]:
        """Returns the command that runs `command` inside the root, as the user of the image."""
        identity = [f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        inside = ["env", "-i", *(f"{name}={value}" for name, value in self.environment.items()), *command]
        change = f"cd {shlex.quote(self.folder)} && exec {shlex.join(inside)}"
        return ["chroot", str(self.root), "setpriv", *identity, *options, "sh", "-c", change]


def main() -> int:
    if sys.argv[1:]:
        return serve(stage_of(json.loads(sys.argv[1])))
    stage = build(instructions((PROJECT / "Dockerfile").read_text()))
    itself = [sys.executable, __file__, json.dumps(fields(stage))]
    return subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", *itself]).returncode


def instructions(text: str) -> list[tuple[str, str]]:
    """Returns the names and the arguments of a Dockerfile's instructions."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M))
    lines = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [(name, rest.strip()) for name, _, rest in lines]


def build(steps: list[tuple[str, str]]) -> Stage:
    """Carries the instructions out and returns the last stage."""
    stages: dict[str, Stage] = {}
    for name, rest in steps:
        print(f"{name} {rest}", flush=True)
        if name == "FROM":
            image, _, alias = rest.partition(" AS ")
            stage = stages[alias] = start(image, alias or "final")
        elif name == "COPY":
            copy(stage, stages, shlex.split(rest))
        elif name == "RUN":
            run_step(stage, rest)
        else:
            describe(stage, name, rest)
    return stage


def start(image: str, alias: str) -> Stage:
    """Makes a stage from a clean Debian with its own Python, where the image is the official one of Python."""
    wanted = re.fullmatch(r"python:(3\.\d+)-slim-(\w+)(@sha256:\w+)?", image)
    if not wanted:
        sys.exit(f"container: cannot replay the base image {image}")
    version, suite = wanted[1], wanted[2]
    base = BUILD / suite
    if not base.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        packages = "--include=python3,python3-venv,ca-certificates"
        subprocess.run(["debootstrap", "--variant=minbase", packages, suite, base, *mirror()], check=True)
        (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    root = BUILD / alias
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", base, root], check=True)
    stage = Stage(root)
    found = subprocess.run(stage.words(["python", "--version"]), stdout=subprocess.PIPE, text=True, check=True).stdout
    if not found.startswith(f"Python {version}."):
        sys.exit(f"container: {suite} has {found.strip()}, the image has {version}")
    return stage


def mirror() -> list[str]:
    """Returns the address of the Debian mirror that this machine uses, if it says so."""
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    found = re.search(r"^URIs: (\S+)", sources.read_text(), re.M) if sources.exists() else None
    return [found[1]] if found else []


def copy(stage: Stage, stages: dict[str, Stage], words: list[str]) -> None:
    source = PROJECT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, to = words
    target = stage.root / Path(stage.folder, to).as_posix().lstrip("/")
    for name in names:
        found = source / name.lstrip("/")
        if found.is_dir():
            shutil.copytree(found, target, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy(found, target)


def run_step(stage: Stage, command: str) -> None:
    """Runs a command of the build with this machine's network: its names, certificates and package index."""
    for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(name).exists():
            shutil.copy(name, stage.root / name.lstrip("/"))
    index = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_CERT"))}
    builder = Stage(stage.root, stage.folder, environment={**stage.environment, **index})
    subprocess.run(builder.words(["sh", "-c", command]), check=True)


def describe(stage: Stage, name: str, rest: str) -> None:
    """Notes what an instruction says about the process that will run."""
    if name == "WORKDIR":
        stage.folder = rest
        (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
    elif name == "ENV":
        values = (word.partition("=") for word in shlex.split(rest))
        stage.environment |= {key: value.replace("$PATH", stage.environment["PATH"]) for key, _, value in values}
    elif name == "USER":
        stage.user = rest
    elif name == "HEALTHCHECK":
        stage.health = json.loads(rest.partition("CMD ")[2])
    elif name == "ENTRYPOINT":
        stage.entrypoint = json.loads(rest)
    elif name == "CMD":
        stage.command = json.loads(rest)
    elif name not in ("VOLUME", "EXPOSE"):
        sys.exit(f"container: cannot replay {name}")


def fields(stage: Stage) -> dict[str, object]:
    return {**asdict(stage), "root": str(stage.root)}


def stage_of(values: dict[str, object]) -> Stage:
    return Stage(Path(str(values.pop("root"))), **values)  # type: ignore[arg-type]


def serve(stage: Stage) -> int:
    """Starts the server in namespaces of its own, asks for its health, reads a document, ends it by SIGTERM."""
    loopback_up()
    mounts(stage.root)
    stage.environment["READWELL_TOKEN"] = TOKEN
    server = subprocess.Popen(stage.words([*stage.entrypoint, *stage.command], *WITHOUT_CAPABILITIES))
    try:
        wait_for_health(stage, server)
        asyncio.run(read_there())
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
    print(f"the server ended with {code}")
    return 0 if code == 0 else 1


def loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def mounts(root: Path) -> None:
    """Mounts as `docker run --read-only --tmpfs /tmp -v FILES:/files:ro` does, in this mount namespace alone."""
    cache = root / "cache"
    keep = f"mode=700,uid={cache.stat().st_uid}"
    for words in (
        ["--bind", root, root],
        ["-o", "remount,ro,bind", root],
        ["-t", "proc", "proc", root / "proc"],
        ["-t", "tmpfs", "tmpfs", root / "tmp"],
        ["-t", "tmpfs", "-o", keep, "tmpfs", cache],
        ["--bind", PROJECT / "examples", root / "files"],
        ["-o", "remount,ro,bind", root / "files"],
    ):
        subprocess.run(["mount", *map(str, words)], check=True)


def wait_for_health(stage: Stage, server: subprocess.Popen[bytes]) -> None:
    for _ in range(60):
        if subprocess.run(stage.words(stage.health), stderr=subprocess.DEVNULL).returncode == 0:
            print("the health check passes")
            return
        if server.poll() is not None:
            sys.exit(f"container: the server ended with {server.returncode}")
    sys.exit("container: the health check never passed")


async def read_there() -> None:
    """Reads and converts with a real client; the second read shows that the cage for documents works there."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
        Client(streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)) as client,
    ):
        for name in ("hello.py", "project/report.pdf"):
            reply = await client.call_tool("read", {"path": name, "limit": 3})
            print(reply.content[0].text)  # type: ignore[union-attr]
            if reply.is_error:
                sys.exit("container: the document was not read")


if __name__ == "__main__":
    sys.exit(main())
