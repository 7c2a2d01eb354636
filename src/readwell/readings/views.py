"""Views of what a thing is made of; what they need is loaded with the first of them."""

from ..installed import importing_only_from
from .reading import ReadContent, ReadContext


def read_outline(context: ReadContext) -> ReadContent | None:
    """Claims everything of which an outline is asked for."""
    if context.request.view != "outline":
        return None
    with importing_only_from(context.resources.documents.places):
        from .outline import found_outline

    return found_outline(context)


def read_block(context: ReadContext) -> ReadContent | None:
    """Claims what has lines, where the block around one of them is asked for."""
    if context.request.view != "block":
        return None
    with importing_only_from(context.resources.documents.places):
        from .block import found_block

    return found_block(context)
