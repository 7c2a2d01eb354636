"""Several files in one call: the budget is never exceeded, the parts are fair, in order, and always go on."""

import tempfile
import tracemalloc
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.batch import fair_shares
from readwell.tokens import estimate_tokens, o200k_counter

law = settings(max_examples=examples(25), deadline=None)
O200K = o200k_counter()
LINE = "one line of the same length"
SIZES = st.lists(st.sampled_from([0, 1, 3, 10, 40, 200, 1000]), min_size=1, max_size=40)
WIDE = {"cache_dir": None, "max_tokens": 10**5}


def made(folder, sizes):
    names = [f"{number:03d}.txt" for number in range(len(sizes))]
    for name, size in zip(names, sizes):
        (Path(folder) / name).write_text(f"{LINE}\n" * size)
    return names


@law
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=50), st.integers(0, 100_000))
def test_shares_are_fair(needs, pool):
    shares = fair_shares(needs, pool)
    assert sum(shares) <= pool
    assert all(0 <= share <= need for share, need in zip(shares, needs))
    unmet = [share for share, need in zip(shares, needs) if share < need]
    assert not unmet or min(unmet) >= max(shares) - 1
    assert not unmet or sum(shares) == pool


@law
@given(SIZES, st.integers(512, 6000), st.integers(1, 300), st.sampled_from([estimate_tokens, O200K]))
def test_a_batch_stays_within_its_budget_in_order_and_fair(sizes, max_tokens, limit, counter):
    with tempfile.TemporaryDirectory() as folder:
        names = made(folder, sizes)
        with readwell.Reader(folder, count_tokens=counter, max_bytes=20_000, **WIDE) as reader:
            reply = reader.reply({"paths": names, "max_tokens": max_tokens, "limit": limit})
    files = reply.data["files"]
    assert reply.data["tokens"] == counter(reply.text) <= max_tokens
    assert [file["path"] for file in files] + reply.data["not_read"] == names
    shown = [file["end"] - file["start"] + 1 if file["total"] else 0 for file in files]
    assert sum(shown) <= limit
    assert len(LINE) * sum(shown) <= 20_000
    for size, count, file in zip(sizes, shown, files):
        assert count == size if file["next"] is None else 1 <= count < size
    cut = [count for count, file in zip(shown, files) if file["next"]]
    # Equal lines, so equal parts: all but the last tokens and lines, which do not divide.
    assert not cut or reply.data["not_read"] or min(cut) >= max(shown) - 9 - max(shown) // 8


@law
@given(SIZES, st.integers(512, 3000))
def test_following_every_way_on_gives_every_line_of_every_file(sizes, max_tokens):
    with tempfile.TemporaryDirectory() as folder:
        names = made(folder, sizes)
        lines = dict.fromkeys(names, 0)
        with readwell.Reader(folder, **WIDE) as reader:
            waiting = names
            while waiting:
                reply = reader.reply({"paths": waiting, "max_tokens": max_tokens})
                assert len(reply.data["not_read"]) < len(waiting)
                waiting = reply.data["not_read"]
                for file in reply.data["files"]:
                    while file["next"]:
                        lines[file["path"]] += file["end"] - file["start"] + 1
                        assert file["next"]["offset"] == lines[file["path"]] + 1
                        file = reader.reply({"path": file["path"], "offset": file["next"]["offset"]}).data
                    lines[file["path"]] += file["end"] - file["start"] + 1 if file["total"] else 0
    assert list(lines.values()) == sizes


def test_a_thousand_files_in_one_call_take_no_more_memory_than_a_hundred(tmp_path):
    made(tmp_path, [2000] * 1000)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        peaks = []
        for pattern in ("000.txt", "0*.txt", "*.txt"):
            tracemalloc.start()
            reply = reader.reply({"paths": [pattern]})
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert reply.data["tokens"] <= 12_000
    assert len(reply.data["files"]) + len(reply.data["not_read"]) == 1000
    assert peaks[2] < peaks[1] + (2 << 20)


@law
@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(1, 500))
def test_lines_are_given_out_to_the_last_one_and_evenly(sizes, limit):
    with tempfile.TemporaryDirectory() as folder:
        names = made(folder, sizes)
        with readwell.Reader(folder, max_bytes=10**6, **WIDE) as reader:
            reply = reader.reply({"paths": names, "limit": limit})
    read = reply.data["files"]
    shown = [file["end"] for file in read]
    assert len(read) == min(len(sizes), limit)
    assert sum(shown) == min(sum(sizes[: len(read)]), limit)
    cut = [count for count, file in zip(shown, read) if file["next"]]
    assert not cut or min(cut) >= max(shown) - 1
