"""Recognises running heads among the lines that look like headings: a page number stands far before their title."""

from ..page_content.text_lines import Line

PAGE_APART = 4.0
"""The least gap, in ems, behind a page number: the number of a section is closer to its title."""
LONGEST_PAGE = 4
"""The most digits of a page number."""


def begins_with_page(line: Line) -> bool:
    """Whether a line begins with a page number that white sets apart from its title."""
    page, *title = line.words
    if not title or not page.text.isdecimal() or len(page.text) > LONGEST_PAGE:
        return False
    return title[0].x0 - page.x1 >= PAGE_APART * line.size
