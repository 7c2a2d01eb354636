"""`most_tokens` is never exceeded by an exact count, and what it relies on is true of o200k."""

import random
import string
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.tokens import o200k_counter
from readwell.tokens.upper_bound import LETTERS, most_tokens

count = o200k_counter()
KINDS = (
    LETTERS.decode() + " ",
    string.ascii_lowercase + "  ",
    string.ascii_letters + "' ",
    "'sdtrevml ",
    string.digits + " -:",
    string.hexdigits,
    "    \n\tab",
    string.printable,
)


def test_two_neighbours_in_a_word_three_digits_and_many_spaces_are_a_token():
    letters = LETTERS.decode()
    assert [pair for pair in map("".join, product(letters + " ", letters)) if count(pair) > 1] == []
    numbers = [f"{number:0{digits}}" for digits in (1, 2, 3) for number in range(10**digits)]
    assert [each for each in numbers if count(each) > 1] == []
    assert [length for length in range(1, 65) if count(" " * length) > 1] == []


@settings(max_examples=examples(400))
@given(st.one_of([st.text(st.sampled_from(kind), max_size=60) for kind in KINDS] + [st.text(max_size=30)]))
@example("it'shop don'ts they'd'veal")
@example("     x    \n        y")
@example("12345678 1234 12")
@example("\ud800")
def test_no_text_has_more_tokens_than_the_bound(text):
    assert count(text) <= most_tokens(text) <= len(text.encode(errors="replace"))
    assert most_tokens(text, 10**6) == len(text.encode(errors="replace"))


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("", 0),
        ("a", 1),
        ("aaaa", 3),
        ("QXZ", 3),
        ("its its", 6),
        ("it's it's", 9),
        ("    x", 3),
        ("123456", 3),
        ("é it", 5),
    ],
)
def test_letters_of_a_word_digits_and_indents_lower_the_bound_and_apostrophes_raise_it(text, most):
    assert most_tokens(text) == most


@pytest.mark.parametrize("numbers", [True, False], ids=["numbered", "bare"])
def test_a_window_that_surely_fits_is_not_counted(tmp_path, monkeypatch, numbers):
    words = random.Random(5).choices("started request served in cache miss hit user page time".split(), k=3000)
    lines = [" ".join(words[at : at + 10]) for at in range(0, 2500, 10)]
    (tmp_path / "a.log").write_text("\n".join(lines) + "\n")
    asked = []
    monkeypatch.setattr("readwell.tokens._best_counter", lambda: lambda text: asked.append(text) or count(text))
    with readwell.Reader(tmp_path, cache_dir=None, numbers=numbers) as reader:
        reply = reader.reply({"path": "a.log"})
    assert len(reply.text) > 12_000 and reply.data["end"] == len(lines)
    assert count(reply.text) <= reply.data["tokens"] <= 12_000
    assert asked == []


def test_a_window_that_may_not_fit_is_counted(tmp_path):
    ids = random.Random(6)
    (tmp_path / "ids.log").write_text("".join(f"{ids.getrandbits(128):032X}\n" for _ in range(1000)))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "ids.log"})
    assert reply.data["reason"] == "tokens" and reply.data["tokens"] == count(reply.text) <= 12_000
