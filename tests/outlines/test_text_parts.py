"""Which parts of a text an outline shows, how deep they are, and which block is around a line."""

import pytest

from readwell.structure.text_part import MAX_ROWS, Block, Part, block_at, outline_parts


def part(start, end, label="x", **more):
    return Part(start, end, "kind", label, **more)


def shown(parts, row_limit=None):
    found = outline_parts(parts, row_limit)
    return [(part.label, depth) for part, depth in found.rows], *found[1:]


def test_parts_without_a_depth_are_as_deep_as_the_parts_around_them():
    parts = [part(5, 5, "c"), part(1, 9, "a"), part(2, 5, "b"), part(6, 9, "d"), part(10, 12, "e"), part(9, 10, "f")]
    assert shown(parts) == ([("a", 0), ("b", 1), ("c", 2), ("d", 1), ("f", 0), ("e", 0)], 0, None, 0)


def test_parts_that_are_not_shown_are_left_out_and_not_counted():
    assert shown([part(1, 9, "a", shown=False), part(2, 3, "b")]) == ([("b", 0)], 0, None, 0)


LEVELS = [part(1, 9, "a", depth=0), part(2, 4, "b", depth=1), part(3, 3, "c", depth=2), part(5, 9, "d", depth=1)]


@pytest.mark.parametrize(
    ("row_limit", "labels", "deepest"),
    [(None, "abcd", None), (4, "abcd", None), (3, "abd", 1), (2, "a", 0), (1, "a", 0)],
)
def test_only_levels_that_fit_are_shown(row_limit, labels, deepest):
    rows, left_out, found, hidden = shown(LEVELS, row_limit)
    assert ("".join(label for label, _ in rows), left_out, found, hidden) == (labels, 0, deepest, 0)


@pytest.mark.parametrize(("row_limit", "hidden"), [(None, 111), (3, 11), (2, 1)])
def test_items_are_hidden_by_an_array_whose_others_are_shown(row_limit, hidden):
    whole = part(1, 9, depth=-1, shown=False, hidden_items=1)
    arrays = [part(1, 9, depth=0, hidden_items=10), part(2, 4, depth=1, hidden_items=100), part(3, 3, depth=2)]
    unseen = part(5, 9, depth=1, shown=False, hidden_items=1000)
    assert outline_parts([whole, *arrays, part(5, 9, depth=1), unseen], row_limit).hidden_items == hidden


def test_so_many_rows_are_shown_and_the_others_counted():
    parts = [part(line, line, depth=0) for line in range(1, MAX_ROWS + 1)]
    more = [*parts, part(MAX_ROWS + 1, MAX_ROWS + 1, depth=0), part(1, 1, depth=1)]
    all_shown, some_shown = outline_parts(parts), outline_parts(more)
    assert (len(all_shown.rows), all_shown.left_out) == (MAX_ROWS, 0)
    assert (len(some_shown.rows), some_shown.left_out) == (MAX_ROWS, 2)


FUNCTION = part(5, 8, "def f", title="f", above=4)
CODE = [
    part(2, 20, "class A", title="A"),
    FUNCTION,
    part(6, 7, "if"),
    part(7, 7, "1", is_block=False),
    part(25, 30, "B"),
]


@pytest.mark.parametrize(
    ("line", "block"),
    [
        (1, Block(1, 1, "")),
        (2, Block(2, 20, "A")),
        (3, Block(2, 20, "A")),
        (4, Block(4, 8, "f in A")),
        (7, Block(6, 7, "if in f in A")),
        (8, Block(4, 8, "f in A")),
        (9, Block(2, 20, "A")),
        (20, Block(2, 20, "A")),
        (21, Block(21, 24, "")),
        (24, Block(21, 24, "")),
        (25, Block(25, 30, "B")),
        (31, Block(31, 40, "")),
    ],
)
def test_the_block_around_a_line_is_the_smallest_part_or_what_lies_between_parts(line, block):
    assert block_at(CODE, line, 40) == block


def test_a_block_is_named_by_three_parts_and_their_first_characters():
    around = [part(1, 10 - depth, letter * length) for depth, letter, length in zip(range(4), "abcd", (70, 70, 61, 60))]
    assert block_at(around, 1, 10) == Block(1, 7, f"{'d' * 60} in {'c' * 59}… in {'b' * 59}…")
    assert block_at([part(1, 1, "out"), part(1, 1, "in")], 1, 1).title == "in in out"
