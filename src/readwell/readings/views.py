"""The views `outline` and `block`; their modules are imported when one is used."""

from ..installed import importing_only_from
from .reading import ReadContent, ReadContext


def read_outline(context: ReadContext) -> ReadContent | None:
    """Claims every read with `view="outline"`."""
    if context.request.view != "outline":
        return None
    with importing_only_from(context.resources.documents.import_path):
        from .outline import outline_content

    return outline_content(context)


def read_block(context: ReadContext) -> ReadContent | None:
    """Claims every read with `view="block"`."""
    if context.request.view != "block":
        return None
    with importing_only_from(context.resources.documents.import_path):
        from .block import block_content

    return block_content(context)
