"""What `readwell.Reader` answers where a budget has hardly room for names and notices."""

import pytest
from native_replies import put

import readwell
from readwell.tokens import o200k_counter

O200K = o200k_counter()
DEEP = "/".join("深い場所" * 10 for _ in range(12))
"""A path that takes more than the smallest budget."""


def dear(text):
    """Counts so many tokens that the smallest budget holds a few words."""
    return 2 * len(text)


def test_a_path_that_is_shown_in_full_is_not_marked_as_shortened(tmp_path):
    put(tmp_path, "f.txt", b"one\rtwo\r")
    put(tmp_path, "a" * 24 + "/f.txt", b"one\rtwo\r")
    with readwell.Reader(tmp_path, count_tokens=dear, cache_dir=None) as reader:
        assert reader.reply({"path": "f.txt", "max_tokens": 256}).text.startswith("[f.txt | ")
        assert reader.reply({"path": "a" * 24 + "/f.txt", "max_tokens": 256}).text.startswith(f"[…{'a' * 18}/f.txt | ")
        found = reader.search_reply({"pattern": "one", "path": "f.txt", "max_tokens": 256})
        assert found.text.startswith("[f.txt | ")


@pytest.mark.parametrize(("asked", "told"), [({}, "[note: 1 notice]"), ({"bogus": 1}, "[note: 2 notices]")])
def test_notices_without_room_are_counted(tmp_path, asked, told):
    put(tmp_path, "f.txt", b"one\rtwo\r")
    with readwell.Reader(tmp_path, count_tokens=dear, cache_dir=None) as reader:
        assert told in reader.reply({"path": "f.txt", "max_tokens": 256, **asked}).text.split("\n")


def test_unchanged_keeps_its_budget_whatever_the_path(tmp_path):
    path = f"{DEEP}/plan.txt"
    put(tmp_path, path, b"one\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        revision = reader.reply({"path": path}).data["revision"]
        reply = reader.reply({"path": path, "max_tokens": 256, "if_revision": revision})
        whole = reader.reply({"path": path, "if_revision": revision})
    assert reply.text.startswith("[…") and "/plan.txt | unchanged since rev " in reply.text
    assert reply.data["path"] == path and O200K(reply.text) <= 256
    assert whole.text.startswith(f"[{path} | unchanged")


@pytest.mark.parametrize("count", [0, 3])
def test_a_failure_keeps_its_budget_whatever_the_path(tmp_path, count):
    for number in range(count):
        put(tmp_path, f"{DEEP}/plan {number}.txt", b"one\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for budget in (256, 600, 800, 1200, 3000):
            reply = reader.reply({"path": f"{DEEP}/plan.txt", "max_tokens": budget})
            assert reply.text.startswith("[error NOT_FOUND] File '") and "plan.txt' does not exist" in reply.text
            assert O200K(reply.text) <= budget
            # A name that is offered can be given back.
            for name in reply.data["error"]["hint"].split("'")[1::2] if count else ():
                assert reader.reply({"path": name}).text.count("\n") == 2
        assert reply.text.count("plan ") == count


def test_a_look_alike_is_worth_more_than_the_path_that_was_asked_for(tmp_path):
    put(tmp_path, f"{DEEP}/plans.txt", b"one\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": f"{DEEP}/plan.txt", "max_tokens": 600})
    assert f"Did you mean: {DEEP}/plans.txt?" in reply.text and O200K(reply.text) <= 600
