"""A seccomp filter: allows the system calls that a parser needs; every other one fails with EPERM.

Refused calls fail instead of killing: the call does not happen either way, and a library that merely
asks for something optional goes on without it. The filter is written by hand, so no library is needed.
"""

from __future__ import annotations

import errno
import os
import struct
import sys

from ..named_tuple import NamedTuple
from .system_calls import call, forbid_new_privileges

SET_FILTER, ASK_ACTION = 1, 2
ALL_THREADS = 1
ALLOW, FAIL = 0x7FFF_0000, 0x0005_0000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in the kernel's description of a call (`seccomp_data`); arguments are 8 bytes each."""
CLONE_THREAD = 0x0001_0000
FOREIGN = 0x4000_0000
"""Calls of x86-64 by another convention, with numbers of their own."""


class Processor(NamedTuple):
    """A kind of processor: what the kernel calls it, the number of `seccomp`, and the column in the table."""

    audit: int
    seccomp: int
    column: int


PROCESSORS = {"x86_64": Processor(0xC000_003E, 317, 0), "aarch64": Processor(0xC000_00B7, 277, 1)}
NEEDED = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "exit": (60, 93),
    "uname": (63, 160),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "rseq": (334, 293),
}
"""Calls for memory, computing and writing to an open descriptor: numbers on x86-64 and on 64-bit ARM."""
CLONE, TGKILL, PRLIMIT, CLONE3 = (56, 220), (234, 131), (302, 261), (435, 435)


def supported_processor() -> Processor | None:
    """Returns this processor where the kernel filters system calls and the numbers are known."""
    processor = PROCESSORS.get(os.uname().machine) if sys.platform == "linux" and sys.maxsize > 1 << 32 else None
    try:
        if processor is not None:
            call(processor.seccomp, ASK_ACTION, 0, struct.pack("I", FAIL))
    except OSError:
        return None
    return processor


def allow_only_needed_calls() -> bool:
    """Restricts all threads of this process to the listed calls, for good; False where it cannot be done."""
    processor = supported_processor()
    if processor is None:
        return False
    import ctypes

    program = ctypes.create_string_buffer(_filter_program(processor, os.getpid()))
    packed = struct.pack("HxxxxxxQ", (len(program) - 1) // 8, ctypes.addressof(program))
    try:
        forbid_new_privileges()
        return call(processor.seccomp, SET_FILTER, ALL_THREADS, packed) == 0
    except OSError:
        return False


def _filter_program(processor: Processor, process: int) -> bytes:
    """Writes the filter. A step is `(code, value, steps to pass over if true, if false)`."""
    refuse = _instruction(RETURN, FAIL | errno.EPERM)
    steps = [
        _instruction(LOAD, ARCHITECTURE),
        _instruction(EQUAL, processor.audit, 1, 0),
        refuse,
        _instruction(LOAD, NUMBER),
    ]
    steps += [_instruction(AT_LEAST, FOREIGN, 0, 1), refuse]
    for number in (numbers[processor.column] for numbers in NEEDED.values()):
        if number is not None:
            steps += [_instruction(EQUAL, number, 0, 1), _instruction(RETURN, ALLOW)]
    # The arguments of clone3 cannot be seen; where it seems missing, the C library falls back to clone.
    steps += [_instruction(EQUAL, CLONE3[processor.column], 0, 1), _instruction(RETURN, FAIL | errno.ENOSYS)]
    steps += _allowed_if(CLONE[processor.column], 0, ANY_BIT, CLONE_THREAD)
    steps += _allowed_if(TGKILL[processor.column], 0, EQUAL, process)
    steps += _allowed_if(PRLIMIT[processor.column], 2, EQUAL, 0)
    return b"".join([*steps, refuse])


def _allowed_if(number: int, argument: int, test: int, value: int) -> list[bytes]:
    """Allows a call if one of its arguments passes the test and has nothing in its upper half."""
    lower = ARGUMENTS + 8 * argument
    return [
        _instruction(EQUAL, number, 0, 6),
        _instruction(LOAD, lower),
        _instruction(test, value, 0, 3),
        _instruction(LOAD, lower + 4),
        _instruction(EQUAL, 0, 0, 1),
        _instruction(RETURN, ALLOW),
        _instruction(RETURN, FAIL | errno.EPERM),
    ]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
