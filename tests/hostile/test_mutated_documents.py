"""Documents with parts changed at random: Markdown or a typed refusal, never anything else."""

import random
import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import docx_writer, epub_writer, odt_writer, pptx_writer, sheet_writer
from corpus.packing import packed
from effort import examples
from readwell.documents.docx import DOCX
from readwell.documents.epub import EPUB
from readwell.documents.ods import ODS
from readwell.documents.odt import ODT
from readwell.documents.pptx import PPTX
from readwell.documents.xlsx import XLSX
from readwell.errors import ReadError

WRITERS = (docx_writer, pptx_writer, sheet_writer, odt_writer, epub_writer)
SKIPPED = {"repeated.ods", "nested_zip.docx", "values.xls", "offset.xls"}
MADE = {name: make() for writer in WRITERS for name, make in writer.GOOD if name not in SKIPPED}
CONVERTERS = {converter.name: converter for converter in (DOCX, PPTX, XLSX, ODS, ODT, EPUB)}
VALUES = [
    "",
    "0",
    "-1",
    "99999999999999999999",
    "x",
    "²",
    "nan",
    "1e308",
    "../../etc/hostname",
    "%1%2%9",
    "\\",
    "&#10;",
]
ATTRIBUTE = re.compile(r'="[^"]*"')
TAG = re.compile(r"<[^?!][^>]*>")


def changed(text, chance):
    """Text with an attribute set to something odd, an element doubled, or a tag taken away."""
    pattern = chance.choice([ATTRIBUTE, ATTRIBUTE, TAG])
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    if pattern is ATTRIBUTE:
        new = f'="{chance.choice(VALUES)}"'
    else:
        new = chance.choice(["", match[0] * 2, match[0][:-1].rstrip("/") + "/>", "<x/>"])
    return text[: match.start()] + new + text[match.end() :]


def mutated(content, chance):
    with ZipFile(BytesIO(content)) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    for _ in range(chance.randint(1, 4)):
        name = chance.choice(sorted(parts))
        parts[name] = changed(parts[name].decode(), chance).encode()
    if chance.random() < 0.1:
        parts.pop(chance.choice(sorted(parts)))
    return packed(parts)


def converted(kind, content):
    """All units of a document, or the refusal."""
    try:
        opened = CONVERTERS[kind].open(content, None, b"")
        return [opened.markdown(number) for number in range(1, opened.count + 1)]
    except ReadError as error:
        return error


@pytest.mark.parametrize("name", MADE)
@settings(max_examples=examples(15))
@given(seed=st.integers(0, 1 << 32))
def test_a_changed_document_becomes_markdown_or_is_refused(name, seed):
    content = mutated(MADE[name], random.Random(seed))
    told = converted(name.rpartition(".")[2], content)
    assert isinstance(told, ReadError) or all(isinstance(unit, str) for unit in told)
