"""A reader that knew a file gives what a new reader with an empty cache gives, whatever became of the file."""

import random
import time

import pytest
from edits import Editor

from effort import examples
from every_dialect import require_every_dialect
from readwell.dialects import envelope, native, opencode, qq
from readwell.errors import StartPastEnd
from readwell.model import Window
from readwell.source.revision import HASHED_UP_TO
from readwell.tool import Tool

SETTLED_S = 0.03
DIALECTS = require_every_dialect(
    {
        "native": (native.dialect(), lambda path, start, count: {"path": path, "offset": start, "limit": count}),
        "qq": (
            qq.dialect(),
            lambda path, start, count: {"path": path, "start_line": max(1, start), "num_lines": count},
        ),
        "envelope": (
            envelope.dialect(),
            lambda path, start, count: {"path": path, "start_line": max(1, start), "end_line": max(1, start) + count},
        ),
        "opencode": (
            opencode.dialect(),
            lambda path, start, count: {"filePath": path, "offset": max(1, start), "limit": count},
        ),
    }
)


class Readers:
    """For each dialect a reader that remembers, one that remembers on disk, and new ones."""

    def __init__(self, root, cache):
        self._root, self._cache = str(root), str(cache)
        self._warm = {(name, kept): self._reader(name, kept) for name in DIALECTS for kept in (None, self._cache)}

    def _reader(self, name, cache):
        return Tool(DIALECTS[name][0], (self._root,), cache_dir=cache, clock=lambda: 0.0)

    def warm(self, name):
        """The readers that know the file: in memory, in memory and on disk, and one that has only the disk."""
        yield from (self._warm[name, None], self._warm[name, self._cache])
        yield self._reader(name, self._cache)

    def lazy(self):
        """What reads without totals: readers that may know the file, and a new one."""
        return [self._warm["native", None], self._warm["native", self._cache]], self.fresh("native")

    def fresh(self, name):
        return self._reader(name, None)


def answer(tool, name, start, count):
    """What is told, but for the mark of a large file: made of times, it is another in each reply after a change."""
    reply = tool.reply(DIALECTS[name][1]("app.log", start, count))
    data = dict(reply.data or {})
    if data.get("size", 0) > HASHED_UP_TO:
        return reply.text.replace(data.pop("revision"), "…"), data
    return reply.text, data


def look(readers, chance, total):
    """Reads in every dialect, and compares."""
    for name in DIALECTS:
        start = chance.choice((1, -3, total, chance.randrange(1, total + 2)))
        expected = answer(readers.fresh(name), name, start, 3)
        for tool in readers.warm(name):
            assert answer(tool, name, start, 3) == expected, (name, start)


def look_lazily(readers, chance, total):
    """A reader that knows the total may say it, and number the last lines from the first one; all else is the same."""
    start = chance.choice((1, -3, chance.randrange(1, total + 2)))
    warm, fresh = readers.lazy()
    for tool in warm:
        found, expected = seen_lazily(tool, start), seen_lazily(fresh, start)
        counted = found.total is not None and expected.start < 0
        first = found.total + 1 + expected.start if counted else expected.start
        assert (found.lines, found.start) == (expected.lines, first), start
        assert expected.total in (None, found.total)


def seen_lazily(tool, start):
    try:
        return tool.read({"path": "app.log", "offset": start, "limit": 3, "total": "lazy"}).window
    except StartPastEnd as error:
        return Window([], error.start, 0, error.total, None, "end")


def live(folder, seed, size, edits):
    """Edits one file again and again, with reads and pauses between; returns what was done."""
    chance = random.Random(seed)
    path, cache = folder / "app.log", folder / "cache"
    editor, readers = Editor(str(path), chance), Readers(folder, cache)
    editor.make(size)
    for number in range(edits):
        rows = path.read_bytes().count(b"\n")
        if chance.random() < 0.8:
            time.sleep(SETTLED_S)
        look(readers, chance, rows + 1)
        done = editor.edit()
        try:
            look_lazily(readers, chance, rows + 1)
            look(readers, chance, rows + 1)
            look_lazily(readers, chance, rows + 1)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, size {size}, edit {number}: {done}") from error


@pytest.mark.parametrize("seed", range(4, 4 + examples(8)))
def test_a_reader_that_knew_a_file_gives_what_a_new_reader_gives(tmp_path, monkeypatch, seed):
    monkeypatch.setattr("readwell.text.line_index_cache.STORED_FROM", 1 << 16)
    live(tmp_path, seed, random.Random(seed).randrange(1 << 16, 400_000), 6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(100)))
def test_after_a_thousand_edits_of_files_up_to_80_mib_no_reader_is_out_of_date(tmp_path, seed):
    live(tmp_path, seed, int((1 << 16) * 1280 ** random.Random(seed).random()), 10)
