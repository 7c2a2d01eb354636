"""Reads a directory as a text: its entries are lines."""

from ..errors import IsDirectory
from ..source import revision_of_names
from .reading import ReadContent, ReadContext, unpaged_content


def read_directory(context: ReadContext) -> ReadContent | None:
    """Claims directories."""
    source, rules, request = context.source, context.rules, context.request
    if not source.is_directory:
        return None
    if rules.directories == "refuse" or request.view:
        raise IsDirectory
    from ..text.directory_listing import Selection, list_directory

    with_sizes = rules.directories == "sizes"
    selection = Selection(request.after, rules.entries_sorted, rules.skip_ignored)
    listing = list_directory(source, selection, with_sizes, context.deadline)
    if rules.revision:
        context.revision = revision_of_names(listing.lines)
        if context.revision == request.if_revision:
            return ReadContent("directory")
    return unpaged_content("directory", listing, request)
