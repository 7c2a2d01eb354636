"""What is remembered between reads: it saves the scan, and it is never believed when it should not be."""

import os
import random
import stat
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opening import opened

from readwell import Reader
from readwell.deadline import Deadline
from readwell.disk_store import Store
from readwell.source import DiskOpener
from readwell.source.reread_check import settled_after_ns
from readwell.text import IndexCache
from readwell.text.decode import Encoding
from readwell.text.line_index import BLOCK, LineIndex
from readwell.text.line_index_cache import STORED_FROM
from stored import entries_in

WATCH = Deadline(time.monotonic, time.monotonic() + 1e6, 1e6)
OPTIONS = ("a way to read",)
LONG_AGO = 1_600_000_000


def lines(count, start=1):
    return "".join(f"line {number}\n" for number in range(start, start + count)).encode()


def settled(path):
    """Lets a file look as if it had not changed for long; its inode's own time needs a moment."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    time.sleep(0.03)


class Scans(list):
    """Where scans started, as the progress of a reader tells it."""

    def __call__(self, done, total, what):
        self.append(done)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "app.log"
    path.write_bytes(lines(60_000))
    settled(path)
    return path


def test_a_file_is_scanned_once_for_all_windows(log):
    scans = Scans()
    reader = Reader(log.parent, on_progress=scans)
    first = reader.read("app.log", offset=50_000, limit=2)
    assert first.lines == ["line 50000", "line 50001"]
    assert scans
    scans.clear()
    assert reader.read("app.log", offset=-1).lines == ["line 60000"]
    assert reader.read("app.log", offset=7, limit=1).window.total == 60_000
    assert scans == []


def test_a_small_file_is_one_step_of_its_size(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    steps = []
    with Reader(tmp_path, cache_dir=None, on_progress=lambda *step: steps.append(step)) as reader:
        read = reader.read("a.txt")
    assert steps == [(0, 8, "scan")]
    assert (read.block, read.block_end, read.outline, read.pictures) == ("", 0, None, ())


def test_a_folder_is_listed_in_steps_that_count_its_entries(tmp_path):
    for name in "abc":
        (tmp_path / name).touch()
    steps = []
    with Reader(tmp_path, cache_dir=None, on_progress=lambda *step: steps.append(step)) as reader:
        assert len(reader.read(".").lines) == 3
    assert steps == [(0, 0, "list"), (3, 0, "list")]


def insert_behind_the_last_full_block(content):
    return content[:-1000] + b"one more\n" * 20 + content[-1000:]


def join_two_rows_and_append(content):
    return content[:500] + content[500:].replace(b"\n", b" ", 1) + b"the end\n"


def append_only(content):
    return content + b"the end\n"


@pytest.mark.parametrize("edit", [insert_behind_the_last_full_block, join_two_rows_and_append, append_only])
def test_a_file_that_grew_in_place_has_the_numbers_of_its_lines_now(log, edit):
    reader = Reader(log.parent)
    reader.read("app.log")
    content = edit(log.read_bytes())
    with log.open("r+b") as file:
        file.write(content)
    naive = content.decode().split("\n")
    for offset in (2, 50, 30_000, len(naive) - 1):
        result = reader.read("app.log", offset=offset, limit=1)
        assert (result.lines, result.window.total) == ([naive[offset - 1]], len(naive) - 1)


@pytest.mark.parametrize("change", [b"", lines(3), b"x" * 200_000, b"\r" * 100_000])
def test_a_rewritten_file_is_never_read_by_its_old_index(log, change):
    reader = Reader(log.parent)
    reader.read("app.log")
    log.write_bytes(change)
    assert reader.read("app.log", limit=1).window.total == len(change.replace(b"\r", b"\n").splitlines())


def test_a_file_replaced_by_another_of_the_same_size_is_read_anew(log):
    reader = Reader(log.parent)
    reader.read("app.log")
    other = log.with_name("other.log")
    other.write_bytes(b"\n" * log.stat().st_size)
    os.utime(other, (LONG_AGO, LONG_AGO))
    other.replace(log)
    assert reader.read("app.log", limit=1).window.total == log.stat().st_size


def source_of(path):
    opener = DiskOpener((str(path.parent),))
    return opener.open(opener.locate(path.name), WATCH)


def scanned_index(source):
    index = LineIndex(source.size, Encoding("utf-8"))
    index.scan(source, WATCH, None)
    return index


def test_what_was_seen_within_a_tick_of_the_last_change_is_not_believed(log):
    cache = IndexCache()
    with source_of(log) as source:
        changed_ns = max(source.identity[3:])
        source.seen_ns = changed_ns + 19_000_000
        cache.put(source, OPTIONS, scanned_index(source))
        assert cache.get(source, OPTIONS) is None
        source.seen_ns = changed_ns + 21_000_000
        index = scanned_index(source)
        cache.put(source, OPTIONS, index)
        assert cache.get(source, OPTIONS) is index


@pytest.mark.parametrize(("fraction_ns", "tick_ns"), [(0, 2 * 10**9), (1, 2 * 10**7)])
def test_a_clock_of_whole_seconds_is_believed_after_two_of_them(fraction_ns, tick_ns):
    class Found:
        st_mtime_ns = LONG_AGO * 10**9
        st_ctime_ns = LONG_AGO * 10**9 + fraction_ns

    assert tick_ns <= settled_after_ns(Found) - Found.st_ctime_ns < 1.1 * tick_ns


def test_the_same_bytes_read_in_another_way_have_another_index(log):
    cache = IndexCache()
    with source_of(log) as source:
        cache.put(source, OPTIONS, scanned_index(source))
        assert cache.get(source, ("another way",)) is None


def test_the_oldest_files_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr("readwell.text.line_index_cache.MAX_BLOCKS", 10)
    cache = IndexCache()
    paths = [tmp_path / f"{number}.log" for number in range(4)]
    for path in paths:
        path.write_bytes(b"\n" * 4 * BLOCK)
        settled(path)
        with source_of(path) as source:
            cache.put(source, OPTIONS, scanned_index(source))
    remembered = []
    for path in paths:
        with source_of(path) as source:
            remembered.append(cache.get(source, OPTIONS) is not None)
    assert remembered == [False, False, True, True]


@given(st.lists(st.sampled_from([b"a", b"bb\n", b"\r", b"\n", b"\r\n", "é".encode(), b"\xff"]), max_size=60), st.data())
def test_an_index_scanned_in_steps_is_the_index_of_the_whole(pieces, data):
    """Stopping anywhere, also inside a pair or a character, counts as reading all at once."""
    content = b"".join(pieces)
    steps = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=3)))
    with opened(content) as source:
        index, whole = (LineIndex(len(content), Encoding("utf-8"), 8, validate_utf8=True) for _ in range(2))
        for step in [*steps, None]:
            index.scan(source, WATCH, step)
        whole.scan(source, WATCH, None)
    assert (index.total, index.tally, index.ends, index.valid) == (whole.total, whole.tally, whole.ends, whole.valid)


@pytest.fixture
def huge(tmp_path):
    """A file that is worth storing: lines, then a hole that nobody wrote, then lines."""
    path = tmp_path / "huge.log"
    with path.open("wb") as file:
        file.write(lines(20_000))
        file.seek(STORED_FROM)
        file.write(b"\n" + lines(20_000))
    settled(path)
    return path


def test_the_index_of_a_huge_file_outlives_the_process(huge, tmp_path):
    cache = tmp_path / "cache"
    Reader(tmp_path, cache_dir=cache).read("huge.log")
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    scans = Scans()
    result = Reader(tmp_path, cache_dir=cache, on_progress=scans).read("huge.log", offset=-1)
    assert (result.lines, result.window.total, scans) == (["line 20000"], 40_001, [])


@pytest.mark.parametrize("less, stored", [(0, 1), (1, 0)])
def test_an_index_is_stored_from_64_mib_on(tmp_path, less, stored):
    path = tmp_path / "huge.log"
    path.write_bytes(lines(20_000))
    os.truncate(path, STORED_FROM - less)
    settled(path)
    Reader(tmp_path, cache_dir=tmp_path / "cache").read("huge.log", limit=1)
    assert len(entries_in(tmp_path / "cache")) == stored


def test_a_damaged_entry_is_ignored_and_made_anew(huge, tmp_path):
    cache = tmp_path / "cache"
    Reader(tmp_path, cache_dir=cache).read("huge.log")
    (entry,) = entries_in(cache)
    good = entry.read_bytes()
    random.seed(7)
    places = [*range(60), *random.sample(range(len(good)), 60)]
    for place in places:
        entry.write_bytes(good[:place] + bytes([good[place] ^ 0x40]) + good[place + 1 :])
        assert Reader(tmp_path, cache_dir=cache).read("huge.log", offset=-1).window.total == 40_001
        assert len(entry.read_bytes()) == len(good)
    for length in (0, 1, len(good) // 2, len(good) - 1):
        entry.write_bytes(good[:length])
        assert Reader(tmp_path, cache_dir=cache).read("huge.log", offset=-1).window.total == 40_001


@pytest.mark.parametrize("cache", ["missing/deep/inside", "a file", "\0"])
def test_without_a_cache_directory_reading_only_takes_longer(huge, tmp_path, cache):
    (tmp_path / "a file").write_text("")
    reader = Reader(tmp_path, cache_dir=tmp_path / cache if "\0" not in cache else "/proc/nowhere")
    assert reader.read("huge.log", offset=-1).window.total == 40_001


def test_a_store_keeps_within_its_bytes_and_forgets_the_oldest(tmp_path):
    store = Store(str(tmp_path / "store"), b"version1", 1000)
    for number in range(20):
        store.put(str(number).encode(), b"x" * 200)
        time.sleep(0.002)
    held = [number for number in range(20) if store.get(str(number).encode())]
    assert held == [16, 17, 18, 19]
    assert sum(path.stat().st_size for path in entries_in(tmp_path / "store")) <= 1000


def test_an_entry_of_another_version_name_or_writer_is_not_served(tmp_path):
    store = Store(str(tmp_path), b"version1", 1000)
    store.put(b"name", b"content")
    assert store.get(b"name") == b"content"
    assert Store(str(tmp_path), b"version2", 1000).get(b"name") is None
    (entry,) = entries_in(tmp_path)
    store.put(b"other", b"content of another")
    (other,) = set(entries_in(tmp_path)) - {entry}
    other.replace(entry)
    assert store.get(b"name") is None
    store.put(b"name", b"content")
    entry.chmod(0o666)
    assert store.get(b"name") is None


def test_a_store_leaves_alone_what_is_not_its_own(tmp_path):
    (tmp_path / "thesis.doc").write_bytes(b"x" * 5000)
    store = Store(str(tmp_path), b"version1", 1000)
    for number in range(9):
        store.put(str(number).encode(), b"x" * 200)
    assert (tmp_path / "thesis.doc").exists()
    assert store.get(b"8")


def test_a_stored_index_that_serves_is_not_written_again(huge, tmp_path):
    cache = tmp_path / "cache"
    Reader(tmp_path, cache_dir=cache).read("huge.log")
    (entry,) = entries_in(cache)
    written = entry.stat().st_ino
    Reader(tmp_path, cache_dir=cache).read("huge.log", offset=-1)
    assert entry.stat().st_ino == written


def test_the_file_read_last_is_remembered_not_the_one_scanned_last(tmp_path, monkeypatch):
    monkeypatch.setattr("readwell.text.line_index_cache.MAX_BLOCKS", 10)
    cache = IndexCache()
    paths = [tmp_path / f"{number}.log" for number in range(3)]
    for path in paths:
        path.write_bytes(b"\n" * 4 * BLOCK)
        settled(path)
        with source_of(path) as source:
            cache.put(source, OPTIONS, scanned_index(source))
        with source_of(paths[0]) as first:
            assert cache.get(first, OPTIONS)
