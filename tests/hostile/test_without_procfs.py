"""What the kernel tells in /proc, where it tells nothing there or something that is no name."""

import subprocess
import sys
import time

import pytest

from readwell.deadline import Deadline
from readwell.source import DiskOpener

WATCH = Deadline(time.monotonic, time.monotonic() + 1e6, 1e6)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: Linux alone counts in units of 1024")

UNTOLD = """
import resource
from readwell.cage.resource_limits import address_space_bytes, limit_resources

_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
present = address_space_bytes()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
limit_resources(1 << 30, present, 60)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
base = resource.getrlimit(resource.RLIMIT_DATA)[0] - (1 << 30)
print(present, before * 1024 <= base <= after * 1024)
"""


@linux_only
def test_without_procfs_a_parser_may_use_its_memory_beyond_what_it_had_at_most():
    """No descriptor is left to open /proc with, so nothing is told."""
    done = subprocess.run([sys.executable, "-c", UNTOLD], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "None True\n"


JUDGED = """
import os, resource
from readwell.source.pseudo_filesystems import is_pseudo_filesystem

_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
print(*(is_pseudo_filesystem(os.stat(path).st_dev) for path in ("/proc", "/proc/self", "/dev/shm", "/")))
"""


@linux_only
def test_without_the_list_of_mounts_what_is_mounted_as_usual_is_made_up_by_the_kernel_and_nothing_else_is():
    done = subprocess.run([sys.executable, "-c", JUDGED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True True False False\n"


def test_a_file_that_is_deleted_while_open_keeps_the_name_it_had(tmp_path):
    path = tmp_path.resolve() / "f.txt"
    path.write_text("text\n")
    opener = DiskOpener((str(path.parent),))
    with opener.open(opener.locate("f.txt"), WATCH) as source:
        path.unlink()
        assert source.real_path() == str(path)
        assert source.read_at(0, 9) == b"text\n"
