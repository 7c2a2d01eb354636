"""A file whose latest revision the caller has already: nothing is read."""

from .document import document_format
from .reading import ReadContent, ReadContext, plain_read_context


def read_unchanged(context: ReadContext) -> ReadContent | None:
    """Claims a file whose revision is the one that the caller named."""
    if context.revision is None or context.request.if_revision != context.revision:
        return None
    kind = "document" if document_format(plain_read_context(context)) else "file"
    return ReadContent(kind)
