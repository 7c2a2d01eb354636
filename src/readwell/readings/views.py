"""The views `outline` and `block`; their modules are imported when one is used."""

from ..import_guard import importing_only_from
from .reading import ReadContent, ReadContext


def read_outline(context: ReadContext) -> ReadContent:
    """Claims everything: files, documents and directories."""
    with importing_only_from(context.resources.documents.import_path):
        from .outline import outline_content

    return outline_content(context)


def read_block(context: ReadContext) -> ReadContent:
    """Claims everything."""
    with importing_only_from(context.resources.documents.import_path):
        from .block import block_content

    return block_content(context)
