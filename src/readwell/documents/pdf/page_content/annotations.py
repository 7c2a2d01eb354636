"""What stands beside the print of a page, in its annotations: filled-in values, typed notes and review comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_model import PageWords
from ..page_notices import Notices, hidden_comments_notice
from .comment_order import CommentOrder
from .comments import KINDS, Comment, comments_markdown, read_comment
from .form_fields import Field, fields_markdown, read_field

MAX_ANNOTATIONS = 5000
HIDDEN, NO_VIEW = 2, 32
"""Flags of an annotation that is not shown on a screen."""


class AnnotationLists(NamedTuple):
    """Two lists in Markdown: the filled-in values of a page, and its comments; empty where there are none."""

    filled_in: str = ""
    comments: str = ""


def read_annotations(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, words: PageWords, notices: Notices
) -> AnnotationLists:
    """Reads the values and comments of a page; of hidden notes and comments it counts those that say something."""
    count = raw.FPDFPage_GetAnnotCount(page.raw)
    if count <= 0:
        return AnnotationLists()
    fields: list[Field] = []
    comments: list[Comment] = []
    typed: list[Comment] = []
    hidden = 0
    for number, annotation in _annotations(page, count, notices):
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind not in KINDS and kind != raw.FPDF_ANNOT_FREETEXT:
            fields += read_field(document, annotation, kind)
        elif comment := read_comment(page, annotation, number):
            if raw.FPDFAnnot_GetFlags(annotation) & (HIDDEN | NO_VIEW):
                hidden += 1
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                fields += read_field(document, annotation, kind)
                typed.append(comment)
            else:
                comments.append(comment)
    if hidden:
        notices.add(hidden_comments_notice(hidden))
    shown = _without_repeated(comments, typed)
    return AnnotationLists(fields_markdown(fields), comments_markdown(shown, CommentOrder(words)))


def _without_repeated(comments: list[Comment], typed: list[Comment]) -> list[Comment]:
    """Drops comments that only repeat a typed note: on its box or tied to it, of no author, without a reply."""
    places = {(note.text, note.rect) for note in typed} | {(note.text, note.number) for note in typed}
    answered = {comment.replies_to for comment in comments}
    return [
        comment
        for comment in comments
        if comment.author
        or comment.number in answered
        or places.isdisjoint(((comment.text, comment.rect), (comment.text, comment.replies_to)))
    ]


def _annotations(page: pdfium.PdfPage, count: int, notices: Notices) -> Iterator[tuple[int, Any]]:
    """Yields the annotations of a page with their numbers, up to a bound."""
    if count > MAX_ANNOTATIONS:
        notices.add(f"of {count:,} notes and fields on this page the first {MAX_ANNOTATIONS:,} were looked at")
    for number in range(min(count, MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, number)
        if annotation:
            yield number, annotation
            raw.FPDFPage_CloseAnnot(annotation)
