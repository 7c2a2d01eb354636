"""What all steps of a search use, and where one of them stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.search import Ending, SearchPosition, SearchRequest
from ..named_tuple import NamedTuple
from .search_pattern import Expression

if TYPE_CHECKING:
    from ..deadline import Deadline
    from ..model import Rules
    from ..readings import Resources


class StopPoint(NamedTuple):
    """Where and why a search stopped before it was complete."""

    position: SearchPosition
    reason: Ending


class SearchContext(NamedTuple):
    """What all steps of a search use."""

    request: SearchRequest
    rules: Rules
    resources: Resources
    expression: Expression
    is_single_file: bool
    """One file was named, so its failure is that of the search."""
    deadline: Deadline
    """When searching stops."""
    reply_deadline: Deadline
    """When the reply must be ready."""
