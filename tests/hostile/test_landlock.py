"""Doors that give up the rest of the disk: the kernel refuses what readwell would never ask for."""

import json
import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from small_documents import docx, paragraph  # pyright: ignore

from readwell.cage import landlock

HANG = 60
pytestmark = pytest.mark.skipif(
    landlock.version() is None, reason="NOT TESTED: this kernel has no Landlock; run on Linux 5.13 or later"
)

LOCKED_IN = """
import json, os, sys, threading
from readwell.audit import AuditFile
from readwell.dialects import dialect_named
from readwell.doors.security import restrict_to_roots
from readwell.policy import DOOR_DENIALS
from readwell.tool import Tool
roots, cache, outside = sys.argv[1:3], sys.argv[3], sys.argv[4]
audit = AuditFile(cache + ".jsonl")
tool = Tool(dialect_named("native"), roots, cache_dir=cache, denials=DOOR_DENIALS, audit=audit)
told = {"done": restrict_to_roots(roots, cache)}

def attempt(name, work):
    try:
        told[name] = work()
    except OSError as error:
        told[name] = type(error).__name__

def text(path):
    with open(path) as file:
        return file.read()

def put(path):
    with open(path, "w") as file:
        return file.write("x")

attempt("outside", lambda: text(outside))
attempt("passwd", lambda: text("/etc/passwd"))
attempt("home", lambda: os.listdir(os.path.dirname(outside)))
attempt("environ", lambda: text(f"/proc/{os.getppid()}/environ"))
attempt("write root", lambda: put(roots[0] + "/new.txt"))
attempt("write cache", lambda: put(cache + "/new"))
attempt("inside", lambda: text(roots[0] + "/a.txt"))
for path in ("a.txt", roots[1] + "/b.txt", ".", "missing", "link", ".env", "huge.txt"):
    told[path.replace(roots[1], "second")] = tool.reply({"path": path, "limit": 1}).text.split("\\n")[:2]
thread = threading.Thread(target=lambda: attempt("thread", lambda: text(outside)))
thread.start()
thread.join()
told["huge.txt"] = told["huge.txt"][0].split(" | ")[:2]
told["kept"] = len(os.listdir(cache))
print(json.dumps(told))
"""


@pytest.fixture
def places(tmp_path):
    top = tmp_path.resolve()
    for name in ("one", "two", "cache", "outside"):
        (top / name).mkdir()
    (top / "one" / "a.txt").write_text("inside\n")
    (top / "two" / "b.txt").write_text("second\n")
    (top / "outside" / "secret.txt").write_text("secret\n")
    (top / "one" / "link").symlink_to("../outside/secret.txt")
    with (top / "one" / "huge.txt").open("wb") as file:
        file.write((b"x" * 1023 + b"\n") * 67_000)  # so large that its index is kept in the cache
    return top


def test_a_process_that_is_locked_in_reads_its_roots_and_nothing_else(places):
    words = [places / "one", places / "two", places / "cache", places / "outside" / "secret.txt"]
    done = subprocess.run(
        [sys.executable, "-c", LOCKED_IN, *map(str, words)], capture_output=True, timeout=HANG, check=False, cwd="/"
    )
    assert done.stderr.decode() == ""
    told = json.loads(done.stdout)
    missing = (
        "[error NOT_FOUND] File 'missing' does not exist. Check the path, or read its directory to see what is there."
    )
    assert {name: value for name, value in told.items() if name not in ("a.txt", "second/b.txt", ".")} == {
        "done": True, "outside": "PermissionError", "passwd": "PermissionError", "home": "PermissionError",
        "environ": "PermissionError", "write root": "PermissionError", "write cache": 1, "inside": "inside\n",
        "missing": [missing], "link": ["[error ACCESS_DENIED] Path must be within the root. Use a path inside it."],
        ".env": ["[error ACCESS_DENIED] Path is excluded by policy. Read another file."], "thread": "PermissionError",
        "huge.txt": ["[huge.txt", "lines 1-1 of 67000"], "kept": 2,
    }  # fmt: skip
    assert [told[name][1] for name in ("a.txt", "second/b.txt")] == ["1\tinside", "1\tsecond"]
    assert told["."][0].startswith("[./ | directory | entries 1-1 of 3 | rev ")
    assert len((places / "cache.jsonl").read_text().splitlines()) == 7


def test_the_command_line_can_be_locked_in(places):
    command = [sys.executable, "-m", "readwell", "a.txt", "--root", places / "one", "--landlock"]
    done = subprocess.run([*command, "yes"], capture_output=True, timeout=HANG, check=False, cwd=places)
    assert (done.returncode, done.stdout.decode().split("\n")[1:], done.stderr) == (0, ["1\tinside", "[end]", ""], b"")


def test_there_is_nothing_to_be_locked_into_without_a_root(places):
    command = [sys.executable, "-m", "readwell", "a.txt", "--landlock", "yes"]
    assert subprocess.run(command, capture_output=True, timeout=HANG, check=False, cwd=places / "one").returncode == 2


def has_no_new_privileges(process):
    """What a process must give up before it may be locked in, and nothing else here gives up."""
    with open(f"/proc/{process}/status") as status:
        return "NoNewPrivs:\t1" in status.read()


@pytest.mark.skipif(find_spec("mcp") is None, reason="NOT TESTED: the SDK of the server is not installed")
@pytest.mark.parametrize(("words", "expected"), [([], True), (["--landlock", "no"], False)], ids=["default", "no"])
@pytest.mark.slow
def test_the_server_is_locked_in_unless_told_otherwise(places, words, expected):
    command = [sys.executable, "-m", "readwell", "mcp", "--root", places / "one", *words]
    environment = {**os.environ, "XDG_CACHE_HOME": str(places / "cache")}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=places, env=environment
    )
    try:
        answers = converse(process)
        assert has_no_new_privileges(process.pid) is expected
    finally:
        process.stdin.close()
        process.wait(HANG)
        process.stdout.close()
        process.stderr.close()
    shown = [answer["result"]["content"][0]["text"].split("\n")[:2][-1] for answer in answers]
    assert shown == [
        "1\tinside",
        "[error ACCESS_DENIED] Path must be within the root. Use a path inside it.",
        "[error ACCESS_DENIED] Path is excluded by policy. Read another file.",
    ]


def converse(process):
    """Says hello and reads a file inside, a link out and a secret; returns the answers."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "read", "arguments": {"path": path}},
            }
            for number, path in ((2, "a.txt"), (3, "link"), (4, ".env"))
        ),
    ]
    answers = {}
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        began = time.monotonic()
        while "id" in message and message["id"] not in answers and time.monotonic() - began < HANG:
            answer = json.loads(process.stdout.readline())
            answers[answer.get("id")] = answer
    return [answers[2], answers[3], answers[4]]


CACHE_REMOVED = """
import sys
from readwell import Reader
from readwell.doors.security import restrict_to_roots
root, cache = sys.argv[1:3]
assert restrict_to_roots([root], cache)
with Reader(root, cache_dir=cache) as reader:
    for line in sys.stdin:
        print(reader.reply({"path": line.strip()}).text.count("words"), flush=True)
"""
"""Reads a document for each name, locked in."""


def test_a_server_whose_cache_is_removed_goes_on_and_says_once_that_nothing_is_kept(tmp_path):
    root, cache = tmp_path / "root", tmp_path / "cache"
    root.mkdir()
    for number in range(3):
        (root / f"{number}.docx").write_bytes(docx(paragraph(f"words {number}")))
    with subprocess.Popen(
        [sys.executable, "-c", CACHE_REMOVED, root, cache],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        for number in range(3):
            print(f"{number}.docx", file=server.stdin, flush=True)
            assert server.stdout.readline() == "1\n"
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir()
        _, complaints = server.communicate(timeout=HANG)
    assert complaints.count("can no longer be written") == 1
