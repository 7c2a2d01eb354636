"""What generated documents are made of: words by chance, and blocks as plain data."""

import random
from typing import Any

Block = dict[str, Any]
Rows = list[list[str]]
RULES = ("grid", "rows", "booktabs", "head", "shaded", "none")
"""How a table is ruled: all cells, between rows, like a book, below the head, by shaded rows, not at all."""

NOUNS = (
    "harbour lamp ledger bridge engine orchard signal valley station cargo warden garden market permit survey tenant "
    "boiler carriage channel clinic copper courier depot estuary ferry granary invoice kiln lantern mill notary quarry "
    "railway sample timber vessel workshop archive barge cellar contract dispatch fabric gauge inspector journal"
).split()
ADJECTIVES = (
    "annual broad careful damp early final general heavy idle joint known late minor narrow open plain quiet regional "
    "steady technical upper vacant western yearly local former regular separate long-term well-known"
).split()
VERBS = (
    "covers follows keeps lists measures needs opens passes records replaces serves shows supports takes uses "
    "confirms delays describes exceeds limits"
).split()
PLACES = "Aldbury Brenton Corvale Dunmore Eastwick Farleigh Garston Halden Iverley Kingsmoor Lowick Marsden".split()
NAMES = "Adler Bianchi Castro Dufour Eriksen Fischer Gruber Hansen Ivanova Jensen Keller Lindqvist Moreau".split()


class Chance(random.Random):
    """A seeded source of words, numbers and sentences."""

    def noun(self) -> str:
        return self.choice(NOUNS)

    def title(self, words: int = 2) -> str:
        return " ".join([self.choice(ADJECTIVES), *(self.noun() for _ in range(words - 1))]).capitalize()

    def sentence(self) -> str:
        text = f"the {self.choice(ADJECTIVES)} {self.noun()} {self.choice(VERBS)} the {self.noun()}"
        for _ in range(self.randint(0, 3)):
            joint = self.choice(("and the", "of the", "near the", ", which", "before the", "unless the", "with the"))
            more = f"{self.choice(VERBS)} the {self.noun()}" if joint == ", which" else self.noun()
            text += f"{joint} {more}" if joint[0] == "," else f" {joint} {more}"
        return text.capitalize() + "."

    def paragraph(self, least: int = 3, most: int = 7) -> str:
        return " ".join(self.sentence() for _ in range(self.randint(least, most)))

    def amount(self, most: int = 90_000) -> str:
        return f"{self.randint(100, most):,}"

    def price(self, most: int = 900) -> str:
        return f"{self.randint(1, most)}.{self.randint(0, 99):02}"

    def date(self) -> str:
        return f"{self.randint(1, 28):02}.{self.randint(1, 12):02}.{self.choice((2023, 2024, 2025))}"

    def clock(self, hour: int) -> str:
        return f"{hour:02}:{self.randint(0, 59):02}"


def heading(level: int, text: str) -> Block:
    return {"kind": "heading", "level": level, "text": text}


def text(words: str) -> Block:
    return {"kind": "text", "text": words}


def bullets(items: list[str]) -> Block:
    return {"kind": "list", "items": items}


def fields(pairs: list[tuple[str, str]]) -> Block:
    return {"kind": "fields", "pairs": pairs}


def page_break() -> Block:
    return {"kind": "page"}


def table(
    rows: Rows,
    align: str,
    rules: str,
    widths: list[float],
    totals: tuple[int, ...] = (),
    heads: int = 1,
    spans: tuple[tuple[int, int, int], ...] = (),
    repeated: bool | None = None,
) -> Block:
    """`align` is a letter for each column, `widths` are shares of the width; `totals` are rows with a rule above.

    `spans` are cells over several columns: row, column, number of columns. `repeated` says whether the head is printed
    on every page; None leaves that to the writer.
    """
    return {
        "spans": [list(span) for span in spans],
        "kind": "table",
        "rows": rows,
        "align": align,
        "rules": rules,
        "widths": widths,
        "totals": list(totals),
        "heads": heads,
        "repeated": repeated,
    }
