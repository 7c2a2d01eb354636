"""Word 97–2003 documents become Markdown, by a reader of our own: text, headings, lists, tables, notes, links."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise

from ...errors import ConversionFailed
from ..contract import Converter
from ..left_out_texts import headers_and_footers, left_out_comment
from ..markdown_blocks import TOLD_HIDDEN
from ..single_unit import SingleUnit
from .body import DocBodyWriter, new_doc_body_writer
from .properties import parse_properties
from .word_file import WordFile

VERSION = "5"
NOTES = (("footnotes", "", 0xAA, 0xB2), ("endnotes", "e", 0x20A, 0x212), ("comments", "c", 0xBA, 0xC2))
"""Parts of notes, the letter before their numbers, and where the header tells their characters and their texts."""
HEADERS, SEPARATORS = 0xF2, 6
"""Where the header tells the texts of pages, and how many of them, the first ones, part notes from the text."""
KINDS = ("even header", "header", "even footer", "footer", "first header", "first footer")
"""The texts of pages that each section has, in their order."""
MAX_SECTIONS, MAX_SECTION = 10_000, 4096
"""How many sections are looked at, and how many bytes of the properties of each."""
SECTIONS, FIRST_PAGE, DOCUMENT = 0xCA, 0x300A, 0x192
"""Where the header tells the sections, which of their properties is a first page, and where the properties of all are.

Of these the first bit says whether even pages have headers of their own.
"""


def _markdown(file: WordFile) -> str:
    """Returns the whole document: its body, its text boxes, then its notes."""
    note_references: dict[int, str] = {}
    notes: list[tuple[str, range]] = []
    for part, letter, references, texts in NOTES:
        for number, (position, text) in enumerate(_notes_with_positions(file, part, references, texts), 1):
            note_references[position] = f"[^{letter}{number}]"
            notes.append((note_references[position], text))
    body = new_doc_body_writer(file, note_references)
    written = [each for each in (_page_headers(file, body), body.markdown(file.parts["text"])) if each]
    if boxes := body.markdown(file.parts["boxes"]):
        written.append(boxes)
    for reference, text in notes:
        written.append(f"{reference}: " + body.markdown(text).replace("\n", "\n    "))
    written += [TOLD_HIDDEN] * body.has_hidden_text
    if count := body.unread_fields:
        written.append(f"<!-- left out: what is ticked or chosen in {count:,} field{'s' * (count > 1)} of the form -->")
    whole = "\n\n".join(written)
    return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _page_headers(file: WordFile, body: DocBodyWriter) -> str:
    """Returns the comments that name headers and footers, and what is in boxes of these."""
    all_of_them, places = file.parts["headers"], file.table_stream_part(HEADERS)
    bounds = struct.unpack_from(f"<{len(places) // 4}L", places)[SEPARATORS:-1]  # the last is to be ignored
    is_damaged = list(bounds) != sorted(bounds) or bounds[-1:] > (len(all_of_them),)
    texts = [] if is_damaged else [all_of_them[first:end] for first, end in pairwise(bounds)]
    shown = dict.fromkeys(_shown_headers(file, texts))
    headers, footers = (
        [body.markdown(text, is_plain=True) for of_kind, text in shown if of_kind == kind]
        for kind in ("header", "footer")
    )
    boxes = body.markdown(file.parts["header_boxes"], is_plain=True)
    told = left_out_comment("text in boxes of page headers or footers", [boxes], plural="")
    return "\n".join(filter(None, (headers_and_footers(headers, footers, is_damaged), told)))


def _shown_headers(file: WordFile, texts: list[range]) -> Iterator[tuple[str, range]]:
    """Yields the headers and footers that pages show; a section without one of a kind has that of the one before."""
    document, first_pages = file.table_stream_part(DOCUMENT), _first_page_header_by_section(file)
    standing: dict[str, range] = {}
    for number, text in enumerate(texts):
        section, kind = number // len(KINDS), KINDS[number % len(KINDS)]
        standing[kind] = text or standing.get(kind, text)
        switches = {"even": not document or document[0] & 1, "first": first_pages.get(section, True)}
        if switches.get(kind.split()[0], True):
            yield kind.split()[-1], standing[kind]


def _first_page_header_by_section(file: WordFile) -> dict[int, bool]:
    """Returns for each section whether its first page has a header of its own, as far as sections are looked at."""
    sections = file.table_stream_part(SECTIONS)
    count = max(0, len(sections) - 4) // 16
    found: dict[int, bool] = {}
    for number in range(min(count, MAX_SECTIONS)):
        (at,) = struct.unpack_from("<L", sections, 4 * (count + 1) + 12 * number + 2)
        length = min(int.from_bytes(file.main[at : at + 2], "little"), MAX_SECTION)
        found[number] = any(parse_properties(file.main[at + 2 : at + 2 + length]).get(FIRST_PAGE, b""))
    return found


def _notes_with_positions(file: WordFile, part: str, references: int, texts: int) -> list[tuple[int, range]]:
    """Returns for each note the number of the character that it belongs to, and its own characters."""
    ends = file.table_stream_part(texts)
    count = max(0, len(ends) // 4 - 2)
    positions = file.table_stream_part(references)
    if len(positions) < 4 * count:
        return []
    where = struct.unpack_from(f"<{count}L", positions)
    bounds = struct.unpack_from(f"<{count + 1}L", ends) if count else ()
    all_of_them = file.parts[part]
    if list(bounds) != sorted(bounds) or bounds[-1:] > (len(all_of_them),):
        return []
    return [(where[number], all_of_them[bounds[number] : bounds[number + 1]]) for number in range(count)]


def open_doc(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a document; one with a password is refused."""
    try:
        return SingleUnit(_markdown(WordFile(content)))
    except (struct.error, IndexError, OverflowError) as error:
        raise ConversionFailed("doc", "it is damaged") from error


DOC = Converter("doc", VERSION, open_doc)
