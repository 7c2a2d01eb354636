"""Things that are no plain files, files that change under the read, and reads that run out of something."""

import concurrent.futures
import contextlib
import ctypes
import gc
import itertools
import json
import os
import pty
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest

from every_dialect import PARAMS, require_every_dialect
from readwell import Reader
from readwell.dialects import NAMES, dialect_named
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager
from readwell.source import open_by_openat2, open_by_walking
from readwell.source.confined_open import choose_open_beneath
from readwell.tool import Tool

HANG = 60
LINUX = sys.platform == "linux"
NEEDS_LINUX = pytest.mark.skipif(not LINUX, reason="NOT TESTED: Linux alone has this; run on Linux")
NEEDS_PROC = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="NOT TESTED: there is no /proc here")
OPENERS = [open_by_walking, *([open_by_openat2] if choose_open_beneath() is open_by_openat2 else [])]
every_dialect = pytest.mark.parametrize("name", NAMES)


def params(name, path, start=1):
    path_name, start_name, _ = PARAMS[name]
    return {path_name: path, start_name: start}


def ask(tool, path, start=1):
    """The reply, or a failure if it hangs."""
    answer = concurrent.futures.Future()

    def work():
        try:
            answer.set_result(tool.reply(params(tool.dialect.name, path, start)))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return answer.result(HANG)


def told(name, reply):
    """The sentence of a failure; of an envelope, its code and message."""
    if name != "envelope":
        return reply.text
    return (reply.data["error"]["code"], reply.data["error"]["message"])


SPECIAL = "is a pipe, socket or device. Read a regular file instead."
MADE_UP = "leads into what the kernel makes up, such as /proc and /sys. Copy it to a file on a disk, and read that."


def not_regular(name, path):
    return require_every_dialect(
        {
            "native": f"[error NOT_REGULAR] '{path}' {MADE_UP if path.startswith(('/proc/', '/sys/')) else SPECIAL}",
            "qq": f"Error: '{path}' is not a regular file.",
            "envelope": ("INVALID_PARAM", f"Path '{path}' is not a regular file."),
            "opencode": f"Cannot read special file: {os.path.abspath(path)}",
        }
    )[name]


def descriptors():
    """How many descriptors this process holds, without those that only garbage keeps."""
    gc.collect()
    return len(os.listdir("/dev/fd"))


# --- pipes, sockets, devices, pseudo files ------------------------------------------------------


@pytest.fixture
def specials(tmp_path, monkeypatch):
    """A current directory with a pipe, a socket and links to them."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.symlink("pipe", "pipe.txt")
    os.symlink("sock", "sock.txt")
    (tmp_path / "text.txt").write_bytes(b"one\ntwo\n")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        listener.listen()
        yield tmp_path


@every_dialect
@pytest.mark.parametrize("path", ["pipe", "pipe.txt", "sock", "sock.txt", "./pipe"])
def test_pipes_and_sockets_are_refused_without_blocking(specials, name, path):
    tools = [Tool(dialect_named(name)), *(Tool(dialect_named(name), (".",), beneath=beneath) for beneath in OPENERS)]
    for tool in tools:
        with contextlib.closing(tool):
            assert told(name, ask(tool, path)) == not_regular(name, path)


@every_dialect
@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero", "/dev/random", "/dev/tty"])
def test_devices_are_refused(name, path):
    if not os.path.exists(path):
        pytest.skip(f"NOT TESTED: there is no {path} here")
    assert told(name, ask(Tool(dialect_named(name)), path)) == not_regular(name, path)
    for beneath in OPENERS:
        with contextlib.closing(Tool(dialect_named(name), ("/dev",), beneath=beneath)) as tool:
            assert told(name, ask(tool, path)) == not_regular(name, path)


@NEEDS_PROC
@every_dialect
@pytest.mark.parametrize(
    "path", ["/proc/version", "/proc/self/status", "/proc/self/maps", "/proc/mounts", "/proc/cpuinfo"]
)
def test_pseudo_files_that_tell_no_size_are_refused(name, path):
    assert told(name, ask(Tool(dialect_named(name)), path)) == not_regular(name, path)


@every_dialect
def test_a_pseudo_file_that_tells_a_size_is_refused_too(name):
    path = "/sys/devices/system/cpu/online"
    if not os.path.exists(path):
        pytest.skip("NOT TESTED: there is no /sys here")
    assert told(name, ask(Tool(dialect_named(name)), path)) == not_regular(name, path)


@NEEDS_LINUX
def test_a_refused_pseudo_file_keeps_its_bytes():
    """Reading the kernel's log takes from it what another reader waits for."""
    libc = ctypes.CDLL(None)
    before = libc.klogctl(9, None, 0)
    if before <= 0 or not os.access("/proc/kmsg", os.R_OK):
        pytest.skip("NOT TESTED: the kernel's log is empty or closed to this user; run as root")
    assert told("native", ask(Tool(dialect_named("native")), "/proc/kmsg")) == not_regular("native", "/proc/kmsg")
    assert libc.klogctl(9, None, 0) >= before


@every_dialect
def test_bytes_in_a_pipe_stay_there(specials, name):
    end = os.open("pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(end, b"kept\n")
        assert told(name, ask(Tool(dialect_named(name)), "pipe")) == not_regular(name, "pipe")
        assert os.read(end, 100) == b"kept\n"
    finally:
        os.close(end)


@every_dialect
def test_a_writer_that_waits_at_a_pipe_goes_on_waiting_for_its_reader(specials, name):
    """A writer let in by a refused read would find nobody there, lose its bytes and be killed."""
    failed = []

    def write():
        try:
            with open("pipe", "wb") as pipe:
                pipe.write(b"kept\n")
        except OSError as error:
            failed.append(type(error))

    writer = threading.Thread(target=write)
    writer.start()
    time.sleep(0.2)
    answer = told(name, ask(Tool(dialect_named(name)), "pipe"))
    time.sleep(0.05)
    end = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        writer.join(HANG)
        assert (answer, failed, os.read(end, 100)) == (not_regular(name, "pipe"), [], b"kept\n")
    finally:
        os.close(end)


@every_dialect
def test_what_was_typed_at_a_terminal_stays_there(name):
    master, slave = pty.openpty()
    try:
        path = os.ttyname(slave)
        os.write(master, b"typed\n")
        assert told(name, ask(Tool(dialect_named(name)), path)) == not_regular(name, path)
        assert os.read(slave, 100) == b"typed\n"
    finally:
        os.close(master)
        os.close(slave)


def test_a_terminal_does_not_become_the_controlling_one():
    master, slave = pty.openpty()
    script = (
        "import os, sys; from readwell import Reader; print(Reader(root=None).reply({'path': sys.argv[1]}).is_error)\n"
        "try: os.open('/dev/tty', os.O_RDONLY)\nexcept OSError: print('none')"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", script, os.ttyname(slave)],
            capture_output=True, stdin=subprocess.DEVNULL, start_new_session=True, timeout=HANG, check=True,
        )  # fmt: skip
    finally:
        os.close(master)
        os.close(slave)
    assert done.stdout == b"True\nnone\n"


@pytest.mark.slow
@every_dialect
def test_after_a_thousand_pipes_a_file_is_read_as_ever(specials, name):
    for number in range(1000):
        os.mkfifo(f"pipe{number}")
    with contextlib.closing(Tool(dialect_named(name), (".",))) as tool:
        before = descriptors()
        replies = [told(name, tool.reply(params(name, f"pipe{number}"))) for number in range(1000)]
        assert replies == [not_regular(name, f"pipe{number}") for number in range(1000)]
        assert tool.read(params(name, "text.txt")).lines == ["one", "two"]
        assert descriptors() == before


# --- descriptors --------------------------------------------------------------------------------


def fill(root):
    """Puts one of each kind of thing into a root, and something beside it."""
    for folder in (root / "folder", root.parent / "outside"):
        folder.mkdir(parents=True)
    (root / "text.txt").write_bytes(b"one\ntwo\n")
    (root / "empty.txt").write_bytes(b"")
    (root / "wide.txt").write_bytes("\ufeffone\ntwo\n".encode("utf-16-le"))
    (root / "binary.dat").write_bytes(bytes(range(256)) * 8)
    (root / "paper.pdf").write_bytes(b"%PDF-1.4\n")
    (root / "long.txt").write_bytes(b"x" * 300_000)
    (root / "locked.txt").write_bytes(b"locked\n")
    (root / "locked.txt").chmod(0)
    (root / "folder" / "inner.txt").write_bytes(b"inner\n")
    (root.parent / "outside" / "secret.txt").write_bytes(b"secret\n")
    os.mkfifo(root / "pipe")
    for name, target in {
        "link": "text.txt", "abs_link": root / "text.txt", "folder_link": "folder", "loop": "loop", "broken": "nothing",
        "out": "../outside/secret.txt", "out_folder": "../outside", "back": "../root/text.txt",
    }.items():  # fmt: skip
        (root / name).symlink_to(target)


KINDS = [
    "text.txt", "empty.txt", "wide.txt", "binary.dat", "paper.pdf", "long.txt", "locked.txt", "folder", ".", "folder/inner.txt",
    "pipe", "link", "abs_link", "folder_link/inner.txt", "loop", "broken", "out", "out_folder/secret.txt", "back", "..",
    "../outside/secret.txt", "texd.txt", "nothing/at/all", "text.txt/", "text.txt/x", "/dev/null", "a\0b", "", "x" * 300,
]  # fmt: skip


@pytest.mark.slow
def test_two_thousand_calls_of_every_kind_leave_no_descriptor_open(tmp_path):
    root = tmp_path / "root"
    fill(root)

    def broken_progress(done, total, what):
        raise ZeroDivisionError

    faces = faces_of(str(root))
    hurried, interrupted = Reader(root, deadline_s=0), Reader(root, on_progress=broken_progress)
    late = EnvelopeTool(root, deadline_s=0)
    calls = [lambda path, start, face=face: face(path, start) for face in faces.values()]
    calls.append(lambda path, start: hurried.reply({"path": path, "offset": start}))
    calls.append(lambda path, start: late.run({"path": path, "start_line": start}))
    calls.append(lambda path, start: interrupted.reply({"path": path, "offset": start}))

    def call_all():
        """Also with documents, so that whoever converts holds the one descriptor of its worker from now on."""
        for call, path, start in itertools.product(calls, KINDS, (1, 2, 999)):
            with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
                call(path, start)
        return len(calls) * len(KINDS) * 3

    call_all()
    before, made = descriptors(), 0
    while made < 2000:
        made += call_all()
    assert descriptors() == before
    (root / "locked.txt").chmod(0o600)


@pytest.mark.slow
def test_tools_that_are_closed_or_forgotten_leave_no_descriptor_open(tmp_path):
    before = descriptors()
    for _ in range(50):
        Reader(tmp_path).close()
        with Reader([tmp_path, tmp_path]) as reader:
            reader.reply({"path": "."})
        for tool in (FileManager(tmp_path), EnvelopeTool(tmp_path), OpencodeTool(root=tmp_path)):
            del tool
        with pytest.raises(ValueError):
            Reader([tmp_path, tmp_path / "nothing"])
    del reader
    assert descriptors() == before


def faces_of(root):
    """The faces, each as a function of a path and a first line that gives something JSON can carry."""
    native, qq, envelope, opencode = Reader(root), FileManager(root), EnvelopeTool(root), OpencodeTool(root=root)

    def execute(path, start):
        try:
            return opencode.execute_sync({"filePath": path, "offset": start})["output"]
        except (OSError, ValueError) as error:
            return [type(error).__name__, str(error)]

    def run(path, start):
        found = envelope.run({"path": path, "start_line": start})
        return found["error"] if found["status"] == "error" else found["data"]

    return require_every_dialect(
        {
            "native": lambda path, start: native.reply({"path": path, "offset": start}).text,
            "qq": qq.read_file,
            "envelope": run,
            "opencode": execute,
        }
    )


EXHAUSTED = """
import contextlib, json, os, resource, sys
sys.path[:] = json.loads(sys.argv[1])
from test_special_and_changing import faces_of
from readwell.dialects import dialect_named
from readwell.source import open_by_walking
from readwell.tool import Tool
root, paths = sys.argv[2], json.loads(sys.argv[3])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]

def asked(free):
    faces = faces_of(root)
    walk = Tool(dialect_named("native"), (root,), beneath=open_by_walking)
    faces["walk"] = lambda path, start: walk.reply({"path": path, "offset": start}).text
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
    held = []
    with contextlib.suppress(OSError):
        while True:
            held.append(os.open("/dev/null", os.O_RDONLY))
    for _ in range(free):
        os.close(held.pop())
    answers = {}
    for name, face in faces.items():
        for path in paths:
            try:
                answers[f"{name} {path}"] = face(path, 1)
            except BaseException as error:
                answers[f"{name} {path}"] = f"raised {error!r}"
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for descriptor in held:
        os.close(descriptor)
    return answers

print(json.dumps([asked(free) for free in map(int, sys.argv[4:])]))
"""


def too_many_open(name, root, path):
    words = "Too many open files"
    return require_every_dialect(
        {
            "native": f"[error IO_ERROR] Could not read '{path}': {words}. Read another file.",
            "walk": f"[error IO_ERROR] Could not read '{path}': {words}. Read another file.",
            "qq": f"Error: Could not read '{path}': {words}.",
            "envelope": {"code": "EXECUTION_ERROR", "message": f"Could not read '{path}': {words}."},
            "opencode": ["OSError", f"Cannot read {os.path.normpath(os.path.join(root, path))}: {words}"],
        }
    )[name]


@pytest.mark.slow
def test_running_out_of_descriptors_is_a_typed_error(tmp_path):
    """With few descriptors left each answer is the usual one or says that there are too many open files."""
    root = tmp_path.resolve() / "root"
    fill(root)
    (root / "locked.txt").unlink()
    paths = ["wide.txt", "text.txt", "folder", "folder/inner.txt", "link", "abs_link", "back", "loop", "pipe",
        "long.txt", "empty.txt", "binary.dat", "paper.pdf", "text.txt/x", "nothing"]  # fmt: skip
    words = [sys.executable, "-c", EXHAUSTED, json.dumps(sys.path), str(root), json.dumps(paths)]
    left = [0, 1, 3, 5]
    done = subprocess.run([*words, *map(str, left), "50"], capture_output=True, timeout=HANG, check=True)
    *scarce, usual = json.loads(done.stdout)
    for free, answers in zip(left, scarce, strict=True):
        for call, answer in answers.items():
            name, path = call.split(" ")
            short = too_many_open(name, str(root), path)
            assert (free, call, answer) in [(free, call, short)] + [(free, call, usual[call])] * (free > 0)
    assert [call for call, answer in usual.items() if "raised" in str(answer) or "Too many open" in str(answer)] == []


# --- files that change under the read -----------------------------------------------------------

STAMPS = itertools.count(1_000_000_000)
NOTE = "[Note: Output limited to 200 lines max per request.]"
OLD, NEW = b"one\ntwo\nthree\n", b"ONE\nTWO\nTHREE\n"


def write(file, content, mode="wb"):
    """Writes a file and gives it a time that no other write has had."""
    with open(file, mode) as stream:
        stream.write(content)
    stamp(file)


def stamp(file):
    os.utime(file, (0, next(STAMPS)))


def cut(file):
    os.truncate(file, file.stat().st_size - 2)
    stamp(file)


def overwrite(file):
    write(file, NEW, "r+b")


def append(file):
    write(file, b"four\n", "ab")


def save_longer(file):
    """Empties the file and writes more than there was: by its size alone it has only grown."""
    write(file, b"uno\ndos\ntres\ncuatro\n")


def replace(file):
    other = file.with_name("other")
    write(other, b"another\n")
    other.replace(file)


def remove(file):
    file.unlink(missing_ok=True)


class Changing:
    """A file in a root of its own, changed for real each time a read has opened it and begins to look."""

    def __init__(self, folder, change, times):
        self.file = folder / "file.txt"
        self.change, self.left = change, times
        write(self.file, OLD)

    def __call__(self, done, total, what):
        unchanged = self.file.exists() and self.file.stat().st_size == total
        if self.left and done == 0 and unchanged:
            self.left -= 1
            self.change(self.file)

    def tool(self, name):
        return Tool(dialect_named(name), (str(self.file.parent),), on_progress=self)


def seen(result):
    """What a reader learns: the lines and all numbers, and what it is told of changes."""
    window = result.window
    return (
        result.lines,
        window.start,
        window.end,
        window.total,
        window.next,
        (result.state == "grown"),
        (result.state == "changed"),
    )


UNCHANGED = (["two", "three"], 2, 3, 3, None, False, False)
GROWN = (["two", "three"], 2, 3, 3, None, True, False)


@every_dialect
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (cut, (["two", "thre"], 2, 3, 3, None, False, False)),
        (overwrite, (["TWO", "THREE"], 2, 3, 3, None, False, False)),
        (stamp, UNCHANGED), (append, GROWN), (replace, UNCHANGED), (remove, UNCHANGED),
        (save_longer, (["dos", "tres", "cuatro"], 2, 4, 4, None, False, False)),
    ],
    ids=["cut", "overwritten", "touched", "appended to", "replaced", "removed", "saved longer"],
)  # fmt: skip
def test_a_file_that_changes_once_is_read_as_one_version(tmp_path, name, change, expected):
    changing = Changing(tmp_path, change, times=1)
    result = changing.tool(name).read(params(name, "file.txt", 2))
    assert (seen(result), changing.left) == (expected, 0)


@every_dialect
@pytest.mark.parametrize("change", [cut, overwrite, stamp], ids=["cut", "overwritten", "touched"])
def test_a_file_that_changes_twice_is_told(tmp_path, name, change):
    changing = Changing(tmp_path, change, times=2)
    reply = changing.tool(name).reply(params(name, "file.txt", 2))
    if name == "native":
        message = "the file changed while it was read: read it again"
        assert reply.data["notices"][-1] == {"code": "changed", "message": message, "lines": []}
        assert reply.text.split("\n")[-2] == f"[note: {message}]"
        return
    words = require_every_dialect(
        {
            "qq": "Error: 'file.txt' changed while it was being read.",
            "envelope": ("CONFLICT", "File 'file.txt' changed while it was being read."),
            "opencode": f"Cannot read {tmp_path}/file.txt: it changed while it was being read",
        },
        but=["native"],
    )
    assert told(name, reply) == words[name]
    assert name != "opencode" or type(reply.exception) is OSError


@every_dialect
def test_a_file_that_goes_on_growing_keeps_the_numbers_of_its_opening(tmp_path, name):
    changing = Changing(tmp_path, append, times=1)
    reply = changing.tool(name).reply(params(name, "file.txt", 2))
    growing = "the file is growing: numbers are those of the moment it was opened"
    notice = {"code": "growing", "message": growing, "lines": []}
    shown = {
        "native": lambda: (reply.data["notices"], reply.data["size"], reply.data["total"]),
        "qq": lambda: reply.text.split("\n"),
        "envelope": lambda: (reply.data["status"], *map(reply.data["stats"].get, ("total_lines", "file_size_bytes"))),
        "opencode": lambda: reply.text.split("\n")[3:],
    }
    expected = {
        "native": ([notice], len(OLD), 3),
        "qq": ["[File: file.txt | Lines 2-3 of 3]", NOTE, "-" * 40, "two", "three"],
        "envelope": ("success", 3, len(OLD)),
        "opencode": ["2: two", "3: three", "", "(End of file - total 3 lines)", "</content>"],
    }
    assert require_every_dialect(shown)[name]() == require_every_dialect(expected)[name]


@every_dialect
def test_no_number_is_taken_from_two_versions_of_a_file(tmp_path, name):
    """Half of the lines counted before a change and half after it is a number of no file at all."""
    many, one = b"a\n" * (1 << 20), b"b" * (2 << 20)
    file = tmp_path / "file.txt"
    write(file, many)

    def change(done, total, what):
        if done and file.read_bytes() == many:
            write(file, one, "r+b")

    reply = Tool(dialect_named(name), (str(tmp_path),), on_progress=change).reply(params(name, "file.txt", 900_000))
    valid = "Valid range: 1 to 1."
    assert (
        told(name, reply)
        == require_every_dialect(
            {
                "native": "[error OUT_OF_RANGE] Offset 900000 is past the end of 'file.txt' (1 line). Use offset=1.",
                "qq": "Start line 900000 is out of bounds. Total lines: 1.",
                "envelope": ("INVALID_PARAM", f"Invalid start_line: 900000 exceeds file length (1 lines). {valid}"),
                "opencode": "Offset 900000 is out of range for this file (1 lines)",
            }
        )[name]
    )


@every_dialect
def test_a_file_that_is_cut_and_then_grows_within_one_read_is_read_as_one_version(tmp_path, name):
    """A save in place does this: it shortens a file, then makes it longer than it was."""
    file, cut_short, saved = tmp_path / "file.txt", b"old " * 25_000, b"new\n" * 100_000
    write(file, cut_short * 2)
    looks = itertools.count(1)

    def save(done, total, what):
        look = next(looks) if total == 2 * len(cut_short) else None
        if look == 1:
            os.truncate(file, len(cut_short))
            stamp(file)
        elif look == 3:
            write(file, saved)

    result = Tool(dialect_named(name), (str(tmp_path),), on_progress=save).read(params(name, "file.txt"))
    lines = {len(cut_short): [cut_short.decode()], len(saved): ["new"] * 100_000}[result.size]
    counts = require_every_dialect({"native": True, "qq": True, "envelope": True, "opencode": False})[name]
    total = len(lines) if counts or not result.window.next else None
    shown = [line[: len(seen)] for line, seen in zip(lines, result.lines, strict=False)]
    assert (result.lines, result.window.total, (result.state == "changed")) == (shown, total, False)


@every_dialect
def test_a_file_that_is_saved_again_and_again_never_breaks_a_reply(tmp_path, name):
    """Whatever a read meets while another process saves, it answers with whole sentences and true numbers."""
    file = tmp_path / "file.txt"
    file.write_bytes(b"0\n")
    script = (
        "import itertools, sys\n"
        "for turn in itertools.count():\n"
        "    with open(sys.argv[1], 'wb') as file:\n"
        "        file.write(b'%d\\n' % (turn % 10) * (turn % 7 * 20_000))\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", script, str(file)])
    tool = Tool(dialect_named(name), (str(tmp_path),), clock=lambda: 0.0)
    try:
        replies = [tool.reply(params(name, "file.txt")) for _ in range(300)]
    finally:
        writer.kill()
        writer.wait()
    assert [reply.text for reply in replies if not is_whole(name, reply)] == []


def is_whole(name, reply):
    """Whether every number stands, and each line is one that was written."""
    forms = require_every_dialect(
        {"native": is_whole_native, "qq": is_whole_qq, "envelope": is_whole_envelope, "opencode": is_whole_opencode}
    )
    return forms[name](reply)


def is_whole_native(reply):
    whole = r"\[error CHANGED\] .+|\[file\.txt \| lines \d+-\d+ of (\d+|\?) \| utf-8( LF)? \| rev [0-9a-f]{12}\]\n(\d+\t\d?\n)*(\[note: .+\]\n)*\[.+\]"
    return re.fullmatch(whole, reply.text)


def is_whole_qq(reply):
    page = rf"\[File: file\.txt \| Lines \d+-\d+ of \d+\]\n{re.escape(NOTE)}\n-{{40}}(\n\d?)+"
    changed = r"Error: 'file\.txt' changed while it was being read\."
    return re.fullmatch(rf"{page}|Start line 1 is out of bounds\. Total lines: 0\.|{changed}", reply.text)


def is_whole_opencode(reply):
    whole = r"<path>.+</path>\n<type>file</type>\n<content>\n(\d+: \d?\n)*\n\(.+\)\n</content>"
    return re.fullmatch(whole, reply.text) or reply.text.endswith("it changed while it was being read")


def is_whole_envelope(reply):
    if reply.is_error:
        return reply.data["error"]["code"] == "CONFLICT"
    return (
        re.fullmatch(r"( *\d+ \| \d?\n)*", reply.data["data"]["content"]) and None not in reply.data["stats"].values()
    )


@pytest.mark.slow
def test_a_file_that_is_empty_now_and_then_is_never_taken_for_a_device(tmp_path):
    file = tmp_path / "file.txt"
    file.write_bytes(b"0\n")
    script = (
        "import os, sys\n"
        "file = os.open(sys.argv[1], os.O_WRONLY)\n"
        "while True:\n"
        "    os.ftruncate(file, 0)\n"
        "    os.pwrite(file, b'0\\n', 0)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(file)]) for _ in range(6)]
    tool = Tool(dialect_named("qq"), (str(tmp_path),))
    try:
        said = {tool.reply(params("qq", "file.txt")).text.split("\n")[0] for _ in range(3000)}
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    changed = "Error: 'file.txt' changed while it was being read."
    assert said <= {"[File: file.txt | Lines 1-1 of 1]", "Start line 1 is out of bounds. Total lines: 0.", changed}


@pytest.mark.parametrize("name", ["native", "opencode"])
def test_a_directory_that_changes_once_is_listed_as_it_then_is(tmp_path, name):
    (tmp_path / "root").mkdir()
    root = tmp_path / "root"
    (root / "old.txt").write_bytes(b"old\n")
    stamp(root)

    def change(done, total, what):
        if (root / "old.txt").exists():
            (root / "old.txt").rename(root / "new.txt")
            stamp(root)

    result = Tool(dialect_named(name), (str(root),), on_progress=change).read(params(name, "."))
    expected = ["new.txt\t4"] if name == "native" else ["new.txt"]
    assert (result.lines, result.window.total, (result.state == "changed")) == (expected, 1, False)


# --- deadlines ----------------------------------------------------------------------------------

LINES_FIRST = b"x\n" * 32_768


@pytest.fixture
def large(tmp_path):
    """Tens of megabytes: lines first, then one line without an end."""
    file = tmp_path / "large.txt"
    file.write_bytes(LINES_FIRST + bytes((48 << 20) - len(LINES_FIRST)))
    return file


def took_too_long(name, path, seconds, folder):
    return require_every_dialect(
        {
            "native": f"[error TIMEOUT] Reading '{path}' took longer than {seconds} s. Try total=\"lazy\" or a smaller offset.",
            "qq": f"Error: Reading '{path}' took too long.",
            "envelope": ("TIMEOUT", f"Reading '{path}' took too long."),
            "opencode": f"Cannot read {folder}/{path}: it took longer than {seconds} s",
        }
    )[name]


@every_dialect
def test_a_deadline_that_passes_ends_the_read(large, name):
    with contextlib.closing(Tool(dialect_named(name), (str(large.parent),), deadline_s=1e-9)) as tool:
        before = descriptors()
        reply = tool.reply(params(name, "large.txt", 40_000))
        assert told(name, reply) == took_too_long(name, "large.txt", "1e-09", large.parent)
        assert reply.is_error is True
        assert name != "opencode" or isinstance(reply.exception, OSError)
        assert descriptors() == before


@every_dialect
def test_a_deadline_ends_a_read_in_the_middle(large, name):
    """A clock of whole seconds that moves at each look: the tenth is too late, however fast the machine."""
    clock, done = itertools.count(), []
    tool = Tool(
        dialect_named(name), (str(large.parent),), deadline_s=10, clock=lambda: float(next(clock)),
        on_progress=lambda at, total, what: done.append((at, total, what)),
    )  # fmt: skip
    reply = tool.reply(params(name, "large.txt", 40_000))
    assert told(name, reply) == took_too_long(name, "large.txt", "10", large.parent)
    assert done == sorted(set(done)) and done[0] == (0, 48 << 20, "scan") and 0 < done[-1][0] < 24 << 20


@every_dialect
def test_a_read_within_its_deadline_is_not_disturbed(large, name):
    tool = Tool(dialect_named(name), (str(large.parent),), deadline_s=HANG)
    assert tool.read(params(name, "large.txt", 32_768)).lines[0] == "x"


@pytest.mark.parametrize("name", ["native", "opencode"])
def test_a_deadline_holds_for_a_directory_too(tmp_path, name):
    (tmp_path / "a.txt").write_bytes(b"a\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.txt").write_bytes(b"b\n")
    tool = Tool(dialect_named(name), (str(tmp_path),), deadline_s=1e-9)
    assert told(name, tool.reply(params(name, "folder"))) == took_too_long(name, "folder", "1e-09", tmp_path)


# --- memory -------------------------------------------------------------------------------------

MEGABYTES = 200
ALLOWED_KB = 16 * 1024

PEAK = """
import json, sys
from readwell.dialects import dialect_named
from readwell.tokens import count_tokens
from readwell.tool import Tool

def kilobytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))

tool = Tool(dialect_named(sys.argv[1]), (sys.argv[2],))
for letters in ("x" * 9999, "y" * 99 + "\\n", "\\0" * 9999):  # what the counter takes for one window
    count_tokens(letters * (100_000 // len(letters)))
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")  # from now on: what the counter took to load is not what a file takes
before = kilobytes("VmRSS")
shown = []
for params in json.loads(sys.argv[3]):
    reply = tool.reply(params)
    shown.append(reply.is_error)
print(json.dumps([shown, kilobytes("VmHWM") - before]))
"""


@pytest.fixture(scope="module")
def huge(tmp_path_factory):
    """A file of one line and a file of many, removed when done."""
    folder = tmp_path_factory.mktemp("huge")
    with open(folder / "one.txt", "wb") as file:
        file.write(b"x" * (1 << 20))
        file.truncate(MEGABYTES << 20)
    with open(folder / "many.txt", "wb") as file:
        lines = (b"y" * 99 + b"\n") * 10_000
        for _ in range((MEGABYTES << 20) // len(lines) + 1):
            file.write(lines)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@NEEDS_PROC
@every_dialect
@pytest.mark.parametrize("file", ["one.txt", "many.txt"])
def test_memory_stays_flat_however_large_the_file(huge, name, file):
    starts = [1] if file == "one.txt" else [1, 1_000_000, 2_000_000]
    calls = [params(name, file, start) for start in starts]
    if name == "native":
        calls.append(params(name, file, -5) | {"total": "lazy"})
        calls.append({"path": file, "column": 50_000_000 if file == "one.txt" else 50})
    done = subprocess.run(
        [sys.executable, "-c", PEAK, name, str(huge), json.dumps(calls)], capture_output=True, timeout=HANG, check=True
    )
    shown, peak = json.loads(done.stdout)
    assert shown == [False] * len(calls)
    assert peak <= ALLOWED_KB
