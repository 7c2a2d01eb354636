"""A reply is written and counted once, whatever its size: counting takes longer than all else in a read."""

import readwell


def counting(counted):
    def count(text):
        counted.append(text)
        return len(text) // 3

    return count


def test_a_reply_is_counted_once(tmp_path):
    (tmp_path / "a.txt").write_text("a line of some words\n" * 300)
    counted = []
    with readwell.Reader(tmp_path, count_tokens=counting(counted), cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt"})
    assert counted.count(reply.text) == 1
    assert len([text for text in counted if len(text) > len(reply.text) // 2]) == 2  # and once to cut it


def test_a_fence_is_the_one_that_was_counted(tmp_path):
    (tmp_path / "a.txt").write_text("a line of some words\n" * 300)
    counted = []
    with readwell.Reader(tmp_path, count_tokens=counting(counted), numbers=False, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt"})
    assert counted.count(reply.text) == 1
    assert reply.data["tokens"] == len(reply.text) // 3
