"""What holds for every converter, and for the documents that are made for tests."""

import re
import subprocess
import sys

import pytest

from corpus import docx_writer, epub_writer, odt_writer, pptx_writer, sheet_writer
from corpus.office_documents import OFFICE
from corpus.pdf_documents import headings
from corpus.small_samples import SAMPLES, TEXTS
from readwell.documents.converters import BUILT_IN, find_converter
from readwell.errors import ConverterMissing
from readwell.reader import Reader

MADE = {
    "docx": docx_writer.GOOD,
    "pptx": pptx_writer.GOOD,
    "epub": epub_writer.GOOD,
    "odt": odt_writer.GOOD,
    "pdf": [("headings.pdf", headings)],
    "xls": [("values.xls", sheet_writer.old_workbook)],
    "xlsx": [case for case in sheet_writer.GOOD if case[0].endswith("xlsx")],
    "ods": [("values.ods", sheet_writer.ods)],
}
"""Documents of the formats that have writers of their own; of the others the samples are converted."""
CONVERTS = """
import contextlib, importlib, os, sys
from pathlib import Path

def convert_all(place, needed, folder):
    module, _, name = place.partition(":")
    converter = getattr(importlib.import_module(f"readwell.documents.{module}"), name)
    for library in filter(None, needed.split(",")):
        importlib.import_module(library)
    contents = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    with contextlib.suppress(Exception):  # as the fork server does before it forks
        converter.open(converter.sample(), None, b"").markdown(1)
    before = set(sys.modules)
    for content in contents:
        opened = converter.open(content, None, b"")
        for number in range(1, opened.count + 1):
            opened.markdown(number)
    new = sorted(name for name in set(sys.modules) - before if not name.startswith("encodings."))
    print(place, len(contents), new, flush=True)

for line in sys.argv[1:]:
    if os.fork():
        os.wait()
    else:
        convert_all(*line.split(" ", 2))
        os._exit(0)
"""


def cases_of(kind):
    """Documents of a format, each a name and what makes the content."""
    texts = [(name, content.encode) for name, content in TEXTS.items()]
    cases = MADE.get(kind) or [case for case in [*texts, *SAMPLES.items()] if case[0].endswith(f".{kind}")]
    assert cases, f"add a small {kind} to TEXTS or SAMPLES of tests/corpus/small_samples.py"
    return cases


def is_installed(kind):
    """Whether what a format needs is there."""
    try:
        return bool(find_converter(kind, {}))
    except ConverterMissing:
        return False


def test_converters_import_nothing_while_they_convert(tmp_path):
    """In the cage there is nothing to import from."""
    lines, expected = [], []
    for kind, spec in BUILT_IN.items():
        if not is_installed(kind):
            continue
        (tmp_path / kind).mkdir()
        for name, make in cases_of(kind):
            (tmp_path / kind / name).write_bytes(make())
        place = f"{spec.module.removeprefix('readwell.documents.')}:{spec.name}"
        lines.append(f"{place} {','.join(spec.needs)} {tmp_path / kind}")
        expected.append(f"{place} {len(cases_of(kind))} []")
    command = [sys.executable, "-c", CONVERTS, *lines]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.stderr == ""
    assert told.stdout.splitlines() == expected


@pytest.mark.parametrize("kind", BUILT_IN)
def test_a_search_finds_the_lines_that_a_read_shows_and_no_others(tmp_path, kind):
    """Also in a text that is known as a document by its content: its lines are those of its Markdown."""
    if not is_installed(kind):
        pytest.skip(f"NOT TESTED: what {kind} needs is not installed")
    with Reader(tmp_path, cache_dir=None) as reader:
        for name, make in cases_of(kind):
            (tmp_path / name).write_bytes(make())
            lines = reader.read(name).lines
            words = {word for line in lines for word in re.findall(r"[A-Za-z]{4,}", line)}
            for word in sorted(words, key=len)[-3:]:
                told = [match.line for match in reader.search(word, name, literal=True).matches]
                assert (name, word, told) == (name, word, [n for n, line in enumerate(lines, 1) if word in line])


def test_made_documents_have_names_of_their_own_and_the_same_bytes_every_time():
    assert len(dict(OFFICE)) == len(OFFICE)
    assert [name for name, make in OFFICE if make() != make()] == []
