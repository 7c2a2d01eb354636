"""Reads a directory as a text: its entries are lines."""

from ..errors import IsDirectory, StartPastEnd
from ..model import ReadRequest, Window
from ..source import revision_of_names
from ..window import Text, take_window
from .reading import ReadContent, ReadContext, unpaged_content


def read_directory(context: ReadContext) -> ReadContent | None:
    """Claims directories."""
    source, rules, request = context.source, context.rules, context.request
    if not source.is_directory:
        return None
    if rules.directories == "refuse" or request.view:
        raise IsDirectory
    from ..text.directory_listing import EntrySelection, list_directory

    with_sizes = rules.directories == "sizes"
    selection = EntrySelection(request.after, rules.max_sorted_entries, rules.skip_ignored)
    listing = list_directory(source, selection, with_sizes, context.deadline)
    if request.column > 1 and not _is_first_entry_cut(listing, request):
        request = request._replace(column=1)
    content = unpaged_content("directory", listing, request)
    if not rules.revision:
        return content
    # Pages fit together as long as the names are the same, whatever the sizes.
    context.revision = revision_of_names(listing.lines)
    traits = listing.traits()

    def revision_of(window: Window) -> str:
        return revision_of_names([*window.lines, f"{traits.ignored} {traits.denied}"])

    return content._replace(revision_of=revision_of)


def _is_first_entry_cut(listing: Text, request: ReadRequest) -> bool:
    """Says whether the first entry asked for is longer than a reply may show, so that a column continues it."""
    try:
        window = take_window(listing, request._replace(column=1))
    except StartPastEnd:
        return False
    return any(clip.line == window.start for clip in window.clipped)
