"""Several files in one call: the budget is never exceeded, the parts are fair, in order, and always go on."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.tokens import estimate_tokens, o200k_counter
from readwell.tool import Tool

law = settings(max_examples=examples(25), deadline=None)
O200K = o200k_counter()
LINE = "one line of the same length"
SIZES = st.lists(st.sampled_from([0, 1, 3, 10, 40, 200, 1000]), min_size=1, max_size=40)
WIDE = {"cache_dir": None, "max_tokens": 10**5}
FLAT_MB = 24
"""Less than half of what the files hold together."""


def made(folder, sizes):
    names = [f"{number:03d}.txt" for number in range(len(sizes))]
    for name, size in zip(names, sizes):
        (Path(folder) / name).write_text(f"{LINE}\n" * size)
    return names


@law
@given(SIZES, st.integers(512, 6000), st.integers(1, 300), st.sampled_from([estimate_tokens, O200K]))
@example([0, 0, 0, 10, 40], 512, 17, estimate_tokens)  # a fair part is below the minimum
@example([0, 0, 0, 0, 0, 0, 40, 40], 548, 28, O200K)  # what is left for the last one is below the minimum
@example([0] * 9 + [200, 1000, 1000, 1000], 2708, 255, estimate_tokens)  # lines and tokens both end the parts
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
    # Equal lines, so equal parts: all but the last tokens and lines, which do not divide. A part that is
    # estimated leaves more of its share to those that follow.
    uneven = max(shown) // (8 if counter is O200K else 3)
    assert not cut or reply.data["not_read"] or min(cut) >= max(shown) - 9 - uneven


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


PEAK = """
import json, resource, sys
import readwell
folder, pattern, tokens = sys.argv[1:]
wide = {"max_tokens": int(tokens), "max_bytes": 10**7, "limit": 10**6, "deadline_s": 300}
with readwell.Reader(folder, cache_dir=None, **wide) as reader:
    data = reader.reply({"paths": [pattern], "max_tokens": int(tokens)}).data
names = [file["path"] for file in data["files"]]
ways_on = [file["next"] == {"offset": file["end"] + 1, "column": 1} for file in data["files"]]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)
print(json.dumps([names, data["not_read"], all(ways_on), data["tokens"], peak]))
"""
"""Run in a process of its own: what was read, and the most memory it ever took, in MB."""


def peak_of(folder, pattern, tokens):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", PEAK, str(folder), pattern, str(tokens)]
    return json.loads(subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
def test_a_batch_counts_the_newline_between_two_parts(tmp_path):
    names = made(tmp_path, [2] * 30)
    whole = readwell.Reader(tmp_path, count_tokens=O200K, **WIDE).reply({"paths": names})
    tokens = O200K(whole.text)
    for budget in range(tokens - len(names) - 2, tokens + 1):
        with readwell.Reader(tmp_path, count_tokens=O200K, **WIDE) as reader:
            reply = reader.reply({"paths": names, "max_tokens": budget})
        assert O200K(reply.text) <= budget


def test_a_thousand_files_in_one_call_take_no_more_memory_than_ten(tmp_path):
    names = made(tmp_path, [2000] * 1000)
    read, not_read, _, tokens, few = peak_of(tmp_path, "00?.txt", 12_000)
    assert (read, not_read, tokens <= 12_000) == (names[:10], [], True)
    read, not_read, go_on, tokens, many = peak_of(tmp_path, "*.txt", 12_000)
    assert (read + not_read, go_on, tokens <= 12_000) == (names, True, True)
    assert len(read) > 40
    assert many < few + FLAT_MB


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 32 << 20], ids=["small", "large"])
def test_a_thousand_files_that_all_have_room_take_no_more_memory_than_ten(tmp_path, size):
    names = made(tmp_path, [3000] * 1000)
    if size:
        for name in names:
            with (tmp_path / name).open("r+b") as file:
                file.seek(size)
                file.write(b"\nthe end behind a hole\n")
    *_, few = peak_of(tmp_path, "00?.txt", 400_000)
    read, not_read, go_on, tokens, many = peak_of(tmp_path, "*.txt", 400_000)
    assert (read, not_read, go_on, tokens <= 400_000) == (names, [], True, True)
    assert many < few + FLAT_MB


def test_what_was_read_stays_where_time_runs_out_before_all_is_shared_out(tmp_path):
    names = made(tmp_path, [10, 10, 2000, 2000])
    dialect = readwell.Reader(tmp_path).tool.dialect
    read = []
    for patience in range(1, 99):  # of a clock that counts how often it is looked at
        tool = Tool(dialect, [str(tmp_path)], deadline_s=patience, clock=itertools.count().__next__, cache_dir=None)
        files = tool.reply({"paths": names}).data.get("files", [])
        tool.close()
        read.append([file["end"] for file in files if "error" not in file])
    assert read == sorted(read)
    whole = [lines for lines in read if len(lines) == 4]
    assert whole[0][:2] == [10, 10]
    assert sum(whole[0]) < sum(whole[-1])


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
