"""A directory: its entries are lines."""

from ..errors import IsDirectory
from ..source import revision_of_names
from ..text import list_directory
from .reading import Case, Found, found_lines


def read_directory(case: Case) -> Found | None:
    """Claims directories."""
    source, rules = case.source, case.rules
    if not source.is_directory:
        return None
    if rules.directories == "refuse" or case.request.view:
        raise IsDirectory
    with_sizes = rules.directories == "sizes"
    listing = list_directory(source, rules.entries_sorted, with_sizes, rules.skip_ignored, case.watch)
    if rules.revision:
        case.revision = revision_of_names(listing.lines)
        if case.revision == case.request.if_revision:
            return Found("directory")
    return found_lines("directory", listing, case.request)
