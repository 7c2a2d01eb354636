"""Containers that are damaged, locked or meant to harm are refused by what they are, before they cost anything."""

import pytest

from corpus import docx_writer, epub_writer, odt_writer, pptx_writer, sheet_writer
from corpus.packing import entry, packed, with_directory
from readwell.documents.docx import DOCX
from readwell.documents.epub import EPUB
from readwell.documents.ods import ODS
from readwell.documents.odt import ODT
from readwell.documents.pptx import PPTX
from readwell.documents.xls import XLS
from readwell.documents.xlsx import XLSX
from readwell.documents.zip_container import ZipContainer
from readwell.errors import ConversionFailed, DocumentLocked, TooLarge

CONVERTERS = {converter.name: converter for converter in (DOCX, PPTX, XLSX, XLS, ODS, ODT, EPUB)}
BAD = [case for writer in (docx_writer, pptx_writer, sheet_writer, odt_writer, epub_writer) for case in writer.BAD]
ENTITIES = "its part word/document.xml declares a document type, which could define entities"
REFUSED = {
    "locked.docx": DocumentLocked("docx"),
    "old_binary.docx": ConversionFailed("docx", "it is an Office file of the old binary kind"),
    "encrypted_part.docx": DocumentLocked("docx"),
    "damaged.docx": ConversionFailed("docx", "it is damaged: it has no readable directory of its parts"),
    "broken_xml.docx": ConversionFailed("docx", "the XML of its part word/document.xml is damaged"),
    "bodiless.docx": ConversionFailed("docx", "its part word/document.xml has no body"),
    "missing_part.docx": ConversionFailed("docx", "its part word/document.xml is missing"),
    "zip_bomb.docx": TooLarge(1 << 20),
    "declares_less.docx": ConversionFailed("docx", "its part word/document.xml is damaged"),
    "overlapping.docx": ConversionFailed("docx", "its parts overlap"),
    "crowded.docx": ConversionFailed("docx", "it has more than 10,000 parts"),
    "billion_laughs.docx": ConversionFailed("docx", ENTITIES),
    "external_entity.docx": ConversionFailed("docx", ENTITIES),
    "deep.docx": ConversionFailed("docx", "the XML of its part word/document.xml is nested more than 256 deep"),
    "entity.pptx": ConversionFailed("pptx", ENTITIES.replace("word/document", "ppt/slides/slide1")),
    "locked.pptx": DocumentLocked("pptx"),
    "empty.pptx": ConversionFailed("pptx", "its part ppt/presentation.xml is missing"),
    "broken.pptx": ConversionFailed("pptx", "the XML of its part ppt/presentation.xml is damaged"),
    "entity.xlsx": ConversionFailed("xlsx", ENTITIES.replace("word/document", "xl/worksheets/sheet1")),
    "locked.xlsx": DocumentLocked("xlsx"),
    "encrypted.xlsx": DocumentLocked("xlsx"),
    "damaged.xlsx": ConversionFailed("xlsx", "it is damaged: it has no readable directory of its parts"),
    "missing_part.xlsx": ConversionFailed("xlsx", "it has no sheets"),
    "binary.xlsx": ConversionFailed("xlsx", "it is a binary workbook (XLSB); saved as XLSX it can be read"),
    "damaged.xls": ConversionFailed("xls", "it is damaged"),
    "entity.ods": ConversionFailed("ods", ENTITIES.replace("word/document", "content")),
    "locked.ods": DocumentLocked("ods"),
    "no_content.ods": ConversionFailed("ods", "its part content.xml is missing"),
    "no_sheets.ods": ConversionFailed("ods", "it has no sheets"),
    "deep.ods": ConversionFailed("ods", "the XML of its part content.xml is nested more than 256 deep"),
    "repeated.odt": ConversionFailed("odt", "a table has more than 100,000 rows, or repeats one endlessly"),
    "locked.odt": DocumentLocked("odt"),
    "entity.odt": ConversionFailed("odt", ENTITIES.replace("word/document", "content")),
    "no_content.odt": ConversionFailed("odt", "its part content.xml is missing"),
    "no_text.odt": ConversionFailed("odt", "its part content.xml has no text"),
    "deep.odt": ConversionFailed("odt", "the XML of its part content.xml is nested more than 256 deep"),
    "locked.epub": DocumentLocked("epub"),
    "no_container.epub": ConversionFailed("epub", "its part META-INF/container.xml is missing"),
    "no_package.epub": ConversionFailed("epub", "its part content.opf is missing"),
    "no_spine.epub": ConversionFailed("epub", "its spine names no chapter"),
    "package_entity.epub": ConversionFailed("epub", ENTITIES.replace("word/document", "META-INF/container")),
    "deep.epub": ConversionFailed("epub", "its HTML is nested more than 1024 deep"),
}


def convert(name, content):
    opened = CONVERTERS[name.rpartition(".")[2]].open(content, None, b"")
    return [opened.markdown(number) for number in range(1, opened.count + 1)]


def refusal(attempt, *arguments):
    with pytest.raises((ConversionFailed, TooLarge)) as raised:
        attempt(*arguments)
    return type(raised.value), raised.value.args


@pytest.mark.parametrize(("name", "make"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_a_bad_document_is_refused_by_its_kind(name, make):
    expected = REFUSED[name]
    assert refusal(convert, name, make()) == (type(expected), expected.args)


def test_a_part_above_the_limit_is_refused_by_what_the_directory_says():
    container = ZipContainer("docx", with_directory(bytes(700 << 10), [entry(b"a", (64 << 20) + 1, 670 << 10, 0)]))
    assert refusal(container.read, "a") == (TooLarge, (64 << 20,))


def test_a_part_that_unpacks_to_far_more_is_refused_by_what_the_directory_says():
    content = with_directory(bytes(700 << 10), [entry(b"xl/worksheets/sheet1.xml", 66 << 20, 670 << 10, 0)])
    assert refusal(XLSX.open, content, None, b"") == (TooLarge, (67_000 << 10,))


def test_parts_above_the_limit_together_are_refused():
    content = with_directory(
        b"", [entry(b"%d" % number, 60 << 20, 60 << 20, number * (61 << 20)) for number in range(5)]
    )
    assert refusal(ZipContainer, "docx", content) == (TooLarge, (256 << 20,))


def test_parts_of_a_workbook_may_be_larger_but_not_without_end():
    content = with_directory(b"", [entry(b"%d" % number, 3 << 30, 3 << 30, 0) for number in range(2)])
    assert refusal(XLSX.open, content, None, b"") == (TooLarge, (4 << 30,))


def test_part_names_are_found_whatever_their_case_and_slashes():
    container = ZipContainer("docx", packed({"Word\\Document.XML": "<a/>"}))
    assert container.xml("word/document.xml").tag == "a"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_seen_in_every_encoding(encoding):
    written = f'<?xml version="1.0" encoding="{encoding}"?><!-- --><!DOCTYPE a []><a/>'.encode(encoding)
    assert refusal(ZipContainer("docx", packed({"a": written})).xml, "a") == (
        ConversionFailed,
        ("docx", "its part a declares a document type, which could define entities"),
    )


@pytest.mark.parametrize("kind", CONVERTERS)
@pytest.mark.parametrize("content", [b"", b"PK", b"PK\3\4" + bytes(100), b"PK\5\6" + bytes(18), bytes(1000)])
def test_what_is_no_container_is_refused(kind, content):
    assert refusal(convert, f"no.{kind}", content)[0] is ConversionFailed
