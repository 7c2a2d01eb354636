"""Files of any size: holes, enormous lines, columns in the middle of them, scans that are given up."""

import asyncio
import os
import threading
import time

import pytest

from memory_source import MemorySource
from readwell import DeadlineExceeded, Reader
from readwell.deadline import Deadline
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager
from readwell.text.decode import Encoding
from readwell.text.line_index import LineIndex

TIB = 1 << 40
HANG_S = 20
HEAD = "".join(f"line {number}\n" for number in range(1, 20_001))


def within(seconds, work):
    """Runs work in a thread, so that a hang fails the test instead of stopping it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert found, f"no answer within {seconds} s"
    return found[0]


@pytest.fixture
def sparse(tmp_path):
    path = tmp_path / "sparse.log"
    path.write_text(HEAD)
    os.truncate(path, TIB)
    return path


def test_a_tebibyte_of_hole_is_answered_at_once_in_every_dialect(sparse):
    root = sparse.parent
    reply = within(HANG_S, lambda: Reader(root, cache_dir=None).reply({"path": "sparse.log", "limit": 1}))
    assert reply.text.startswith("[sparse.log | lines 1-1 of ? | utf-8 LF | rev ")
    exact = within(HANG_S, lambda: Reader(root, cache_dir=None).read("sparse.log", limit=1, total="exact"))
    assert exact.window.total == 20_001
    assert "Lines 1-200 of 20001]" in within(HANG_S, lambda: FileManager(root).read_file("sparse.log"))
    answer = within(HANG_S, lambda: EnvelopeTool(root).run({"path": "sparse.log", "limit": 1}))
    assert (answer["stats"]["total_lines"], answer["stats"]["encoding"]) == (20_001, "utf-8")
    output = within(HANG_S, lambda: OpencodeTool(root=root).execute_sync({"filePath": "sparse.log"}))
    assert output["metadata"]["truncated"] is True


def test_the_last_line_of_a_tebibyte_is_shown_by_its_beginning(sparse):
    reader = Reader(sparse.parent, cache_dir=None, total="exact")
    window = within(HANG_S, lambda: reader.read("sparse.log", offset=20_001)).window
    assert (window.lines, window.end, window.next, window.clipped[0].rest) == (
        ["\0" * 2000],
        20_001,
        (20_001, 2001),
        None,
    )
    far = within(HANG_S, lambda: reader.read("sparse.log", offset=20_001, column=TIB // 2)).window
    assert set(far.lines[0]) == {"\0"}
    assert far.next == (20_001, TIB // 2 + len(far.lines[0]))
    end = TIB - len(HEAD)
    last = within(HANG_S, lambda: reader.read("sparse.log", offset=20_001, column=end)).window
    assert (last.lines, last.next, last.clipped) == (["\0"], None, ())


def test_a_lazy_read_of_an_enormous_line_does_not_look_for_its_end(tmp_path):
    path = tmp_path / "one"
    path.write_bytes(b"a" * 200_000)
    os.truncate(path, TIB)
    scans = []
    reader = Reader(tmp_path, cache_dir=None, on_progress=lambda done, total, what: scans.append(done))
    window = within(HANG_S, lambda: reader.read("one")).window
    assert (window.lines, window.total, tuple(window.next)) == (["a" * 2000], None, (1, 2001))
    assert max(scans) < 8 << 20
    following = reader.read("one", offset=1, column=2001).window
    assert tuple(following.next) == (1, 2001 + len(following.lines[0]))
    assert len(following.lines[0]) > 2000


@pytest.mark.parametrize("total", ["lazy", "auto"])
def test_a_lazy_read_of_a_large_file_scans_no_further_than_its_window(tmp_path, total):
    """Above 1 GiB a total is lazy unless it is asked for; rows stand at both ends of the file."""
    rows = b"".join(b"row %d\n" % number for number in range(1, 300_001))
    with (tmp_path / "large.log").open("wb") as file:
        file.write(rows)
        file.seek((1 << 30) + 1)
        file.write(b"\n" + rows)
    scans = []
    reader = Reader(tmp_path, cache_dir=None, total=total, on_progress=lambda done, size, what: scans.append(done))
    first = reader.read("large.log", limit=2).window
    assert (first.lines, first.total, scans) == (["row 1", "row 2"], None, [])
    later = reader.read("large.log", offset=50_000, limit=1).window
    assert (later.lines, later.total, max(scans) < len(rows) // 2) == (["row 50000"], None, True)
    scans.clear()
    last = reader.read("large.log", offset=-2).window
    assert (last.lines, last.total, last.start, scans) == (["row 299999", "row 300000"], None, -2, [0])


def is_shown_from(lines, line, column):
    """Whether a line is shown from a column on: 2000 characters, or as far as a budget goes once it is continued."""
    [shown] = lines
    rest = line[column - 1 :]
    return rest.startswith(shown) and (len(shown) == 2000 if column == 1 else len(shown) >= min(2000, len(rest)))


@pytest.mark.parametrize("text", ["é", "a", "漢字", "𝔘x", "aé"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-32-be"])
def test_a_column_in_a_long_line_is_exact_in_any_script(tmp_path, text, codec):
    line = text * 300_000
    bom = "\ufeff" if codec != "utf-8" else ""
    (tmp_path / "long").write_bytes((bom + "short\n" + line + "\nlast\n").encode(codec))
    reader = Reader(tmp_path)
    for column in (1, 2, 65_535, 65_536, 65_537, 150_001, len(line) - 1, len(line)):
        window = reader.read("long", offset=2, column=column, limit=1).window
        assert is_shown_from(window.lines, line, column), column
        goes_on = column > 1 and column + len(window.lines[0]) <= len(line)
        assert window.next == ((2, column + len(window.lines[0])) if goes_on else (3, 1))


def test_damaged_bytes_in_a_long_line_keep_columns_exact(tmp_path):
    raw = (b"ab\xff" + "é".encode() + b"\xe2\x82") * 60_000
    (tmp_path / "long").write_bytes(raw)
    shown = raw.decode(errors="replace")
    reader = Reader(tmp_path)
    for column in (1, 65_000, 131_072, 200_001):
        assert is_shown_from(reader.read("long", column=column).lines, shown, column)


def test_a_scan_ends_when_its_time_is_up_and_goes_on_next_time(tmp_path):
    path = tmp_path / "big.log"
    path.write_bytes(b"x\n" * (8 << 20))
    os.utime(path, (1_600_000_000, 1_600_000_000))
    time.sleep(0.03)
    with pytest.raises(DeadlineExceeded):
        Reader(tmp_path, deadline_s=1e-9).read("big.log")
    assert Reader(tmp_path).read("big.log", limit=1).window.total == 8 << 20


def test_a_scan_is_given_up_when_its_caller_goes_away(tmp_path):
    path = tmp_path / "big.log"
    path.write_bytes(b"x\n" * (16 << 20))
    ticks = []

    def slowly(done, total, what):
        ticks.append(done)
        time.sleep(0.02)

    async def leave():
        reader = Reader(tmp_path, on_progress=slowly, cache_dir=None)
        task = asyncio.create_task(reader.areply({"path": "big.log"}))
        while not ticks:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    seen = len(ticks)
    time.sleep(0.2)
    assert len(ticks) <= seen + 1
    assert max(ticks) < 32 << 20


def test_whatever_watches_a_scan_may_end_it(tmp_path):
    (tmp_path / "big.log").write_bytes(b"x\n" * (1 << 20))

    class EnoughError(Exception):
        pass

    def enough(done, total, what):
        raise EnoughError

    reader = Reader(tmp_path, on_progress=enough)
    with pytest.raises(EnoughError):
        reader.read("big.log")


def test_two_threads_count_what_one_counts(tmp_path, monkeypatch):
    piece = b"one\ntwo\r\nthree\rfour\n\r\n" * 999
    (tmp_path / "mixed.log").write_bytes(piece * 700)
    alone = Reader(tmp_path, cache_dir=None).read("mixed.log", offset=-3)
    monkeypatch.setattr("readwell.text.line_index.WORTH_A_THREAD", 1 << 20)
    both = Reader(tmp_path, cache_dir=None)
    assert both.read("mixed.log", offset=-3).window == alone.window
    for offset in (1, 5_000, 1_234_567, 3_000_000):
        assert (
            both.read("mixed.log", offset=offset, limit=3).lines
            == Reader(tmp_path).read("mixed.log", offset=offset, limit=3).lines
        )


def test_two_threads_read_each_byte_once(monkeypatch):
    class Counted(MemorySource):
        taken = 0

        def read_into(self, buffer, offset):
            self.taken += len(buffer)
            return super().read_into(buffer, offset)

    monkeypatch.setattr("readwell.text.line_index.WORTH_A_THREAD", 1 << 20)
    source = Counted("big.log", b"one\ntwo\r\n" * 300_000)
    source.address = ""
    index = LineIndex(source.size, Encoding("utf-8"))
    assert index.scan(source, Deadline(time.monotonic, time.monotonic() + 60, 60), None)
    assert (index.tally.ends, source.taken) == (600_000, source.size)


def test_many_threads_may_read_one_file_at_once(tmp_path):
    path = tmp_path / "shared.log"
    path.write_text(HEAD * 20)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    time.sleep(0.03)
    reader = Reader(tmp_path, cache_dir=None)
    wrong = []

    def read(seed):
        for step in range(30):
            offset = (seed * 7919 + step * 104_729) % 400_000 + 1
            lines = reader.read("shared.log", offset=offset, limit=1).lines
            if lines != [f"line {(offset - 1) % 20_000 + 1}"]:
                wrong.append((offset, lines))

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_many_threads_may_look_for_columns_of_one_line_at_once(tmp_path):
    line = "é漢a" * 400_000
    path = tmp_path / "long"
    path.write_text(line, encoding="utf-8")
    os.utime(path, (1_600_000_000, 1_600_000_000))
    time.sleep(0.03)
    reader = Reader(tmp_path, cache_dir=None)
    wrong = []

    def read(seed):
        for step in range(6):
            column = (seed * 7919 + step * 104_729) % 1_100_000 + 1
            if not is_shown_from(reader.read("long", column=column).lines, line, column):
                wrong.append(column)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_a_lazy_tail_keeps_its_token_budget(tmp_path):
    (tmp_path / "short.log").write_text("x\n" * 5000)
    reply = Reader(tmp_path, total="lazy").reply({"path": "short.log", "offset": -2000, "max_tokens": 1500})
    assert reply.data["tokens"] <= 1500
    assert reply.data["start"] == -2000


def test_a_file_that_is_shorter_than_it_says_ends_where_it_ends(tmp_path):
    """As a file system may tell that rounds sizes up: a source with a size of its own stands for it."""
    from readwell.deadline import Deadline
    from readwell.source import DiskOpener
    from readwell.text.decode import Encoding
    from readwell.text.line_index import LineIndex

    (tmp_path / "short").write_bytes(b"line\n" * 30_000)
    deadline = Deadline(time.monotonic, time.monotonic() + HANG_S, HANG_S)
    opener = DiskOpener((str(tmp_path),))
    with opener.open(opener.locate("short"), deadline) as source:
        source.size = 500_000
        index = LineIndex(source.size, Encoding("utf-8"))
        index.scan(source, deadline, None)
        assert (index.total, index.size) == (30_000, 150_000)
