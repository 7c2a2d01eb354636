"""Review comments of a page: sticky notes, and what was said about marked text, with their authors and replies."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from ....named_tuple import NamedTuple
from ..page_text.inline_markdown import escaped
from .comment_order import CommentOrder, Rect
from .form_fields import is_string_too_long, read_string

KINDS = frozenset(
    (
        raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_CIRCLE,
        raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_POLYLINE, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE,
        raw.FPDF_ANNOT_SQUIGGLY, raw.FPDF_ANNOT_STRIKEOUT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_CARET,
        raw.FPDF_ANNOT_INK, raw.FPDF_ANNOT_FILEATTACHMENT, raw.FPDF_ANNOT_SOUND, raw.FPDF_ANNOT_REDACT,
    )
)  # fmt: skip
"""Annotations that a reviewer makes; of others `Contents` describes a link, a field or a film to the blind."""
MAX_CHAIN = 50
"""Replies to replies that are followed to their first comment; a chain may lead in a circle."""


class Comment(NamedTuple):
    """A comment, the number of its annotation, and of the one that it replies to, -1 where it replies to none."""

    author: str
    text: str
    number: int
    replies_to: int
    rect: Rect

    @property
    def markdown(self) -> str:
        """The comment in one line."""
        return escaped(f"{self.author}: {self.text}" if self.author else self.text)


def read_comment(page: pdfium.PdfPage, annotation: Any, number: int) -> Comment | None:
    """Returns the comment that an annotation holds; None where it says nothing."""
    text = _text_in_one_line(annotation, b"Contents")
    if not text:
        return None
    box = raw.FS_RECTF()
    known = raw.FPDFAnnot_GetRect(annotation, box)
    rect = box.left, box.bottom, box.right, box.top
    placed = rect if known and all(map(isfinite, rect)) else (0.0, 0.0, 0.0, 0.0)
    return Comment(_text_in_one_line(annotation, b"T"), text, number, _replied_to(page, annotation), placed)


def _text_in_one_line(annotation: Any, key: bytes) -> str:
    """Returns a text of an annotation as one line that cannot begin a remark."""
    text = read_string(raw.FPDFAnnot_GetStringValue, annotation, key)
    return text if is_string_too_long(raw.FPDFAnnot_GetStringValue, annotation, key) else text.replace("<!--", "\\<!--")


def _replied_to(page: pdfium.PdfPage, annotation: Any) -> int:
    """Returns the number of the annotation that one replies to, -1 where there is none."""
    if not raw.FPDFAnnot_HasKey(annotation, b"IRT"):
        return -1
    other = raw.FPDFAnnot_GetLinkedAnnot(annotation, b"IRT")
    if not other:
        return -1
    try:
        return raw.FPDFPage_GetAnnotIndex(page.raw, other)
    finally:
        raw.FPDFPage_CloseAnnot(other)


def comments_markdown(comments: list[Comment], order: CommentOrder) -> str:
    """Returns comments as a list in reading order, replies below what they reply to; empty where there are none."""
    if not comments:
        return ""
    shown = {comment.number: comment for comment in comments}
    threads: dict[int, list[Comment]] = {}
    for comment in comments:
        threads.setdefault(_first_of_thread(comment, shown), []).append(comment)
    firsts = sorted(threads, key=lambda number: (order.sort_key(shown[number].rect), number))
    return "\n".join(
        ["Comments:", *(line for number in firsts for line in _thread_lines(shown[number], threads[number]))]
    )


def _first_of_thread(comment: Comment, shown: dict[int, Comment]) -> int:
    """Returns the number of the comment that a thread began with; of a circle, of the comment itself."""
    at = comment
    for _ in range(MAX_CHAIN):
        if at.replies_to not in shown:
            return at.number
        at = shown[at.replies_to]
    return comment.number


def _thread_lines(first: Comment, thread: list[Comment]) -> Iterator[str]:
    """Yields the lines of a thread; what only repeats the first comment, as the halves of a mark may, is left out."""
    yield f"- {first.markdown}"
    for reply in thread:
        if reply.number != first.number and (reply.author, reply.text) != (first.author, first.text):
            yield f"  - {reply.markdown}"
