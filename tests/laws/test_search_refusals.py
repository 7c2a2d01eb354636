"""A search never opens what a read would refuse, whatever the tree, the links in it and the rules; the kernel is asked."""

import ctypes
import itertools
import os
import shutil
import struct
import sys
from contextlib import contextmanager

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="openings are watched by inotify")

COUNTER = itertools.count()
law = settings(max_examples=examples(60), deadline=None)
IN_ACCESS, IN_OPEN, IN_NONBLOCK = 0x1, 0x20, 0o4000

NAMES = st.sampled_from(["a.py", "b.txt", "c.key", "id_rsa", ".env", "é.py", "B.TXT"])
FOLDERS = st.sampled_from(["", "a/", "secret/", "a/secret/", "b/c/", ".git/"])
RULES = st.sampled_from(["*.key", "id_*", "secret/", "/a", "b/**", ".env", "*.TXT", "!a.py", "b/c/*.py", "**/a.py"])
TREES = st.lists(st.tuples(FOLDERS, NAMES), min_size=1, max_size=8, unique=True)
LINKS = st.lists(st.tuples(st.sampled_from(["hard", "soft"]), FOLDERS, st.sampled_from(["x.py", "y.key"])), max_size=3)


@contextmanager
def openings_of(paths):
    """Yields a function that tells which of some files were opened, and which read, since then."""
    libc = ctypes.CDLL(None, use_errno=True)
    deadline = libc.inotify_init1(IN_NONBLOCK)
    numbers = {
        libc.inotify_add_watch(deadline, os.fsencode(path), IN_OPEN | IN_ACCESS): path for path in map(str, paths)
    }

    def seen():
        opened, read = set(), set()
        try:
            while data := os.read(deadline, 1 << 16):
                at = 0
                while at < len(data):
                    number, mask, _, length = struct.unpack_from("iIII", data, at)
                    at += 16 + length
                    opened |= {numbers[number]} if mask & IN_OPEN else set()
                    read |= {numbers[number]} if mask & IN_ACCESS else set()
        except BlockingIOError:
            return opened, read
        return opened, read

    try:
        yield seen
    finally:
        os.close(deadline)


def written(folder, tree, links, ignore):
    """Writes a tree beside a file that is outside of it, which links lead to."""
    root = folder / "root"
    (folder / "outside.py").parent.mkdir(parents=True)
    (folder / "outside.py").write_text("needle\n")
    for path in (root / (each + name) for each, name in tree):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("needle\n")
    for kind, each, name in links:
        path = root / (each + name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_symlink() and not path.exists():
            (os.link if kind == "hard" else os.symlink)(folder / "outside.py", path)
    (root / ".aiignore").write_text("\n".join(ignore) + "\n")
    return root


def refuses(reader, path):
    try:
        reader.read(path)
    except readwell.ReadError:
        return True
    return False


@law
@example([("", "a.py")], [("hard", "", "x.py"), ("hard", "", "y.key")], [], ["*.key"], False, False)
@given(TREES, LINKS, st.lists(RULES, max_size=3), st.lists(RULES, max_size=2), st.booleans(), st.booleans())
def test_a_search_reads_no_file_that_a_read_would_refuse_and_all_others(
    tmp_path_factory, tree, links, deny, ignore, hardlinks, everything
):
    folder = tmp_path_factory.getbasetemp() / f"refusals{os.getpid()}-{next(COUNTER)}"
    root = written(folder, tree, links, ignore)
    files = [path for path in root.rglob("*") if path.is_file()]
    with readwell.Reader(root, cache_dir=None, deny=deny, ignore_files=True, deny_hardlinks=hardlinks) as reader:
        refused = {str(path) for path in files if refuses(reader, path)}
        # A file that may be read under another name is opened under that one.
        shared = {path.stat().st_ino for path in files if str(path) not in refused}
        refused_by_all = {str(path) for path in files if path.stat().st_ino not in shared}
        found = []
        with openings_of(path for path in files if not path.is_symlink()) as seen:
            result = reader.search("needle", limit=500, everything=everything)
            found += [str(root / match.path) for match in result.matches]
            _, read = seen()
            reader.search("needle", glob="*.key", everything=True)
            _, with_glob = seen()
    shutil.rmtree(folder)
    assert not (read | with_glob) & refused_by_all
    assert not {*found} & refused
    wanted = {
        str(path)
        for path in files
        if not path.is_symlink()
        and path.name != ".aiignore"
        and (everything or not any(part.startswith(".") for part in path.relative_to(root).parts))
    }
    assert {*found} == wanted - refused


@law
@given(TREES, st.lists(RULES, min_size=1, max_size=3))
def test_a_file_whose_name_is_denied_is_not_even_opened(tmp_path_factory, tree, deny):
    folder = tmp_path_factory.getbasetemp() / f"refusals{os.getpid()}-{next(COUNTER)}"
    root = written(folder, tree, [], [])
    files = [path for path in root.rglob("*") if path.is_file()]
    with readwell.Reader(root, cache_dir=None, deny=deny) as reader:
        refused = {str(path) for path in files if refuses(reader, path)}
        with openings_of(files) as seen:
            reader.search("needle", everything=True)
            opened, _ = seen()
    shutil.rmtree(folder)
    assert not opened & refused
    assert opened >= {str(path) for path in files} - refused
