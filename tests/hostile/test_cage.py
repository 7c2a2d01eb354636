"""Parsers in an attacker's hands: whatever they do, the answer is typed, in time, and nothing is left behind."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from readwell.cage import Cage, capabilities
from readwell.cage.landlock import FILE_RIGHTS
from readwell.cage.seccomp import CLONE, CLONE3, NEEDED, PRLIMIT, TGKILL
from readwell.deadline import Deadline
from readwell.documents.worker import Worker
from readwell.errors import ConversionFailed, DeadlineExceeded, DocumentEmpty, DocumentLocked, TooLarge
from readwell.source import open_by_openat2
from readwell.source.confined_open import choose_open_beneath

pytestmark = pytest.mark.usefixtures("own_fork_servers")

HERE = Path(__file__).parent
CONVERTERS = {"attack": "attacks:ATTACK"}
SUPPORTED = capabilities()
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs procfs")
with_landlock = pytest.mark.skipif(not SUPPORTED.landlock, reason="NOT TESTED: this kernel has no Landlock")
with_scopes = pytest.mark.skipif((SUPPORTED.landlock or 0) < 6, reason="NOT TESTED: Landlock here knows no signals")
with_seccomp = pytest.mark.skipif(not SUPPORTED.seccomp, reason="NOT TESTED: no filter of system calls here")
MEMORY = 256 << 20
CAGES = {
    "all restrictions": Cage(MEMORY),
    "without Landlock": Cage(MEMORY, landlock=False),
    "without seccomp": Cage(MEMORY, seccomp=False),
    "limits alone": Cage(MEMORY, landlock=False, seccomp=False),
}
EVERY_CAGE = [pytest.param(name, marks=[] if name == "all restrictions" else [pytest.mark.slow]) for name in CAGES]
CRASHES = {
    "segfault": "the parser crashed (Segmentation fault)",
    "abort": "the parser crashed (Aborted; it may use 256 MiB of memory)",
    "die_of_an_odd_signal": "the parser crashed (Real-time signal 3)",
    "leave": "the parser ended without an answer",
    "eat_memory": "more than 256 MiB of memory would be needed",
    "eat_memory_natively": "the parser crashed (Aborted; it may use 256 MiB of memory)",
    "exit_the_program": "its parser says bye",
    "interrupt": "its parser says KeyboardInterrupt",
    "raise_what_cannot_travel": "its parser says StateThatCannotTravel",
    "raise_a_novel": f"its parser says '{('[31m' + 'word ' * 300)[:250].rstrip()}'",
    "raise_what_may_not_cross": "'/etc'",
    "raise_a_kind_of_its_own": "odd",
    "return_bytes": "its parser says 'the converter returned bytes, not str'",
    "forge_half_a_frame": "the parser ended without an answer",
    "close_the_answer": "the parser was killed",
}
FORGERIES = [
    "forge_garbage",
    "forge_a_length",
    "forge_an_error",
    "forge_a_deep_error",
    "forge_wrong_facts",
    "forge_broken_text",
    "forge_controls",
    "forge_a_second_head",
]


def deadline(seconds=20.0, cancelled=None):
    return Deadline(time.monotonic, time.monotonic() + seconds, seconds, None, cancelled)


def attempt(worker, name, seconds=20.0, cancelled=None):
    """Has a document attack and returns its three units, or raises what became of them."""
    with tempfile.TemporaryFile() as document:
        document.write(name.encode())
        document.flush()
        with worker.convert(document.fileno(), "attack", deadline(seconds, cancelled)) as conversion:
            return list(conversion)


def below(process):
    """Returns the processes below one, zombies included."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(place.parent.name)] = int(place.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, ahead = set(), [process]
    while ahead:
        parent = ahead.pop()
        children = {child for child, its_parent in parents.items() if its_parent == parent}
        found |= children
        ahead.extend(children)
    return found


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(processes, seconds=10.0):
    expires = time.monotonic() + seconds
    while any(map(is_alive, processes)) and time.monotonic() < expires:
        time.sleep(0.02)
    return [process for process in processes if is_alive(process)]


@pytest.fixture(params=EVERY_CAGE, scope="module")
def caged(request):
    """A worker with these restrictions, shared by many attacks: each must leave it fit for the next."""
    descriptors, before = set(os.listdir("/proc/self/fd")), below(os.getpid())
    with Worker(CONVERTERS, CAGES[request.param]) as worker:
        assert attempt(worker, "done")[1] == "done"
        yield worker
        assert attempt(worker, "done")[1] == "done"
    assert below(os.getpid()) <= before
    assert set(os.listdir("/proc/self/fd")) <= descriptors


@pytest.fixture
def worker():
    with Worker(CONVERTERS) as worker:
        yield worker


def children_of_the_fork_server():
    """Does not wait: when a conversion has ended, its child is gone."""
    import shared_fork_servers

    own = below(os.getpid()) - shared_fork_servers.processes()
    return [len(below(child)) for child in own if b"fork_server" in command_of(child)]


def command_of(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


@linux_only
@pytest.mark.parametrize("name", CRASHES)
def test_a_parser_that_dies_or_raises_anything_is_a_failed_conversion(caged, name):
    with pytest.raises(ConversionFailed) as raised:
        attempt(caged, name)
    assert (raised.type, raised.value.args) == (ConversionFailed, ("attack", CRASHES[name]))
    assert set(children_of_the_fork_server()) == {0}


@linux_only
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_answer_is_refused(caged, name):
    with pytest.raises(ConversionFailed) as raised:
        attempt(caged, name)
    assert raised.value.args == ("attack", "the parser sent what no parser sends")
    assert set(children_of_the_fork_server()) == {0}


@linux_only
def test_an_endless_answer_ends(caged):
    """Each wanted unit is taken once; what is sent beyond them is not read."""
    units = attempt(caged, "forge_without_end")
    assert [len(unit) for unit in units[1:]] == [1 << 20, 1 << 20]
    assert set(children_of_the_fork_server()) == {0}


@linux_only
@pytest.mark.parametrize(
    "name, kind, arguments",
    [
        ("raise_locked", DocumentLocked, ("attack",)),
        ("raise_empty", DocumentEmpty, ("attack", 7)),
        ("raise_too_large", TooLarge, (5,)),
        ("return_a_huge_text", TooLarge, (64 << 20,)),
    ],
)
def test_a_converter_reports_in_types(caged, name, kind, arguments):
    with pytest.raises(kind) as raised:
        attempt(caged, name)
    assert (raised.type, raised.value.args) == (kind, arguments)


def test_facts_of_a_wrong_type_do_not_cross(caged):
    with pytest.raises(ConversionFailed) as raised:
        attempt(caged, "raise_wrong_facts")
    assert raised.type is ConversionFailed


@linux_only
@pytest.mark.parametrize("name", ["hang", "burn"])
def test_a_parser_that_never_ends_is_killed_at_the_deadline(caged, name):
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded) as raised:
        attempt(caged, name, seconds=0.5)
    assert raised.value.args == (0.5,)
    assert time.monotonic() - began < 10
    assert set(children_of_the_fork_server()) == {0}


@linux_only
def test_a_parser_is_killed_when_its_caller_cancels(caged):
    cancelled = threading.Event()
    threading.Timer(0.3, cancelled.set).start()
    with pytest.raises(DeadlineExceeded):
        attempt(caged, "hang", seconds=60, cancelled=cancelled.is_set)
    assert set(children_of_the_fork_server()) == {0}


def test_what_a_parser_prints_reaches_nobody(caged, capfd):
    assert attempt(caged, "print_megabytes")[1] == "printed"
    assert capfd.readouterr() == ("", "")


def test_what_a_converter_returns_is_tidied(caged):
    assert attempt(caged, "return_halves")[1] == "a\ufffdbc[31m\nd"


def test_a_parser_may_use_threads(worker):
    assert attempt(worker, "start_a_thread")[1] == "from a thread"


def test_a_parser_sees_nothing_of_its_caller(caged, monkeypatch):
    monkeypatch.setenv("SECRET", "correct-horse-" + "battery")
    assert attempt(caged, "look_around")[1] == "['LC_ALL'] False"


@linux_only
def test_a_restriction_that_the_kernel_has_is_found():
    """The tests of one that is not found are left out, and would hide that."""
    actions, modules = Path("/proc/sys/kernel/seccomp/actions_avail"), Path("/sys/kernel/security/lsm")
    if actions.exists() and os.uname().machine in ("x86_64", "aarch64") and sys.maxsize > 1 << 32:
        assert ("errno" in actions.read_text().split()) == (SUPPORTED.seccomp is not None)
    if modules.exists() and "landlock" in modules.read_text().split(","):
        assert SUPPORTED.landlock


@with_scopes
@with_seccomp
@pytest.mark.parametrize("restrictions", ["all restrictions", "without Landlock", "without seccomp"])
def test_a_parser_reaches_nothing_outside(restrictions, tmp_path):
    (tmp_path / "victim").write_text("unchanged")
    with Worker(CONVERTERS, CAGES[restrictions]) as worker:
        outcomes = attempt(worker, f"reach_out\n{tmp_path}")[1].splitlines()
    assert [outcome for outcome in outcomes if not outcome.endswith(": refused")] == []
    assert len(outcomes) == 11
    assert os.listdir(tmp_path) == ["victim"]
    assert (tmp_path / "victim").read_text() == "unchanged"


def limits_inside(restrictions):
    with Worker(CONVERTERS, CAGES[restrictions]) as worker:
        return dict(line.split(" ", 1) for line in attempt(worker, "tell_limits")[1].splitlines())


@linux_only
@pytest.mark.parametrize("restrictions", ["all restrictions", "limits alone"])
def test_a_parser_may_open_no_files_write_none_and_leave_no_dump(restrictions):
    limits = limits_inside(restrictions)
    assert (limits["NOFILE"], limits["FSIZE"], limits["CORE"]) == ("16 16", "0 0", "0 0")


@linux_only
def test_without_a_filter_of_system_calls_a_limit_forbids_processes():
    assert limits_inside("without seccomp")["NPROC"] == "0 0"


FORKS_INSIDE = """
import ctypes, os
from readwell.cage import Cage, enter, capabilities
capabilities()  # what is imported late must be imported while it can still be read
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
enter(Cage(seccomp=False), 10)
try:
    child = os.fork()
except BlockingIOError:
    print("refused")
else:
    child or os._exit(0)
    print("forked")
"""


@linux_only
def test_an_ordinary_user_cannot_fork_in_a_cage_without_a_filter():
    """The superuser could: a limit on processes does not hold for it."""
    assert alone(FORKS_INSIDE) == "refused\n"


@with_seccomp
def test_system_calls_that_no_parser_needs_are_refused(worker):
    outcomes = attempt(worker, "reach_further")[1].splitlines()
    assert [outcome for outcome in outcomes if not outcome.endswith(": refused")] == []
    assert len(outcomes) == 6


@linux_only
def test_what_a_parser_starts_ends_with_it():
    """Where forking cannot be refused: a grandchild in a session of its own that ignores what can be ignored."""
    with Worker(CONVERTERS, CAGES["limits alone"]) as worker:
        try:
            stray = int(attempt(worker, "leave_a_grandchild")[1])
        except ConversionFailed:
            pytest.skip("NOT TESTED: forking is refused even without restrictions")
        assert wait_until_gone([stray]) == []


@linux_only
def test_a_parser_that_kills_its_parent_hurts_only_itself():
    """Where killing cannot be refused."""
    with Worker(CONVERTERS, CAGES["limits alone"]) as worker:
        with pytest.raises(ConversionFailed) as raised:
            attempt(worker, "kill_the_parent")
        assert raised.value.reason == "the process that runs the parsers has ended"
        assert attempt(worker, "done")[1] == "done"
        assert set(children_of_the_fork_server()) == {0}


CALLER = """
import os, sys, time
sys.path.insert(0, {here!r})
from readwell.documents.worker import Worker
from test_cage import below, deadline
worker = Worker({{"attack": "attacks:ATTACK"}})
document = os.open({document!r}, os.O_RDONLY)
conversion = worker.convert(document, "attack", deadline(600))
next(conversion)
if {with_a_fork}:
    if not os.fork():
        time.sleep(600)
print(*below(os.getpid()), flush=True)
next(conversion)
"""


@linux_only
@pytest.mark.parametrize("with_a_fork", [False, True], ids=["alone", "with a child that holds the same descriptors"])
def test_everything_ends_with_a_caller_that_is_killed(tmp_path, with_a_fork):
    document = tmp_path / "document"
    document.write_text("hang")
    code = CALLER.format(here=str(HERE), document=str(document), with_a_fork=with_a_fork)
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with caller:
        started = [int(number) for number in caller.stdout.readline().split()]
        forked = [process for process in started if b"test_cage" in command_of(process)]
        caller.kill()
    try:
        assert len(started) == 2 + with_a_fork
        assert wait_until_gone(set(started) - set(forked)) == []
    finally:
        for process in forked:
            os.kill(process, 9)


@with_landlock
@pytest.mark.parametrize("version", range(1, max(SUPPORTED.landlock or 1, 7) + 1))
def test_every_version_of_landlock_refuses_files(version):
    code = f"""
from readwell.cage.landlock import _restrict, _create_ruleset
_restrict(_create_ruleset({version}, 3, 3))
try:
    open("/etc/passwd")
except PermissionError:
    print("refused")
"""
    if version > SUPPORTED.landlock:
        pytest.skip("NOT TESTED: this kernel is older")
    assert alone(code) == "refused\n"


def test_later_versions_of_landlock_refuse_at_least_as_much():
    rights = [FILE_RIGHTS[version] for version in sorted(FILE_RIGHTS)]
    assert all(earlier & later == earlier for earlier, later in pairwise(rights))


@with_landlock
def test_a_process_can_keep_itself_to_its_places_and_still_convert(tmp_path):
    for folder in ("root", "cache", "outside"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "f.txt").write_text("done")
    (tmp_path / "root" / "memory.txt").write_text("eat_memory")
    code = f"""
import os, sys
sys.path[:0] = [{str(tmp_path)!r}, {str(HERE)!r}]
from readwell.cage import allow_only_with_runtime
from readwell.documents.worker import Worker
from test_cage import deadline
os.chdir({str(tmp_path)!r})
print(allow_only_with_runtime(["root", {str(HERE)!r}], ["cache"]))
def outcome(attempt):
    try:
        return attempt() and "done"
    except PermissionError:
        return "refused"
print(outcome(lambda: open("root/f.txt").read()), outcome(lambda: open("outside/f.txt").read()), outcome(lambda: open("/etc/passwd").read()))
print(outcome(lambda: open("root/f.txt", "w")), outcome(lambda: open("cache/new.txt", "w").write("x")), outcome(lambda: os.rename("cache/new.txt", "cache/newer.txt") or 1))
print(outcome(lambda: os.execv("/bin/sh", ["sh", "-c", "exit 0"])), outcome(lambda: open(f"/proc/{{os.getppid()}}/environ").read()))
with Worker({{"attack": "attacks:ATTACK"}}) as worker:
    print(list(worker.convert(os.open("root/f.txt", os.O_RDONLY), "attack", deadline()))[1])
    try:
        list(worker.convert(os.open("root/memory.txt", os.O_RDONLY), "attack", deadline()))
    except Exception as error:
        print(error.reason)
"""
    assert (
        alone(code)
        == "True\ndone refused refused\nrefused done done\nrefused refused\ndone\nmore than 1024 MiB of memory would be needed\n"
    )


@linux_only
@pytest.mark.slow
def test_processor_time_is_limited():
    code = "from readwell.cage import Cage, enter; enter(Cage(), 1)\nwhile True: pass"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGXCPU


@with_seccomp
def test_a_kernel_without_any_of_this_still_converts(tmp_path):
    """A kernel that knows no Landlock, no filters and no openat2, as seen from behind a filter of ours."""
    (tmp_path / "document").write_text("done")
    code = f"""
import ctypes, errno, os, struct, sys
sys.path.insert(0, {str(HERE)!r})
from readwell.cage import system_calls, capabilities, seccomp
from readwell.documents.worker import Worker
from test_cage import deadline
numbers = [444, 445, 446, 437, seccomp.supported_processor().seccomp]
steps = [seccomp._instruction(seccomp.LOAD, seccomp.NUMBER)]
for number in numbers:
    steps.append(seccomp._instruction(seccomp.EQUAL, number, 0, 1))
    steps.append(seccomp._instruction(seccomp.RETURN, seccomp.FAIL | errno.ENOSYS))
program = b"".join([*steps, seccomp._instruction(seccomp.RETURN, seccomp.ALLOW)])
held = ctypes.create_string_buffer(program)
system_calls.forbid_new_privileges()
system_calls.call(numbers[-1], 1, 0, struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(held)))
print(*capabilities())
with Worker({{"attack": "attacks:ATTACK"}}) as worker:
    print(list(worker.convert(os.open({str(tmp_path / "document")!r}, os.O_RDONLY), "attack", deadline()))[1])
"""
    assert alone(code) == "False None None True\ndone\n"


def alone(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout


def test_the_numbers_of_system_calls_are_those_of_libseccomp():
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("NOT TESTED: libseccomp is not here to compare with")
    machines = (0xC000_003E, 0xC000_00B7)
    calls = {**NEEDED, "clone": CLONE, "tgkill": TGKILL, "prlimit64": PRLIMIT, "clone3": CLONE3}
    told = {
        name: tuple(library.seccomp_syscall_resolve_name_arch(machine, name.encode()) for machine in machines)
        for name in calls
    }
    assert {
        name: tuple(number if number >= 0 else None for number in numbers) for name, numbers in told.items()
    } == calls


def test_what_the_machine_offers_is_told():
    found = capabilities()
    assert found.openat2 == (choose_open_beneath() is open_by_openat2)
    assert found.landlock is None or found.landlock >= 1
    assert found.seccomp in (None, os.uname().machine)
