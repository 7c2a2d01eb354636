"""Views of what a thing is made of; what they need is loaded with the first of them."""

from ..installed import importing_only_from
from .reading import Case, Found


def read_outline(case: Case) -> Found | None:
    """Claims everything of which an outline is asked for."""
    if case.request.view != "outline":
        return None
    with importing_only_from(case.means.documents.places):
        from .outline import found_outline

    return found_outline(case)


def read_block(case: Case) -> Found | None:
    """Claims what has lines, where the block around one of them is asked for."""
    if case.request.view != "block":
        return None
    with importing_only_from(case.means.documents.places):
        from .block import found_block

    return found_block(case)
