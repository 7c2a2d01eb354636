"""Parsers that do everything a parser must not do. What is attempted is the content of the document."""

import ctypes
import errno
import gc
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from readwell.documents.contract import Converter
from readwell.errors import AccessDenied, ConversionFailed, DocumentEmpty, DocumentLocked, TooLarge


class Attack:
    unit = "page"
    count = 3

    def __init__(self, content):
        name, *self.places = content.split("\n")
        self.attempt = globals()[name]

    def prepared(self):
        return b""

    def markdown(self, number):
        """The first unit tells which process it is, the second attacks, the third must not be reached by those that end."""
        if number != 2:
            return str(os.getpid())
        return self.attempt(*self.places)


class StateThatCannotTravel(Exception):
    def __init__(self):
        super().__init__(lambda: None)
        self.lock = socket

    def __reduce__(self):
        raise RuntimeError("no")

    def __str__(self):
        raise SystemExit(3)


def done():
    return "done"


def hang():
    while True:
        time.sleep(1)


def burn():
    while True:
        pass


def eat_memory():
    held = []
    while True:
        held.append(bytearray(64 << 20))


def eat_memory_natively():
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while libc.malloc(ctypes.c_size_t(64 << 20)):
        pass
    os.abort()


def segfault():
    return ctypes.string_at(0)


def abort():
    os.abort()


def overflow_the_stack():
    sys.setrecursionlimit(1 << 30)

    class Deep:
        def __repr__(self):
            return repr(self)

    return repr(Deep())


def leave():
    os._exit(0)


def die_of_an_odd_signal():
    signal.raise_signal(signal.SIGRTMIN + 3)


def print_megabytes():
    for _ in range(64):
        os.write(1, b"x" * (1 << 20))
        os.write(2, b"x" * (1 << 20))
        print("x" * (1 << 20))
        print("x" * (1 << 20), file=sys.stderr)
    sys.stdout.flush()
    return "printed"


def exit_the_program():
    sys.exit("bye")


def interrupt():
    raise KeyboardInterrupt


def raise_what_cannot_travel():
    raise StateThatCannotTravel


def raise_a_novel():
    raise ValueError("\x1b[31m" + "word \n" * 1_000_000)


def raise_locked():
    raise DocumentLocked("another name")


def raise_empty():
    raise DocumentEmpty("x", 7)


def raise_too_large():
    raise TooLarge(5)


def raise_what_may_not_cross():
    raise AccessDenied("/etc")


def raise_wrong_facts():
    raise DocumentEmpty("x", socket)


def raise_a_kind_of_its_own():
    class Odd(ConversionFailed):
        pass

    raise Odd("x", "odd")


def return_bytes():
    return b"bytes"


def return_a_huge_text():
    return "x" * (70 << 20)


def return_halves():
    return "a\ud800b\0c\x1b[31m  \r\nd"


def _answer():
    """The descriptor of the answer: the only socket that is open."""
    return next(number for number in range(3, 1024) if _is_open(number))


def _is_open(number):
    try:
        os.lseek(number, 0, os.SEEK_CUR)
    except OSError as error:
        return error.errno != errno.EBADF
    return True


def _forge(*parts):
    for part in parts:
        os.write(_answer(), part)
    time.sleep(60)


def forge_garbage():
    _forge(os.urandom(100_000) + b"\xff" * 100)


def forge_a_length():
    _forge(struct.pack("!cI", b"u", 0xFFFF_FFFF))


def forge_an_error():
    body = b'["AccessDenied", "root"]'
    _forge(struct.pack("!cI", b"e", len(body)), body)


def forge_a_deep_error():
    _forge(struct.pack("!cI", b"e", 50_000), b"[" * 50_000)


def forge_wrong_facts():
    body = b'["ConversionFailed", {"a": 1}]'
    _forge(struct.pack("!cI", b"e", len(body)), body)


def forge_broken_text():
    _forge(struct.pack("!cI", b"u", 2), b"\xff\xfe")


def forge_controls():
    _forge(struct.pack("!cI", b"u", 4), b"\x1b[3m")


def forge_a_second_head():
    _forge(struct.pack("!cI", b"h", 11), b'["page", 9]')


def forge_half_a_frame():
    os.write(_answer(), struct.pack("!cI", b"u", 1000) + b"half")
    os._exit(0)


def forge_without_end():
    while True:
        os.write(_answer(), struct.pack("!cI", b"u", 1 << 20) + b"x" * (1 << 20))


def close_the_answer():
    os.close(_answer())
    time.sleep(60)


def _outcome(attempt):
    """What an attempt led to: the name of the refusal, or what was gained."""
    try:
        return f"gained {attempt()!r}"
    except PermissionError:
        return "refused"
    except ValueError as error:
        return "refused" if "not allowed" in str(error) else str(error)
    except OSError as error:
        return type(error).__name__


def _connect(family, address):
    with socket.socket(family) as line:
        line.settimeout(2)
        line.connect(address)


def _fork():
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return "a child"


def reach_out(folder):
    """Tries everything that files, connections, programs and signals are good for."""
    attempts = {
        "reads a file": lambda: Path("/etc/passwd").read_text(),
        "lists a folder": lambda: os.listdir(folder),
        "writes a file": lambda: Path(folder, "victim").write_text("changed"),
        "makes a file": lambda: Path(folder, "new").touch(),
        "removes a file": lambda: os.unlink(f"{folder}/victim"),
        "makes a folder": lambda: os.mkdir(f"{folder}/folder"),
        "reads the parent's environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
        "connects": lambda: _connect(socket.AF_INET, ("127.0.0.1", 9)),
        "runs a program": lambda: os.execv("/bin/sh", ["sh", "-c", "exit 0"]),
        "signals its parent": lambda: os.kill(os.getppid(), 0),
        "signals its parent's group": lambda: os.killpg(os.getpgid(os.getppid()), 0),
    }
    return "\n".join(f"{name}: {_outcome(attempt)}" for name, attempt in attempts.items())


def reach_further():
    """Tries what only a filter of system calls refuses."""
    attempts = {
        "makes a socket": lambda: socket.socket(socket.AF_UNIX).close(),
        "forks": _fork,
        "traces": _trace,
        "widens its limits": lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
        "looks at a name": lambda: os.stat("/etc/passwd").st_size,
        "starts a program": lambda: subprocess.run(["true"], check=False).returncode,
    }
    return "\n".join(f"{name}: {_outcome(attempt)}" for name, attempt in attempts.items())


def tell_limits():
    """Tells the limits that the kernel keeps for a parser."""
    kinds = ("NOFILE", "FSIZE", "CORE", "NPROC")
    limits = {kind: resource.getrlimit(getattr(resource, f"RLIMIT_{kind}")) for kind in kinds}
    return "\n".join(f"{kind} {soft} {hard}" for kind, (soft, hard) in limits.items())


def _trace():
    if ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "not traced")


def look_around():
    """What is to be seen from inside: the environment and the arguments, and every string that the program holds."""
    secret = b"correct-horse-" + b"battery"
    seen = any(secret in text.encode(errors="replace") for text in gc.get_objects() if isinstance(text, str))
    return f"{sorted(os.environ)} {seen}"


def kill_the_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


def leave_a_grandchild():
    """Forks one that ignores what can be ignored, in a session of its own, and tells its number."""
    reading, writing = os.pipe()
    if not os.fork():
        if not os.fork():
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.write(writing, str(os.getpid()).encode())
            time.sleep(60)
        os._exit(0)
    return os.read(reading, 100).decode()


def start_a_thread():
    import threading

    found = []
    thread = threading.Thread(target=found.append, args=["from a thread"])
    thread.start()
    thread.join()
    return found[0]


ATTACK = Converter("attack", "1", lambda content, password, prepared: Attack(content.decode()))
NOT_A_CONVERTER = "attack"
