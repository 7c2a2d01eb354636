"""The laws of reading over a remote source: windows join to the object, numbers are true, faults change neither."""

import re
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from remote_roots import KEYS
from scripted_server import closes, cuts_answer, serving, status

from effort import examples
from readwell import Reader
from readwell.errors import BinaryFile, ReadError
from readwell.remote.range_cache import RangeCache
from readwell.source import Identity

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.one_of(st.text("ab é漢😀\t[]", max_size=12), st.builds("x".__mul__, st.integers(1, 3000)))


@pytest.fixture(scope="module")
def store():
    """A server that tests share, and readers of it."""
    with serving() as script:
        yield script


def lines_of(text):
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


def walked(reader, path, limit):
    """All lines of a file, window by window, each with its number."""
    found, offset, column = [], 1, 1
    for _ in range(4000):
        window = reader.read(path, offset=offset, column=column, limit=limit).window
        assert window.lines or window.next is None
        if column > 1:
            found[-1] += window.lines[0]
            found += window.lines[1:]
        else:
            assert window.start in (offset, 0)
            found += window.lines
        if window.next is None:
            return found
        assert (window.next.line, window.next.column) > (offset, column)
        offset, column = window.next
    raise AssertionError("no end")


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pieces=st.lists(st.tuples(LINES, ENDS), max_size=30),
    last=LINES,
    times=st.sampled_from([1, 1, 40]),
    limit=st.integers(1, 400),
)
@example(pieces=[("a line of a long file", "\n")] * 30, last="", times=1500, limit=2000)
def test_windows_of_an_object_join_to_its_lines(store, pieces, last, times, limit):
    text = "".join(line + end for line, end in pieces) * times + last
    store.objects = {"/f.txt": text.encode()}
    with Reader(store.url, cache_dir=None, line_length=10_000) as reader:
        assert walked(reader, "f.txt", max(limit, len(lines_of(text)) // 50)) == lines_of(text)
        expected = lines_of(text)
        if expected:
            assert reader.read("f.txt", offset=-3).lines == expected[-3:]
            assert reader.read("f.txt", total="exact", limit=1).window.total == len(expected)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.integers(-20, 20))
def test_any_bytes_are_read_as_those_of_a_file(store, tmp_path, content, offset):
    (tmp_path / "f").write_bytes(content)
    store.objects = {"/f": content}
    with Reader(store.url, cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        assert _outcome(far, offset) == _outcome(near, offset)


def _outcome(reader, offset):
    try:
        found = reader.read("f", offset=offset)
    except BinaryFile as error:
        return error.args
    except ReadError as error:
        return type(error)
    return found.window, found.traits, found.size


LONG = b"".join(b"line %d of a file that is read on\n" % number for number in range(1, 80_001))
FOLDER = {f"/bucket/f{number}.txt": b"a line with number %d\n" % number for number in range(3)}


def scene(reader):
    """One of everything: the head, the tail, the total, a far window, a listing, a search."""
    return [
        reader.read("long.txt", limit=2, total="lazy").lines,
        reader.read("long.txt", offset=-2, total="lazy").lines,
        reader.read("long.txt", limit=1, total="exact").window.total,
        reader.read("long.txt", offset=60_000, limit=2).lines,
        list(reader.read("src").lines),
        reader.search("number 1", "src").total,
    ]


PASSING = [
    pytest.param(status(503), id="503", marks=pytest.mark.slow),
    pytest.param(closes, id="closes", marks=pytest.mark.slow),
    pytest.param(cuts_answer, id="cut", marks=pytest.mark.slow),
    pytest.param(status(429, {"Retry-After": "0"}), id="429"),
]


def failing_at(number, fault):
    return lambda handler, current: current == number and fault(handler)


@pytest.fixture
def bucket(store, aws):
    """A bucket of the shared server."""
    aws(store.url)
    store.objects = {key.replace("/bucket/", "/bucket/src/"): body for key, body in FOLDER.items()}
    store.objects["/bucket/long.txt"] = LONG
    store.fault, store.seen = None, []
    yield store
    store.fault = None


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_at_any_request_that_passes_changes_nothing(bucket, fault):
    with Reader("s3://bucket", cache_dir=None) as reader:
        expected = scene(reader)
    count, _ = bucket.requests()
    assert expected[2] == 80_000 and count > 8
    for number in range(count):
        bucket.seen, bucket.fault = [], failing_at(number, fault)
        with Reader("s3://bucket", cache_dir=None) as reader:
            assert scene(reader) == expected, number


@pytest.mark.parametrize(
    "code", [307, pytest.param(403, marks=pytest.mark.slow), pytest.param(416, marks=pytest.mark.slow)]
)
def test_a_fault_at_any_request_that_stays_is_an_error_or_told_and_never_a_wrong_line(bucket, code):
    with Reader("s3://bucket", cache_dir=None) as reader:
        expected = scene(reader)
    count, _ = bucket.requests()
    for number in range(count):
        bucket.seen, bucket.fault = [], lambda handler, current: current >= number and status(code)(handler)  # noqa: B023
        with Reader("s3://bucket", cache_dir=None, deadline_s=5) as reader:
            try:
                found = scene(reader)
            except ReadError:
                continue
            # What a search could not open is no match, and the search says so.
            assert found[:5] == expected[:5] and number > 0


def test_an_object_that_changes_at_any_request_gives_one_version_or_an_error(bucket):
    other = LONG.replace(b"file", b"FILE")
    for number in range(8):
        bucket.objects["/bucket/long.txt"] = LONG
        bucket.seen = []

        def change(handler, current):
            if current == number:  # noqa: B023
                bucket.objects["/bucket/long.txt"] = other
            return False

        bucket.fault = change
        with Reader("s3://bucket", cache_dir=None) as reader:
            lines = walked_sparsely(reader)
            assert all(("FILE" in line) == ("FILE" in window[0]) for window in lines for line in window)


def walked_sparsely(reader):
    found = []
    for offset in (1, 60_000, -50):
        try:
            found.append(reader.read("long.txt", offset=offset, limit=50).lines)
        except ReadError:
            continue
    return found


# --- what is kept ---------------------------------------------------------------------------------

SECOND = """
import sys
from readwell import Reader
with Reader("s3://bucket", cache_dir=sys.argv[1]) as reader:
    found = reader.read("big.log", offset=1_500_000, limit=2, total="exact")
    print(found.lines, found.window.total)
    print(reader.read("table.csv", view="markdown").lines)
"""


def run_second(store, folder):
    environment = {**KEYS, "AWS_ENDPOINT_URL": store.url, "PATH": "", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", SECOND, str(folder)], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, store.requests()


@pytest.mark.slow
def test_a_second_process_counts_no_lines_and_converts_no_document_again(bucket, tmp_path):
    line = b"a line of the log, forty letters long...\n"
    bucket.objects["/bucket/big.log"] = line * (70 * 1024 * 1024 // len(line))
    bucket.objects["/bucket/table.csv"] = b"name,size\n" + b"a,1\n" * 5000
    first, (cold, loaded) = run_second(bucket, tmp_path)
    again, (warm, little) = run_second(bucket, tmp_path)
    assert again == first
    assert loaded > 70 * 1024 * 1024 and cold > 5
    assert warm <= 4 and little < 1_100_000


def test_nothing_remote_is_loaded_without_a_remote_root(tmp_path):
    (tmp_path / "a.txt").write_text("a\n")
    code = (
        "import sys; from readwell import Reader; Reader(sys.argv[1]).read('a.txt');"
        "print([name for name in sys.modules if name.startswith(('readwell.remote', 'ssl', 'http', 'socket', 'botocore'))])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_of_the_ranges_of_objects_sixteen_mebibytes_are_kept_and_those_of_the_object_used_last():
    cache, mebibyte = RangeCache(), bytes(1 << 20)
    first, second = (Identity("bucket", key, 64 << 20, 1, "v1") for key in ("a", "b"))
    for number in range(8):
        cache.add(first, number << 20, mebibyte)
        cache.add(second, number << 20, mebibyte)
    kept = [
        [cache.find(each, number << 20) == (number << 20, mebibyte) for number in range(8)] for each in (first, second)
    ]
    assert kept == [[True] * 8] * 2
    cache.find(first, 0)
    cache.add(first, 8 << 20, b"x")
    assert [cache.find(second, number << 20) is None for number in range(8)] == [True, *[False] * 7]
    assert cache.find(first, 8 << 20) == (8 << 20, b"x")
