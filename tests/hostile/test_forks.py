"""A process that is forked while others of its threads read: it reads as well, and leaves alone what is not its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from readwell.deadline import Deadline
from readwell.documents.worker import Worker

pytestmark = pytest.mark.usefixtures("own_fork_servers")

HANG_S = 120
CONVERTERS = Path(__file__).parent.parent / "documents"

HOLDING_ALL_LOCKS = """
import gc, os, sys, threading
from readwell import Reader
from readwell.audit import AuditFile

folder, records = sys.argv[1:]
reader = Reader(folder, cache_dir=None, audit=AuditFile(records))

def read_all():
    assert reader.read("long.log", offset=9000, limit=1).lines == ["line 9000"]
    assert reader.read("short.txt").lines == ["one", "two"]
    assert reader.read("page.html", view="markdown").lines == ["A page"]
    reader.close()

reader.read("long.log"), reader.read("short.txt"), reader.read("page.html", view="markdown")
owners = [each for each in gc.get_objects() if type(each).__module__.startswith("readwell.") and hasattr(each, "_lock")]
held = threading.Event()

def hold():
    for owner in owners:
        owner._lock.acquire()
    held.set()
    threading.Event().wait()

threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if not child:
    read_all()
    os._exit(0)
print(*sorted({type(owner).__name__ for owner in owners}))
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_process_forked_while_threads_hold_every_lock_reads(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "long.log").write_text("".join(f"line {number}\n" for number in range(1, 20_001)))
    (folder / "short.txt").write_text("one\ntwo\n")
    (folder / "page.html").write_text("<p>A page</p>")
    time.sleep(0.03)  # what was seen within a tick of the last change is not kept
    # Python 3.12 warns of what is tried here.
    words = [
        sys.executable,
        "-W",
        "ignore::DeprecationWarning",
        "-c",
        HOLDING_ALL_LOCKS,
        str(folder),
        str(tmp_path / "records"),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) >= {
        "AuditFile",
        "Documents",
        "OpenRoots",
        "LineIndex",
        "IndexCache",
        "IdentityCache",
        "UnitCache",
    }


@pytest.mark.parametrize("action", ["close", "__del__"])
def test_a_forked_process_does_not_end_the_conversion_of_the_one_it_comes_from(tmp_path, monkeypatch, action):
    monkeypatch.syspath_prepend(str(CONVERTERS))
    (tmp_path / "document").touch()
    deadline = Deadline(time.monotonic, time.monotonic() + HANG_S, HANG_S)
    with (
        Worker({"endless": "plain_converters:ENDLESS"}) as worker,
        (tmp_path / "document").open() as document,
        worker.convert(document.fileno(), "endless", deadline) as conversion,
    ):
        child = os.fork()
        if not child:
            getattr(conversion, action)()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        units = [next(conversion) for _ in range(200)]  # more than any line between processes holds
    assert [unit.split()[0] for unit in units] == [str(number) for number in range(1, 201)]


AT_THE_END = """
import sys
from readwell import Reader
import readwell.source.open_roots as module

reader = Reader(sys.argv[1])
if sys.argv[2] == "names gone":
    for name in list(vars(module)):
        setattr(module, name, None)
else:
    import os
    os.closerange(3, 64)
del reader
"""


@pytest.mark.parametrize("end", ["names gone", "descriptors closed"])
def test_a_reader_that_outlives_its_module_or_its_descriptors_ends_in_silence(tmp_path, end):
    words = [sys.executable, "-c", AT_THE_END, str(tmp_path), end]
    done = subprocess.run(words, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
