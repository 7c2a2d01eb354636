"""A program that swaps names under every shipped way to read, at any moment, and a library that picks the moment.

It must be a race: both what is inside and what is refused is seen often, and a reader that looks
before it opens is led out. readwell never is.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from racer import OFTEN

from effort import EFFORT, QUICK

HERE = Path(__file__).parent
ATTEMPTS = 2_000 if QUICK else 20_000 * max(1, EFFORT // 2)
"""In each cell; 2,000,000 in `make soak`."""
NAIVE_ATTEMPTS = 1_000 if QUICK else 2_000
REST_NS = 200_000
"""How long the attacker rests at most between bursts; not at all where only the kernel can be hit, inside a call."""
LONGEST_S = 300 * EFFORT
"""When a race that a busy machine slows down is given up."""
HANG = 2 * LONGEST_S
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


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    library = tmp_path_factory.mktemp("shim") / "faults.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", library, HERE / "faults.c", "-ldl"], check=True)
    return library


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


SWAPS = (file_for_link, parent_for_link, parent_moved_out, file_for_link_to_denied)
ONE_OFTEN = [SWAPS[0], *(pytest.param(swap, marks=pytest.mark.slow) for swap in SWAPS[1:])]
"""What is left to chance needs a whole core for each; `make test` leaves little to it."""
WAYS = ("openat2", "walk")
OUTCOMES = {
    **{(swap, way): ("inside", "refused") for swap in SWAPS for way in WAYS},
    **{(swap, "naive"): ("leaked",) for swap in SWAPS},
    # The walk goes up to the parent that it came from, wherever that has been moved: it is never turned away.
    (parent_moved_out, "walk"): ("inside",),
}
"""What must be seen often before a run counts as a race."""


def raced(swapper, shim, tmp_path, swap):
    """What each way to open saw while two names were exchanged; how often they were."""
    entries, root, path, one, other = laid_out(tmp_path, swap)
    counts = {**dict.fromkeys(WAYS, ATTEMPTS), "naive": NAIVE_ATTEMPTS}
    words = [
        f"{way}={count}={','.join(OUTCOMES[swap, way])}={path.format('deep/../' * ROUNDS[way])}"
        for way, count in counts.items()
    ]
    rest = 0 if swap is parent_moved_out else REST_NS
    attacker = subprocess.Popen(
        [swapper, one, other, str(HANG), str(rest)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        seen = run(tmp_path, shim, "racer.py", entries, str(LONGEST_S), root, one, other, *words)
    finally:
        attacker.terminate()
        told, complaint = attacker.communicate(timeout=HANG)
    if attacker.returncode == 77:
        pytest.skip(f"NOT TESTED: this file system exchanges no names: {complaint.decode()}")
    return seen, int(told)


def laid_out(tmp_path, swap):
    """What is read there, and the names to exchange."""
    top = tmp_path.resolve()
    for folder in ("root", "outside"):
        (top / folder).mkdir()
    (top / "outside" / "name.txt").write_text("secret\n")
    root, *names = swap(top)
    return "doors" if root.name == "denying" else "faces", root, *names


def run(tmp_path, shim, program, *words):
    done = subprocess.run(
        [sys.executable, HERE / program, *words], capture_output=True, timeout=HANG, check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "LD_PRELOAD": str(shim)},
    )  # fmt: skip
    if done.returncode == 77:
        pytest.skip("NOT TESTED: names cannot be exchanged here, or no program may forbid itself a system call")
    assert done.stderr.decode() == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("swap", ONE_OFTEN, ids=lambda swap: swap.__name__)
def test_no_swap_leads_to_what_may_not_be_read(swapper, shim, tmp_path, swap):
    """Nor through either opener, while a reader that looks before it opens is led astray."""
    assert_nothing_leaks(*raced(swapper, shim, tmp_path, swap), swap)


def assert_nothing_leaks(seen, swaps, swap):
    """Asserts that no attempt leaked; skips where the machine was too busy for a race, after bounded tries and time."""
    print(swap.__name__, swaps, seen)
    whole = {way: sum(map(collections.Counter, seen[way].values()), collections.Counter()) for way in seen}
    assert [whole[way]["leaked"] for way in WAYS] == [0, 0]
    made = min(whole[way].total() for way in WAYS)
    if made < ATTEMPTS:
        pytest.skip(f"NOT RACED ENOUGH: nothing leaked in {made} of {ATTEMPTS} attempts, made in {LONGEST_S} s")
    missed = [(way, outcome) for way in whole for outcome in OUTCOMES[swap, way] if whole[way][outcome] <= OFTEN]
    if missed or not swaps:
        pytest.skip(f"NOT RACED: nothing leaked, but {missed} was not seen more than {OFTEN} times; {swaps} swaps")


@pytest.mark.parametrize("swap", ONE_OFTEN, ids=lambda swap: swap.__name__)
def test_no_moment_to_swap_leads_to_what_may_not_be_read(shim, tmp_path, swap):
    """Not left to chance: names change places, and back, before each call that a read makes."""
    entries, root, path, one, other = laid_out(tmp_path, swap)
    path = path.format("deep/../")
    seen = run(tmp_path, shim, "striker.py", entries, root, path, one, other)
    print(swap.__name__, seen)
    assert any(counts.get("leaked", 0) for counts in seen.pop("naive").values())
    for name, counts in ((f"{way} {name}", counts) for way in WAYS for name, counts in seen[way].items()):
        assert (name, counts.get("leaked", 0), sum(counts.values()) > 50) == (name, 0, True)
