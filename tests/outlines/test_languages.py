"""An outline of a small source in each language, to the byte; and what holds for every row of each."""

import re
from pathlib import Path

import pytest

import readwell
from effort import QUICK

pytest.importorskip("ast_grep_py", reason="the extra `code` is not installed")

from readwell.structure.grammars import GRAMMARS
from readwell.structure.source_language import EXTENSIONS, language_of

HERE = Path(__file__).parent
SOURCES = sorted((HERE / "sources").iterdir())
LANGUAGES = [source.stem for source in SOURCES]


@pytest.fixture(scope="module")
def reader():
    with readwell.Reader(root=HERE / "sources", cache_dir=None) as opened:
        yield opened


def squeezed(text):
    """A text without what a signature leaves out when it is put on one line."""
    return re.sub(r"[\s,]", "", text)


def test_there_is_a_source_for_every_language():
    assert set(LANGUAGES) == set(EXTENSIONS)
    assert set(GRAMMARS) < set(EXTENSIONS)


@pytest.mark.parametrize("source", SOURCES, ids=LANGUAGES)
def test_a_language_is_known_by_the_name_of_its_files(source):
    assert language_of(source.name, b"") == source.stem


@pytest.mark.parametrize("source", SOURCES, ids=LANGUAGES)
def test_an_outline_names_what_is_defined(source, reader):
    reply = reader.reply({"path": source.name, "view": "outline"})
    text = re.sub(r"(?<=\| rev )[0-9a-f]{12}(?=\])", "REV", reply.text)
    assert text + "\n" == (HERE / "golden" / f"{source.stem}.txt").read_text()


@pytest.mark.parametrize("source", SOURCES, ids=LANGUAGES)
def test_every_range_can_be_read_and_holds_its_label(source, reader):
    rows = reader.reply({"path": source.name, "view": "outline"}).data["outline"]
    assert rows
    for row in rows:
        shown = reader.read(source.name, offset=row["start"], limit=row["end"] - row["start"] + 1)
        assert (shown.window.start, shown.window.end) == (row["start"], row["end"])
        if row["kind"] in ("heading", "table", "element") or source.stem in ("json", "yaml", "toml", "calendar"):
            assert (
                row["label"].split()[0].strip("[]<>:") in re.sub("&amp;", "&", shown.text)
                or row["kind"] == "table"
                or "[" in row["label"]
            )
        else:
            assert squeezed(row["label"].partition("{…}")[0]) in squeezed(shown.text)


@pytest.mark.parametrize("source", SOURCES, ids=LANGUAGES)
def test_a_block_holds_its_line_and_no_smaller_row_does(source, reader):
    rows = reader.reply({"path": source.name, "view": "outline"}).data["outline"]
    blocks = [row for row in rows if row["end"] > row["start"] or source.stem in GRAMMARS]
    for line in range(1, len(source.read_text().splitlines()) + 1, 4 if QUICK else 1):
        data = reader.reply({"path": source.name, "view": "block", "offset": line}).data
        assert data["start"] <= line <= data["end"]
        around = [row for row in blocks if row["start"] <= line <= row["end"]]
        smallest = min((row["end"] - row["start"] for row in around), default=None)
        if smallest is not None:
            assert data["end"] - data["start"] <= smallest + line - data["start"], line
