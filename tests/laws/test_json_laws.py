"""Laws of JSON outlines: the fast way finds what the tokens say, whatever the text and how it is laid out."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from readwell.documents.structure_converter import structure_of
from readwell.structure.json import json_parts
from readwell.structure.json_tokens import json_token_parts

law = settings(max_examples=examples(150), deadline=None)
KEYS = st.text(st.sampled_from('ab"\\\n{}[]:,é/ '), max_size=6)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), KEYS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=60,
)
LAYOUTS = st.sampled_from([None, 0, 1])


@law
@given(VALUES, LAYOUTS, st.sampled_from(["", "\n", " \n\n"]))
def test_both_ways_find_the_same_rows(value, indent, edge):
    text = edge + json.dumps(value, indent=indent) + edge
    total = text.count("\n") + 1
    fast = structure_of(json_parts(text), total, None, deep=True)
    slow = structure_of(json_token_parts(text), total, None, deep=True)
    assert fast == slow


@law
@given(VALUES, LAYOUTS)
def test_both_ways_find_a_block_of_the_same_lines(value, indent):
    text = json.dumps(value, indent=indent)
    total = text.count("\n") + 1
    for line in range(1, total + 1):
        fast = structure_of(json_parts(text, line), total, line).block
        slow = structure_of(json_token_parts(text), total, line).block
        assert (fast.start, fast.end, bool(fast.title)) == (slow.start, slow.end, bool(slow.title))


@pytest.mark.parametrize("depth", [500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_deep_nesting_is_left_to_the_tokens(depth):
    text = "[\n" * depth + "]" * depth
    rows = structure_of(json_parts(text), depth, None, deep=True).rows
    assert len(rows) == 200 and rows[0].label == "[0]: array, 1 item"
