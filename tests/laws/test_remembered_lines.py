"""Where windows began and ended is remembered; a reader that remembers gives what a new one gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.text.line_index import LINES_MARKED
from settled_files import settle

ENDS = ["\n", "\r\n", "\r"]
LENGTHS = st.lists(st.sampled_from([0, 1, 30, 70, 3000, 20_000, 140_000]), min_size=4, max_size=30)
READS = st.lists(st.tuples(st.integers(1, 900), st.integers(1, 300), st.booleans()), min_size=2, max_size=8)


def content(lengths, end, letter, final):
    """A file above 64 KiB: plain lines, and among them lines of all lengths."""
    lines = []
    for number, length in enumerate(lengths * 3):
        lines += [f"{number} plain line {step}" for step in range(40)]
        lines.append(f"{number} {letter * length}")
    lines.append("x" * 70_000)
    return (end.join(lines) + end * final).encode()


@settings(max_examples=examples(40))
@given(LENGTHS, st.sampled_from(ENDS), st.sampled_from("aé漢"), st.booleans(), READS)
def test_windows_one_after_the_other_are_those_of_a_new_reader(tmp_path_factory, lengths, end, letter, final, reads):
    folder = tmp_path_factory.mktemp("lines")
    (folder / "a.txt").write_bytes(content(lengths, end, letter, final))
    settle(folder)  # the revision of a large file that has just changed is never repeated
    with readwell.Reader(folder, cache_dir=None) as knows:
        line = 1
        for jump, limit, goes_on in reads:
            line = line if goes_on else jump
            params = {"path": "a.txt", "offset": line, "limit": limit}
            reply = knows.reply(params)
            with readwell.Reader(folder, cache_dir=None) as fresh:
                other = fresh.reply(params)
            assert (reply.text, reply.is_error) == (other.text, other.is_error)
            line = 1 if reply.is_error else reply.data["end"] + 1  # at the end one line too far


def test_no_line_is_remembered_behind_a_last_line_without_an_end(tmp_path):
    (tmp_path / "a.txt").write_bytes(content([30] * 30, "\n", "a", False) + b"\nlast" * 40_000)
    with readwell.Reader(
        tmp_path, cache_dir=None, line_length=10**6, max_bytes=10**7, max_tokens=10**7, limit=10**6
    ) as reader:
        total = reader.read("a.txt").window.total
        window = reader.read("a.txt", offset=total - 39_000).window
        assert (window.end, window.next) == (total, None)
        assert reader.read("a.txt", offset=total + 1).lines == []


def test_a_bounded_number_of_lines_is_remembered(tmp_path):
    (tmp_path / "a.txt").write_bytes(content([30] * 30, "\n", "a", True))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for line in range(1, 600, 7):
            reader.read("a.txt", offset=line, limit=3)
        (index,) = [each.lines for each in reader.tool._runner.resources.index_cache._indexes.values()]
    assert 0 < len(index.offsets) <= LINES_MARKED
