"""The texts of documents that a search keeps for the next one: bounded, and never older than the file."""

import os

import pytest

import readwell
from corpus.pdf_writer import Page, pdf
from memory_source import MemorySource
from readwell.source import IdentityCache


def page(text):
    return Page().text(72, 720, text, 11)


def test_values_are_dropped_from_the_oldest_on_where_they_weigh_too_much():
    cache = IdentityCache(len, most=9)
    computed = []

    def value(source):
        computed.append(source.name)
        return source.read_at(0, 99)

    files = {name: MemorySource(name, content) for name, content in {"a": b"1234", "b": b"5678", "c": b"90123"}.items()}
    for name in ("a", "b", "a", "c", "a", "b"):
        cache.get(files[name], value)
    assert computed == ["a", "b", "c", "b"]
    assert cache.get(MemorySource("large", b"x" * 99), value) == b"x" * 99
    cache.get(files["a"], value)
    assert computed[-2:] == ["large", "a"]


def test_a_document_that_changed_is_searched_anew(tmp_path):
    pytest.importorskip("pypdfium2")
    path = tmp_path / "a.pdf"
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for number, word in enumerate(("needle", "thread", "needle")):
            path.write_bytes(pdf(page(f"The {word} is here.")))
            os.utime(path, (number, number))
            for _ in range(2):
                assert reader.search("needle").count == (word == "needle")
                assert reader.search("thread").count == (word == "thread")
