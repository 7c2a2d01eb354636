"""Content without a file of its own is held whole, or the read fails: never a part of it."""

import os
import subprocess
import sys

import pytest

from memory_source import MemorySource
from readwell.errors import Unreadable
from readwell.source.nameless_file import PIECE, SpooledCopy

BEYOND_A_LIMIT = """
import resource
from io import BytesIO
from readwell.errors import Unreadable
from readwell.source.held_contents import HeldContents
from readwell.source.standard_input import StandardInput

def hold():
    with HeldContents().holding([b"x" * 2000], "a.txt"):
        return

resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for way in (hold, lambda: StandardInput(BytesIO(b"x" * 2000))):
    try:
        way()
        print("held")
    except Unreadable as error:
        print(error.reason)
"""


def test_a_content_that_the_system_takes_only_in_part_is_refused():
    done = subprocess.run([sys.executable, "-c", BEYOND_A_LIMIT], capture_output=True, text=True, timeout=60)
    assert (done.stdout.splitlines(), done.stderr) == (["File too large"] * 2, "")


class BreakingSource(MemorySource):
    """A source whose second piece cannot be read, until it is mended."""

    is_broken = True

    def read_at(self, offset, count):
        if offset and self.is_broken:
            raise Unreadable(5, "Input/output error")
        return super().read_at(offset, count)


def test_a_copy_that_broke_off_is_made_anew():
    content = os.urandom(PIECE + 10)
    source, copy = BreakingSource("mem://a/b.pdf", content), SpooledCopy()
    with pytest.raises(Unreadable):
        copy.descriptor_of(source)
    source.is_broken = False
    descriptor = copy.descriptor_of(source)
    assert os.pread(descriptor, 2 * PIECE, 0) == content
    copy.close()
