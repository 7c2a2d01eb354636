"""How far a search counts on once it has the matches that it shows."""

import pytest

from readwell import Reader
from readwell.search.text_search import COUNT_AHEAD

LINE = b"nothing of that here, but a line of some length\n"


@pytest.mark.parametrize(("ahead", "total"), [(COUNT_AHEAD // 2, 3), (COUNT_AHEAD + (4 << 20), None)])
def test_matches_are_counted_for_some_way_behind_those_that_are_shown(tmp_path, ahead, total):
    far = LINE * (ahead // len(LINE) + 1)
    (tmp_path / "a.txt").write_bytes(b"needle one\nneedle two\n" + far + b"needle three\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        found = reader.search("needle", path="a.txt", limit=2)
        assert ([match.line for match in found.matches], found.total) == ([1, 2], total)
