"""What a search may leave out before it asks RE2: never a line that matches."""

import pytest

import readwell
from readwell.search.regex_tokens import MAX_DEPTH, required_literal, tokens_of
from readwell.search.search_pattern import Expression


@pytest.mark.parametrize(
    "pattern, fragment",
    [
        (r"\w+X\d+", r"X\d"),
        ("X[0-9a-f]", "X[0-9a-f]"),
        (r"X\d*", None),
        (r"X\d?", None),
        (r"X[^a]", None),
        (r"X\D", None),
        ("X[é]", None),
        (r"X?\d", None),
        (r"(X\d|b)", None),
        (r"(?i)X\d", None),
        (r"needle\d", None),
        ("X.", None),
    ],
)
def test_a_short_needle_is_looked_for_with_the_class_behind_it(pattern, fragment):
    compiled = Expression(pattern, False, False, bool)._needle_and_next
    assert (compiled.pattern.decode() if compiled else None) == fragment


@pytest.mark.parametrize(
    "content", [b"a X1\n", b"caf\xe9 X1\n", "é X1\n".encode(), "é X1\n".encode("utf-16"), b"X1\r\n"]
)
@pytest.mark.parametrize("pattern", [r"X\d", r"\bX[0-9]+", "X1", "(?i)x1", r"X\d$"])
def test_it_is_found_in_every_encoding(tmp_path, content, pattern):
    (tmp_path / "a.txt").write_bytes(content * 9)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.search(pattern).count == 9


@pytest.mark.parametrize("more, literal", [(0, "needle"), (1, "")])
def test_a_needle_is_known_in_groups_that_are_nested_up_to_a_depth(more, literal):
    depth = MAX_DEPTH + more
    tokens = tokens_of(f"a{'(' * depth}needle{')' * depth}[0-9]")
    assert required_literal(tokens, ascii_only=False) == literal


@pytest.mark.parametrize("pattern, is_surely_absent", [("zebra", True), ("Kiwi", False), ("maps", False)])
def test_other_letters_hide_no_match_without_case_but_those_with_another_spelling(pattern, is_surely_absent):
    raw = "\u212aiwi, map\u017f".encode()
    assert Expression(pattern, True, True, bool).is_surely_absent_from(raw, False, bytes.lower) == is_surely_absent
    assert Expression(pattern, True, False, bool).is_surely_absent_from(raw, False, bytes.lower)


@pytest.mark.slow
def test_small_compressed_files_are_searched(tmp_path):
    import bz2
    import gzip

    (tmp_path / "a.gz").write_bytes(gzip.compress(b"needle\n"))
    (tmp_path / "b.bz2").write_bytes(bz2.compress(b"needle\n"))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert [match.path for match in reader.search("needle").matches] == ["a.gz", "b.bz2"]
