"""A child that sleeps where it should work is found; one that works, or waits for its caller, is not."""

import subprocess
import sys
import time

import pytest

from readwell.documents.worker.sleeping_children import LONGEST_SLEEP_S, SleepingChildren

PROGRAM = """if True:
    import signal, sys
    if "working" in sys.argv:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    print("ready", flush=True)
    while "busy" in sys.argv:
        pass
    sys.stdin.read()
"""
WAIT = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how its processes do")


@pytest.fixture
def start():
    children = []

    def started(*how):
        child = subprocess.Popen([sys.executable, "-c", PROGRAM, *how], **WAIT)
        children.append(child)
        assert child.stdout.readline() == "ready\n"
        return child.pid

    yield started
    for child in children:
        child.kill()
        child.communicate()


def wait_until_asleep(sleeping, children):
    until = time.monotonic() + 30
    while not sleeping.asleep_count and time.monotonic() < until:
        assert sleeping.find_overslept(children, 0.0) == []
    assert sleeping.asleep_count == 1


def test_of_all_children_the_one_that_sleeps_at_work_is_found(start):
    asleep, waiting, busy = start("working"), start(), start("working", "busy")
    sleeping, children = SleepingChildren(), (asleep, waiting, busy, 2**22 + 1)
    wait_until_asleep(sleeping, children)
    assert sleeping.find_overslept(children, LONGEST_SLEEP_S - 0.1) == []
    assert sleeping.find_overslept(children, LONGEST_SLEEP_S) == [asleep]


def test_a_child_that_went_on_in_between_has_not_overslept(start):
    child = start("working")
    sleeping = SleepingChildren()
    wait_until_asleep(sleeping, [child])
    assert sleeping.find_overslept([], 1.0) == []  # it was not asleep then
    assert sleeping.find_overslept([child], LONGEST_SLEEP_S) == []
