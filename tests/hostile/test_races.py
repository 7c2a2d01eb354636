"""A program that swaps names as fast as the kernel lets it, against every shipped way to read.

It must be a race: both what is inside and what is refused is seen often, and a reader that looks
before it opens is led out. readwell never is.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from effort import EFFORT

HERE = Path(__file__).parent
ATTEMPTS = 20_000
MANY_ATTEMPTS = 200_000 * max(1, EFFORT // 20)
OFTEN = 20
HANG = 1800 + 60 * EFFORT
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: names are exchanged by Linux alone"),
    pytest.mark.skipif(COMPILER is None, reason="NOT TESTED: THE RACES NEED A C COMPILER; install gcc or clang"),
    pytest.mark.skipif(sys.maxsize < 2**32, reason="NOT TESTED: the filter is written for 64 bits"),
]


@pytest.fixture(scope="module")
def swapper(tmp_path_factory):
    program = tmp_path_factory.mktemp("swapper") / "swapper"
    subprocess.run([COMPILER, "-O2", "-o", program, HERE / "swapper.c"], check=True, timeout=HANG)
    return program


def file_for_link(top):
    """A file and a link to one outside change places."""
    root = top / "root"
    (root / "name.txt").write_text("harmless\n")
    (root / "spare").symlink_to("../outside/name.txt")
    return root, "name.txt", root / "name.txt", root / "spare"


def parent_for_link(top):
    """A folder and a link to one outside change places."""
    root = top / "root"
    (root / "folder").mkdir()
    (root / "folder" / "name.txt").write_text("harmless\n")
    (root / "spare").symlink_to(top / "outside")
    return root, "folder/name.txt", root / "folder", root / "spare"


def parent_moved_out(top):
    """A folder is moved out while `..` is on its way through it."""
    root = top / "root"
    for folder in (root / "moving" / "deep", top / "outside" / "deep"):
        folder.mkdir(parents=True)
    (root / "name.txt").write_text("harmless\n")
    (top / "name.txt").write_text("secret\n")
    return root, "moving/{}../name.txt", root / "moving" / "deep", top / "outside" / "deep"


ROUNDS = {"naive": 40, "openat2": 40, "walk": 1}
"""How often a path goes through a folder that moves: the kernel is so fast that once would hit nothing."""


def file_for_link_to_denied(top):
    """A file and a link to a denied one inside the root change places; a naive reader knows no rules."""
    root = top / "denying"
    root.mkdir()
    (root / "name.txt").write_text("harmless\n")
    (root / ".env").write_text("secret\n")
    (root / "spare").symlink_to(".env")
    return root, "name.txt", root / "name.txt", root / "spare"


OUTWARDS = (file_for_link, parent_for_link, parent_moved_out)
SWAPS = (*OUTWARDS, file_for_link_to_denied)
CELLS = [(swap, way) for swap in SWAPS for way in ("openat2", "walk")]
MANY_CELLS = CELLS if EFFORT > 1 else [(file_for_link, "openat2"), (parent_for_link, "walk")]
"""Two cells are tried very often every time, all of them in `make soak`: each takes minutes."""


def raced(swapper, tmp_path, swap, way, attempts):
    """What was seen while two names were exchanged; how often they were."""
    top = tmp_path.resolve()
    for folder in ("root", "outside"):
        (top / folder).mkdir()
    (top / "outside" / "name.txt").write_text("secret\n")
    root, path, one, other = swap(top)
    path = path.format("deep/../" * ROUNDS[way])
    attacker = subprocess.Popen([swapper, one, other, str(HANG)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        done = subprocess.run(
            [sys.executable, HERE / "racer.py", way, root, path, str(attempts)],
            capture_output=True, timeout=HANG, check=False, env={**os.environ, "XDG_CACHE_HOME": str(top / "cache")},
        )  # fmt: skip
    finally:
        attacker.terminate()
        told, complaint = attacker.communicate(timeout=HANG)
    if attacker.returncode == 77:
        pytest.skip(f"NOT TESTED: this file system exchanges no names: {complaint.decode()}")
    if done.returncode == 77:
        pytest.skip("NOT TESTED: this machine lets no program forbid itself a system call")
    assert done.stderr.decode() == ""
    return json.loads(done.stdout), int(told)


@pytest.mark.parametrize("swap", SWAPS, ids=lambda swap: swap.__name__)
def test_a_reader_that_looks_before_it_opens_is_led_out(swapper, tmp_path, swap):
    seen, _ = raced(swapper, tmp_path, swap, "naive", ATTEMPTS)
    assert seen["naive"].get("leaked", 0) > 0


@pytest.mark.parametrize("way", ["openat2", "walk"])
@pytest.mark.parametrize("swap", OUTWARDS, ids=lambda swap: swap.__name__)
def test_no_swap_leads_out_of_the_root(swapper, tmp_path, swap, way):
    seen, swaps = raced(swapper, tmp_path, swap, way, ATTEMPTS)
    assert leaks(seen, swaps, swap, way) == dict.fromkeys(seen, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("swap", "way"), MANY_CELLS, ids=lambda each: getattr(each, "__name__", each))
def test_no_swap_leads_out_of_the_root_however_often_it_is_tried(swapper, tmp_path, swap, way):
    seen, swaps = raced(swapper, tmp_path, swap, way, MANY_ATTEMPTS)
    assert leaks(seen, swaps, swap, way) == dict.fromkeys(seen, 0)


def leaks(seen, swaps, swap, way):
    """What leaked, after a look at whether it was a race at all."""
    print(swap.__name__, way, swaps, seen)
    for outcome in ("inside", "refused"):
        often = sum(counts.get(outcome, 0) for counts in seen.values())
        # The walk goes up to the parent that it came from, wherever that has been moved: it is never turned away.
        assert often > OFTEN or (swap, way, outcome) == (parent_moved_out, "walk", "refused")
    assert swaps > OFTEN
    return {name: counts.get("leaked", 0) for name, counts in seen.items()}
