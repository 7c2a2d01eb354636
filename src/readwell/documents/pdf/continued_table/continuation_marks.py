"""Says at both ends that a table goes on over pages, and repeats its head. Pages are looked at as they are needed."""

from __future__ import annotations

from collections.abc import Callable

from ..page_model import Table
from .same_table import (
    Continuation,
    Head,
    PageWithTables,
    find_continuation,
    head_of,
    may_go_on_from_above,
    table_at_page_end,
    table_at_page_start,
    with_head,
    with_rest_in_front,
)

MAX_BACK = 16
"""How many pages back the head of a table is looked for."""

LayOut = Callable[[int], PageWithTables | None]
"""Returns a page, counted from 1, with its tables; None where it has none to go on."""


class KnownContinuations:
    """What was found out about the pages of a document, so that no page is looked at for it again."""

    def __init__(self) -> None:
        self.repeated: dict[int, int | None] = {}
        """How many rows of a head a page prints again at its top; None if no table goes on there."""
        self.rests: set[int] = set()
        """The pages whose part only the page before shows to be a table."""
        self.origins: dict[int, int] = {}
        """The page that prints the head of the table that goes on onto a page."""
        self.heads: dict[int, Head | None] = {}
        """The head of the last table of a page."""


class ContinuedTables:
    """The tables of a document that go on over pages. What it says of a page depends on the document alone."""

    def __init__(self, known: KnownContinuations, lay_out: LayOut) -> None:
        self._known, self._lay_out = known, lay_out

    def tables_of_page(self, number: int) -> list[Table]:
        """Returns the tables of a page; the first with its head if it comes from earlier pages."""
        page = self._lay_out(number)
        if page is None:
            return []
        shown, last = list(page.tables), table_at_page_end(page)
        if last and self._comes_from_above(number + 1):
            place = page.tables.index(last)
            shown[place] = last._replace(below=(f"<!-- table goes on on page {number + 1} -->",))
        part = self._find_continuation(number, page) if self._comes_from_above(number) else None
        if part and part.rest:
            return with_rest_in_front(shown, self._with_mark_and_head(part, number))
        if part:
            place = page.tables.index(part.table)
            shown[place] = self._with_mark_and_head(part._replace(table=shown[place]), number)
        return shown

    def _comes_from_above(self, number: int) -> bool:
        """Says whether a table goes on onto a page."""
        return self._count_repeated_head_rows(number) is not None

    def _count_repeated_head_rows(self, number: int) -> int | None:
        """Returns how many rows of a head a page prints again at its top; None if no table goes on there."""
        if number not in self._known.repeated:
            page = self._lay_out(number)
            part = self._find_continuation(number, page) if page and may_go_on_from_above(page) else None
            self._known.repeated[number] = part.repeated if part else None
            self._known.rests |= {number} if part and part.rest else set()
        return self._known.repeated[number]

    def _find_continuation(self, number: int, page: PageWithTables) -> Continuation | None:
        """Returns the part of a table that goes on onto a page from the one before."""
        above = self._lay_out(number - 1)
        return find_continuation(above, page) if above else None

    def _with_mark_and_head(self, part: Continuation, number: int) -> Table:
        """Returns a part with the comments above it, and with its head."""
        above = [f"<!-- table goes on from page {number - 1} -->"]
        table = part.table
        if part.repeated:
            return table._replace(above=above)
        origin = self._page_with_head(number)
        head = self._head_of_last_table(origin) if number - origin <= MAX_BACK else None
        headed = with_head(table, head) if head else None
        if headed is None:
            return table._replace(above=above)
        return headed._replace(above=[*above, f"<!-- head repeated from page {origin} -->"])

    def _page_with_head(self, number: int) -> int:
        """Returns the page that prints the head of a table that goes on onto a page; one too far back is not known."""
        if number not in self._known.origins:
            page = number - 1
            while number - page <= MAX_BACK and self._goes_through_without_head(page):
                if page in self._known.origins:
                    page = self._known.origins[page]
                    break
                page -= 1
            self._known.origins[number] = page
        return self._known.origins[number]

    def _goes_through_without_head(self, number: int) -> bool:
        """Whether the last table of a page comes from above and does not print its head again."""
        page = self._lay_out(number)
        if (
            page is None
            or table_at_page_start(page) is not table_at_page_end(page)
            or self._count_repeated_head_rows(number) != 0
        ):
            return False
        return number not in self._known.rests

    def _head_of_last_table(self, number: int) -> Head | None:
        """Returns the head of the last table of a page."""
        if number not in self._known.heads:
            page = self._lay_out(number)
            table = table_at_page_end(page) if page else None
            self._known.heads[number] = head_of(table) if table else None
        return self._known.heads[number]
