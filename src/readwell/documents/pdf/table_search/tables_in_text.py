"""Drops tables that are running text: words of a sentence that are shaded or set apart."""

from collections import Counter

from ..page_content.text_lines import Line
from ..page_model import Table


def without_tables_in_text(tables: list[Table], lines: list[Line]) -> list[Table]:
    """Drops false tables: most of their lines continue as text, as with shaded words."""
    owner = {index: number for number, table in enumerate(tables) for index in table.char_indexes}
    whole: Counter[int] = Counter()
    torn: Counter[int] = Counter()
    for line in lines if owner else ():
        inside = [owner[word.char_index] for word in line.words if word.char_index in owner]
        outside = len(line.words) - len(inside)
        for number in set(inside):
            (torn if outside >= inside.count(number) else whole)[number] += 1
    return [table for number, table in enumerate(tables) if torn[number] <= whole[number]]
