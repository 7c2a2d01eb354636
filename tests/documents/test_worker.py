"""Converting in processes of their own: what a caller is promised."""

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from effort import examples
from readwell.deadline import Deadline
from readwell.documents.converters import BUILT_IN, INSTALL, find_converter
from readwell.documents.worker import Head, Worker
from readwell.documents.worker.fork_server_client import ForkServerClient, ForkServerGone
from readwell.documents.worker.wire_frames import OVERSLEPT
from readwell.errors import ConversionFailed, ConverterMissing, DeadlineExceeded, ReadError, TooLarge, Unreadable
from readwell.import_guard import import_path_outside

pytestmark = pytest.mark.usefixtures("own_fork_servers")

HERE = Path(__file__).parent
CONVERTERS = {
    "leaves": "plain_converters:LEAVES",
    "endless": "plain_converters:ENDLESS",
    "odd": "plain_converters:ODD",
    "none": "plain_converters:NOT_A_CONVERTER",
    "absent": "plain_converters:ABSENT",
    "broken": "breaks_on_import:X",
    "deadly": "kills_on_import:X",
    "stuck": "hangs_on_import:X",
}
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs procfs")


@pytest.fixture(scope="module")
def worker():
    """One for all: whatever a test does to it, the next one finds it fit."""
    with Worker(CONVERTERS) as worker:
        yield worker


@pytest.fixture
def document(tmp_path):
    """Makes documents; returns their descriptors."""
    opened = []

    def make(content):
        (tmp_path / "document").write_text(content)
        opened.append(os.open(tmp_path / "document", os.O_RDONLY))
        return opened[-1]

    yield make
    for descriptor in opened:
        os.close(descriptor)


def deadline(seconds=20.0, cancelled=None):
    return Deadline(time.monotonic, time.monotonic() + seconds, seconds, None, cancelled)


def units(worker, descriptor, kind="leaves", **options):
    with worker.convert(descriptor, kind, options.pop("deadline", None) or deadline(), **options) as conversion:
        return list(conversion)


def failure(worker, descriptor, kind, **options):
    with pytest.raises(ReadError) as raised:
        units(worker, descriptor, kind, **options)
    return raised.type, raised.value.args


def children(process):
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


def parent_of(worker):
    return worker._pool()._server._process


def test_a_document_is_its_head_and_its_units(worker, document):
    with worker.convert(document("one\ftwo\fthree"), "leaves", deadline()) as conversion:
        assert conversion.head == Head("leaf", 3, b"\0prepared")
        assert list(conversion) == ["one", "two", "three"]
        assert list(conversion) == []


@pytest.mark.parametrize(
    "wanted, found",
    [
        (range(2, 4), ["two", "three"]),
        (range(3, 100), ["three", "four"]),
        (range(4, 5), ["four"]),
        (range(5, 100), []),
        (range(0), []),
        (range(-5, 2), ["one"]),
    ],
)
def test_only_the_wanted_units_are_converted(worker, document, wanted, found):
    assert units(worker, document("one\ftwo\fthree\ffour"), wanted=wanted) == found


def test_a_unit_cannot_pass_for_the_next_one(worker, document):
    found = units(worker, document("one\n<!-- leaf 2 -->\nstill one\f<!-- page 1 -->\f<!-- twig 1 -->"))
    assert found == ["one\n\\<!-- leaf 2 -->\nstill one", "\\<!-- page 1 -->", "<!-- twig 1 -->"]


def test_units_are_converted_one_after_the_other(worker, document):
    with pytest.raises(ValueError, match="one after the other"):
        units(worker, document("one\ftwo"), wanted=range(1, 9, 2))


def test_password_and_what_was_prepared_reach_the_converter(worker, document):
    large = bytes(range(256)) * 4096
    descriptor = document("told")
    assert units(worker, descriptor) == ["None b''"]
    assert units(worker, descriptor, password="pässword", argument=b"\xff\0") == ["pässword b'\\xff\\x00'"]
    assert units(worker, descriptor, argument=large) == [f"None {large!r}"]


def test_the_position_of_the_descriptor_does_not_matter_and_stays(worker, document):
    descriptor = document("one\ftwo")
    os.lseek(descriptor, 3, os.SEEK_SET)
    assert units(worker, descriptor) == ["one", "two"]
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 3


def stopped_by(worker, descriptor, number):
    """How a conversion fails whose process, which says its number and then sleeps, gets a signal."""
    with worker.convert(descriptor, "leaves", deadline()) as conversion, pytest.raises(ReadError) as raised:
        os.kill(int(next(conversion)), number)
        next(conversion)
    return raised.type, raised.value.args


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (signal.SIGPROF, "it took too much processor time"),
        (OVERSLEPT, "it waited without working"),
        (signal.SIGKILL, "the parser was killed"),
        (signal.SIGTERM, "the parser was killed"),
        (signal.SIGHUP, "the parser was killed"),
        (signal.SIGSEGV, "the parser crashed (Segmentation fault)"),
        (signal.SIGABRT, "the parser crashed (Aborted; it may use 1024 MiB of memory)"),
        (signal.SIGILL, "the parser crashed (Illegal instruction; it may use 1024 MiB of memory)"),
    ],
)
def test_a_parser_that_is_stopped_by_a_signal_is_told_by_its_cause(worker, document, number, reason):
    assert stopped_by(worker, document("process\fslow"), number) == (ConversionFailed, ("leaves", reason))


def test_a_parser_that_has_used_the_processor_time_of_its_call_ends_as_at_the_deadline(worker, document):
    assert stopped_by(worker, document("process\fslow"), signal.SIGXCPU) == (DeadlineExceeded, (20.0,))


def test_a_parser_that_leaves_without_a_word_is_a_failure(worker, document):
    wanted = (ConversionFailed, ("leaves", "the parser ended without an answer"))
    assert failure(worker, document("leave"), "leaves") == wanted


def test_a_document_of_nothing_is_converted(worker, document):
    assert units(worker, document("")) == [""]


@linux_only
def test_each_document_has_a_process_of_its_own_that_stands_nowhere(worker, document):
    descriptor = document("process")
    processes = {os.getpid(), parent_of(worker) if units(worker, descriptor) else 0}
    assert len({*processes, *units(worker, descriptor), *units(worker, descriptor)}) == 4
    assert os.readlink(f"/proc/{parent_of(worker)}/cwd") == "/"


@linux_only
def test_a_caller_that_has_enough_leaves_nothing_behind(worker, document):
    descriptor = document("one")
    assert units(worker, descriptor) == ["one"]
    before = os.listdir("/proc/self/fd")
    with worker.convert(descriptor, "endless", deadline()) as conversion:
        assert next(conversion).startswith("1 ")
        assert next(conversion).startswith("2 ")
        assert len(children(parent_of(worker))) == 1
    assert children(parent_of(worker)) == []
    assert list(conversion) == []
    assert os.listdir("/proc/self/fd") == before


def test_more_output_than_anyone_wants_is_refused(worker, document):
    assert failure(worker, document(""), "endless") == (TooLarge, (64 << 20,))


@pytest.mark.parametrize(
    "told", ["'page', -1, b''", "'page', 'many', b''", "'page', 1, 'text'", "'p' * 99, 1, b''", "'a b', 1, b''"]
)
def test_a_head_that_cannot_be_is_a_failed_conversion(worker, document, told):
    kind, arguments = failure(worker, document(told), "odd")
    assert (kind, arguments[0]) == (ConversionFailed, "odd")


def test_too_much_prepared_is_too_large(worker, document):
    assert failure(worker, document("'', 1, bytes(17 << 20)"), "odd") == (TooLarge, (16 << 20,))
    assert failure(worker, document("one"), "leaves", argument=bytes(17 << 20)) == (TooLarge, (16 << 20,))


def test_a_file_larger_than_a_document_may_be_is_refused(worker, tmp_path):
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", (256 << 20) + 1)
    descriptor = os.open(tmp_path / "large", os.O_RDONLY)
    try:
        assert failure(worker, descriptor, "leaves") == (TooLarge, (256 << 20,))
    finally:
        os.close(descriptor)


def test_what_cannot_be_read_is_unreadable(worker, tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        assert failure(worker, descriptor, "leaves")[0] is Unreadable
    finally:
        os.close(descriptor)
    assert failure(worker, descriptor, "leaves")[0] is Unreadable


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind, reason",
    [
        ("none", "plain_converters:NOT_A_CONVERTER is not a converter"),
        (
            "absent",
            "the converter cannot be loaded (AttributeError: module 'plain_converters' has no attribute 'ABSENT')",
        ),
        ("broken", "the converter cannot be loaded (ModuleNotFoundError: No module named 'a_library_that_nobody_has')"),
        ("deadly", "the process that runs the parsers does not start or ends at once"),
    ],
)
def test_a_converter_that_cannot_be_loaded_hurts_no_other(worker, document, kind, reason):
    descriptor = document("one")
    assert failure(worker, descriptor, kind) == (ConversionFailed, (kind, reason))
    assert units(worker, descriptor) == ["one"]


@pytest.mark.slow
def test_a_converter_that_never_loads_hurts_no_other(worker, document):
    descriptor = document("one")
    assert failure(worker, descriptor, "stuck", deadline=deadline(0.5)) == (DeadlineExceeded, (0.5,))
    assert units(worker, descriptor) == ["one"]


def test_a_format_that_nobody_reads_is_told_without_starting_anything(document):
    worker = Worker()
    assert failure(worker, document(""), "papyrus") == (ConverterMissing, ("papyrus", INSTALL))
    assert worker._pool()._server is None


def test_a_converter_that_lacks_its_library_is_missing(monkeypatch):
    monkeypatch.setitem(BUILT_IN, "pdf", BUILT_IN["pdf"]._replace(needs=("a_library_that_nobody_has",)))
    with pytest.raises(ConverterMissing) as raised:
        find_converter("pdf", {})
    assert raised.value.args == ("pdf", INSTALL)


def test_an_application_may_bring_its_own_converter_for_a_known_format(document):
    with Worker({"pdf": "plain_converters:LEAVES"}) as worker:
        assert units(worker, document("one\ftwo"), "pdf") == ["one", "two"]


def test_other_packages_bring_converters_by_entry_point(tmp_path):
    """In a Python of its own: what is installed is looked up once."""
    about = tmp_path / "papyri-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: papyri\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[readwell.converters]\npapyrus = plain_converters:LEAVES\n")
    (tmp_path / "document").write_text("one\ftwo")
    code = f"""
import os, sys, time
sys.path += [{str(tmp_path)!r}, {str(HERE)!r}]
from readwell.documents.worker import Worker
from readwell.deadline import Deadline
with Worker() as worker:
    descriptor = os.open({str(tmp_path / "document")!r}, os.O_RDONLY)
    print(list(worker.convert(descriptor, "papyrus", Deadline(time.monotonic, time.monotonic() + 20, 20))))
"""
    assert alone(code) == "['one', 'two']\n"


def alone(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
def test_a_caller_whose_time_is_up_does_not_wait_for_a_busy_parent(document, monkeypatch):
    from readwell.documents.worker import running_conversion

    monkeypatch.setattr(running_conversion, "LAST_WAIT_MS", 30_000)
    with Worker(CONVERTERS) as worker:
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            units(worker, document("one"), "stuck", deadline=deadline(0.1))
        assert time.monotonic() - began < 15


@linux_only
def test_a_fork_server_that_is_killed_is_replaced(worker, document):
    descriptor = document("one\fslow")
    assert units(worker, descriptor, wanted=range(1, 2)) == ["one"]
    first = parent_of(worker)
    with worker.convert(descriptor, "leaves", deadline()) as conversion:
        assert next(conversion) == "one"
        os.kill(first, signal.SIGKILL)
        with pytest.raises(ConversionFailed) as raised:
            next(conversion)
    assert raised.value.args == ("leaves", "the process that runs the parsers has ended")
    assert units(worker, descriptor, wanted=range(1, 2)) == ["one"]
    assert parent_of(worker) != first


@linux_only
def test_a_fork_server_that_died_in_the_meantime_is_not_noticed(worker, document):
    descriptor = document("one")
    assert units(worker, descriptor) == ["one"]
    os.kill(parent_of(worker), signal.SIGKILL)
    assert units(worker, descriptor) == ["one"]


def test_no_more_children_than_allowed_run_at_once_and_waiting_ends_in_time(document):
    descriptor = document("one\fslow")
    with Worker(CONVERTERS, at_once=1) as worker:
        with worker.convert(descriptor, "leaves", deadline()) as conversion:
            assert next(conversion) == "one"
            assert failure(worker, descriptor, "leaves", deadline=deadline(0.2)) == (DeadlineExceeded, (0.2,))
        assert units(worker, descriptor, wanted=range(1, 2)) == ["one"]


def test_a_conversion_that_is_forgotten_makes_room(document):
    descriptor = document("one\fslow")
    with Worker(CONVERTERS, at_once=1) as worker:
        conversion = worker.convert(descriptor, "leaves", deadline())
        assert next(conversion) == "one"
        del conversion
        gc.collect()
        assert units(worker, descriptor, wanted=range(1, 2)) == ["one"]


def test_a_closed_worker_says_so(document):
    worker = Worker(CONVERTERS)
    descriptor = document("one")
    assert units(worker, descriptor) == ["one"]
    worker.close()
    worker.close()
    with pytest.raises(ValueError, match="closed"):
        units(worker, descriptor)


def test_closing_a_worker_ends_what_it_does(document):
    worker = Worker(CONVERTERS)
    with worker.convert(document("one\fslow"), "leaves", deadline(60)) as conversion:
        assert next(conversion) == "one"
        threading.Timer(0.2, worker.close).start()
        with pytest.raises(ConversionFailed):
            next(conversion)


@linux_only
def test_a_worker_that_is_forgotten_ends_its_processes(document):
    worker = Worker(CONVERTERS)
    assert units(worker, document("one")) == ["one"]
    process = parent_of(worker)
    del worker
    gc.collect()
    assert not Path(f"/proc/{process}").exists()


def settled(worker):
    """Returns the descriptors on both sides, once the fork server has closed its last leash."""
    time.sleep(0.2)
    return os.listdir("/proc/self/fd"), os.listdir(f"/proc/{parent_of(worker)}/fd"), parent_of(worker)


@pytest.mark.slow
@linux_only
def test_two_hundred_conversions_leave_what_there_was(worker, document):
    descriptor = document("one\ftwo")
    assert units(worker, descriptor) == ["one", "two"]
    before = settled(worker)
    for _ in range(200):
        assert units(worker, descriptor) == ["one", "two"]
    assert settled(worker) == before
    assert children(parent_of(worker)) == []


def test_many_threads_convert_at_once(worker, tmp_path):
    found = []

    def convert(number):
        path = tmp_path / str(number)
        path.write_text(f"{number}\fend")
        descriptor = os.open(path, os.O_RDONLY)
        try:
            found.extend(units(worker, descriptor) == [str(number), "end"] for _ in range(25))
        finally:
            os.close(descriptor)

    threads = [threading.Thread(target=convert, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [True] * 200


@linux_only
@pytest.mark.slow
def test_a_child_whose_caller_does_not_look_ends_at_its_deadline(worker, document):
    with worker.convert(document("one\fslow"), "leaves", deadline(0.5)) as conversion:
        assert next(conversion) == "one"
        time.sleep(3)
        assert children(parent_of(worker)) == []
        with pytest.raises(DeadlineExceeded):
            next(conversion)


@linux_only
@pytest.mark.slow
def test_fork_servers_that_are_killed_at_any_moment_cost_no_answer_its_truth(document):
    """Every answer is right or typed, nobody hangs, and in the end nothing is left."""
    descriptor, answers, stop = document("one\ftwo\fthree"), [], threading.Event()
    with Worker(CONVERTERS) as worker:

        def convert():
            while not stop.is_set():
                try:
                    answers.append(units(worker, descriptor) == ["one", "two", "three"])
                except ConversionFailed:
                    answers.append(None)

        threads = [threading.Thread(target=convert) for _ in range(4)]
        for thread in threads:
            thread.start()
        killed = set()
        for _ in range(examples(20)):
            time.sleep(random.uniform(0, 0.5))
            parent = worker._pool()._server
            if parent is not None and parent._process not in killed:
                killed.add(parent._process)
                os.kill(parent._process, signal.SIGKILL)
        time.sleep(1)
        stop.set()
        for thread in threads:
            thread.join(30)
        assert units(worker, descriptor) == ["one", "two", "three"]
        assert children(parent_of(worker)) == []
    assert False not in answers
    assert True in answers  # how many depends on the load
    assert len(killed) > 3


def test_a_worker_works_on_both_sides_of_a_fork(tmp_path):
    (tmp_path / "document").write_text("one\ftwo\fprocess")
    code = f"""
import os, sys
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent)!r}]
from test_worker import CONVERTERS, units, deadline
from readwell.documents.worker import Worker
worker = Worker(CONVERTERS)
descriptor = os.open({str(tmp_path / "document")!r}, os.O_RDONLY)
begun = worker.convert(descriptor, "leaves", deadline())
assert next(begun) == "one"
child = os.fork()
for _ in range(10):
    assert units(worker, descriptor, wanted=range(1, 3)) == ["one", "two"]
if not child:
    begun.close()
    worker.close()
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), next(begun))
assert units(worker, descriptor, wanted=range(1, 3)) == ["one", "two"]
"""
    assert alone(code) == "7 two\n"


def test_a_worker_starts_nothing_until_it_is_used():
    code = """
import sys
from readwell.documents.worker import Worker
Worker()
print(sorted({"subprocess", "multiprocessing", "pypdfium2"} & set(sys.modules)))
"""
    assert alone(code) == "[]\n"


def test_before_the_cage_shuts_all_modules_of_a_converter_are_loaded():
    told = (
        "import sys, pkgutil, readwell.documents.pdf as package\n"
        "from readwell.documents.worker.preload import preload_modules\n"
        "preload_modules(package.__name__)\n"
        "names = {each.name for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.')}\n"
        "print(len(names) > 50, sorted(names - {*sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "True []\n"


def test_a_job_for_a_fork_server_that_another_thread_ended_finds_it_gone():
    """Whoever asks then starts a new one."""
    server = ForkServerClient(import_path_outside(()))
    server.kill()
    with open(os.devnull, "rb") as file, pytest.raises(ForkServerGone):
        server.submit("pdf", find_converter("pdf", {}), 1.0, (file.fileno(),) * 3)
