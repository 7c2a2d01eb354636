"""A directory: its entries are lines."""

from ..errors import IsDirectory
from ..source import revision_of_names
from .reading import ReadContent, ReadContext, unpaged_content


def read_directory(context: ReadContext) -> ReadContent | None:
    """Claims directories."""
    source, rules = context.source, context.rules
    if not source.is_directory:
        return None
    if rules.directories == "refuse" or context.request.view:
        raise IsDirectory
    from ..text.listing import list_directory

    with_sizes = rules.directories == "sizes"
    listing = list_directory(source, rules.entries_sorted, with_sizes, rules.skip_ignored, context.watch)
    if rules.revision:
        context.revision = revision_of_names(listing.lines)
        if context.revision == context.request.if_revision:
            return ReadContent("directory")
    return unpaged_content("directory", listing, context.request)
