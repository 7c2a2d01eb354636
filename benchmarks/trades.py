"""Documents of many trades with their exact truth: headings, paragraphs, lists and tables, from a seed each.

A document is plain data, so that writers in other environments can print it: see trade_writers.py and trade_html.py.
"""

from collections.abc import Callable
from typing import Any

from trade_blocks import (
    ADJECTIVES,
    NAMES,
    PLACES,
    RULES,
    Block,
    Chance,
    Rows,
    bullets,
    fields,
    heading,
    page_break,
    table,
    text,
)


def statement(chance: Chance) -> list[Block]:
    years = [str(2025 - k) for k in range(chance.choice((2, 3)))]
    signed = chance.random() < 0.6
    rows: Rows = [["", *years]]
    totals: list[int] = []
    for section in range(chance.randint(2, 3)):
        rows.append([f"{chance.title()}:", *[""] * len(years)])
        count = chance.randint(2, 4)
        for item in range(count):
            sign = "$ " if signed and item == 0 and section == 0 else ""
            rows.append([chance.title(3), *(sign + chance.amount() for _ in years)])
        totals.append(len(rows))
        rows.append([f"Total {chance.noun()}", *(chance.amount() for _ in years)])
    totals.append(len(rows))
    rows.append(["Net income", *(("$ " if signed else "") + chance.amount() for _ in years)])
    rules = chance.choice(("none", "head", "booktabs"))
    return [
        heading(1, f"Statement of {chance.noun()} operations"),
        text(chance.paragraph(1, 3)),
        table(rows, "l" + "r" * len(years), rules, [0.52, *[0.48 / len(years)] * len(years)], tuple(totals)),
        text(chance.paragraph(2, 4)),
        heading(2, f"Notes to the {chance.noun()}"),
        text(chance.paragraph()),
    ]


def invoice(chance: Chance) -> list[Block]:
    rows: Rows = [["Item", "Quantity", "Unit price", "Amount"]]
    for _ in range(chance.randint(3, 9)):
        rows.append(
            [chance.title(chance.randint(2, 4)), str(chance.randint(1, 40)), chance.price(), chance.price(9000)]
        )
    rules = chance.choice(RULES)
    return [
        heading(1, "Invoice"),
        fields(
            [
                ("Invoice no.:", f"{chance.randint(2020, 2026)}-{chance.randint(100, 999)}"),
                ("Customer:", f"{chance.choice(NAMES)} & Sons, {chance.choice(PLACES)}"),
                ("Date of issue:", chance.date()),
                ("Due date:", chance.date()),
            ]
        ),
        table(rows, "lrrr", rules, [0.46, 0.16, 0.19, 0.19]),
        text(chance.paragraph(2, 3)),
    ]


def price_list(chance: Chance) -> list[Block]:
    blocks = [heading(1, f"Price list of {chance.noun()} supplies")]
    sign = chance.choice(("", " €", " EUR"))
    for _ in range(chance.randint(1, 3)):
        rows: Rows = [["Number", "Article", "Price"]]
        for _ in range(chance.randint(4, 8)):
            rows.append([f"{chance.choice('ABCD')}-{chance.randint(100, 999)}", chance.title(3), chance.price() + sign])
        blocks += [
            heading(2, chance.title()),
            text(chance.paragraph(1, 3)),
            table(rows, "llr", chance.choice(RULES), [0.2, 0.55, 0.25]),
        ]
    return blocks


def timetable(chance: Chance) -> list[Block]:
    runs = chance.randint(4, 8)
    rows: Rows = [["Station", *(f"{chance.choice(('IC', 'RE'))} {chance.randint(10, 99)}" for _ in range(runs))]]
    for stop, place in enumerate(chance.sample(PLACES, chance.randint(5, 10))):
        rows.append(
            [place, *(chance.clock((5 + run + stop) % 24) if chance.random() < 0.93 else "–" for run in range(runs))]
        )
    return [
        heading(1, f"Timetable {chance.choice(PLACES)} line"),
        text(chance.paragraph(1, 2)),
        table(rows, "l" + "r" * runs, chance.choice(RULES), [0.2, *[0.8 / runs] * runs]),
        text(chance.paragraph(1, 2)),
    ]


def lab_report(chance: Chance) -> list[Block]:
    rows: Rows = [["Test", "Result", "Unit", "Reference range", "Flag"]]
    for _ in range(chance.randint(5, 12)):
        low = chance.randint(1, 80)
        flag = chance.choice(("", "", "H", "L"))
        unit = chance.choice(("mmol/L", "g/dL", "%", "U/L", "mg/dL"))
        rows.append(
            [chance.title(), f"{chance.randint(1, 200)}.{chance.randint(0, 9)}", unit, f"{low} - {low + 20}", flag]
        )
    return [
        heading(1, "Laboratory report"),
        fields(
            [("Patient:", f"{chance.choice(NAMES)}, A."), ("Sample taken:", chance.date()), ("Method:", chance.noun())]
        ),
        heading(2, "Results"),
        table(rows, "lrllc", chance.choice(RULES), [0.3, 0.15, 0.15, 0.28, 0.12]),
        heading(2, "Comment"),
        text(chance.paragraph()),
    ]


def raci(chance: Chance) -> list[Block]:
    people = chance.sample(NAMES, chance.randint(3, 6))
    rows: Rows = [["Task", *people]]
    for _ in range(chance.randint(4, 9)):
        rows.append([chance.title(3), *(chance.choice(("R", "A", "C", "I", "R")) for _ in people)])
    return [
        heading(1, "Responsibilities"),
        text(chance.paragraph(2, 4)),
        table(
            rows,
            "l" + "c" * len(people),
            chance.choice(("grid", "rows", "booktabs", "shaded")),
            [0.34, *[0.66 / len(people)] * len(people)],
        ),
        text(chance.paragraph(1, 3)),
    ]


def catalogue(chance: Chance) -> list[Block]:
    rows: Rows = [["Article", "Description", "Size", "Price"]]
    for _ in range(chance.randint(3, 6)):
        rows.append([chance.title(), chance.paragraph(1, 2), f"{chance.randint(2, 90)} cm", chance.price()])
    return [
        heading(1, f"Catalogue of {chance.noun()}s"),
        text(chance.paragraph(1, 3)),
        table(rows, "lllr", chance.choice(("grid", "rows", "booktabs", "shaded")), [0.2, 0.5, 0.15, 0.15]),
        heading(2, "How to order"),
        bullets([chance.sentence() for _ in range(3)]),
    ]


def tax_form(chance: Chance) -> list[Block]:
    rows: Rows = [["Line", "Kind of income", "Amount"]]
    for line in range(1, chance.randint(5, 10)):
        rows.append([str(line), chance.title(4), chance.amount() if chance.random() < 0.8 else ""])
    return [
        heading(1, f"Form {chance.randint(100, 999)}: {chance.noun()} return"),
        fields(
            [
                ("Name of taxpayer:", chance.choice(NAMES)),
                ("Tax number:", str(chance.randint(10**8, 10**9))),
                ("Year:", "2024"),
            ]
        ),
        heading(2, "Part A"),
        text(chance.paragraph(2, 3)),
        table(rows, "llr", chance.choice(("grid", "rows", "shaded")), [0.1, 0.65, 0.25]),
        heading(2, "Part B"),
        text(chance.paragraph(2, 4)),
    ]


def paper(chance: Chance) -> list[Block]:
    rows: Rows = [["Model", "Error", "Time (s)"]]
    for _ in range(chance.randint(3, 6)):
        rows.append([chance.noun().capitalize(), f"{chance.random():.3f}", chance.price(99)])
    blocks = [heading(1, f"On the {chance.choice(ADJECTIVES)} {chance.noun()} of the {chance.noun()}")]
    for number, name in enumerate(("Introduction", "Method", "Results", "Conclusion"), 1):
        blocks += [heading(2, f"{number} {name}"), text(chance.paragraph(4, 7)), text(chance.paragraph(4, 7))]
        if name == "Method":
            blocks += [heading(3, f"{number}.1 {chance.title()}"), text(chance.paragraph(4, 6))]
        if name == "Results":
            blocks += [
                text(f"Table 1: {chance.sentence()}"),
                table(rows, "lrr", chance.choice(("booktabs", "booktabs", "none", "grid")), [0.4, 0.3, 0.3]),
                text(chance.paragraph(3, 5)),
            ]
    return blocks


def contract(chance: Chance) -> list[Block]:
    blocks = [heading(1, f"Agreement on the {chance.noun()}"), text(chance.paragraph(2, 4))]
    for number in range(1, chance.randint(4, 6)):
        blocks += [heading(2, f"{number}. {chance.title()}")]
        blocks += [text(f"{number}.{k} {chance.paragraph(2, 5)}") for k in range(1, chance.randint(2, 4))]
    return [*blocks, fields([("Signed by:", chance.choice(NAMES)), ("Place:", chance.choice(PLACES))])]


def handout(chance: Chance) -> list[Block]:
    blocks: list[Block] = []
    for _ in range(chance.randint(2, 3)):
        blocks += [heading(1, chance.title(3)), bullets([chance.sentence() for _ in range(chance.randint(3, 5))])]
    rows: Rows = [["Quarter", chance.noun().capitalize(), chance.noun().capitalize()]]
    rows += [[f"Q{k}", str(chance.randint(1, 99)), f"{chance.randint(1, 99)} %"] for k in range(1, 5)]
    return [*blocks, table(rows, "lrr", chance.choice(RULES), [0.3, 0.35, 0.35]), text(chance.sentence())]


def ledger(chance: Chance) -> list[Block]:
    rows: Rows = [["Date", "Entry", "Debit", "Credit", "Balance"]]
    for _ in range(chance.randint(8, 18) if chance.random() < 0.7 else chance.randint(50, 80)):
        debit = chance.random() < 0.5
        amount = chance.price(5000)
        rows.append(
            [chance.date(), chance.title(3), amount if debit else "", "" if debit else amount, chance.price(90_000)]
        )
    return [
        heading(1, f"Ledger of the {chance.noun()} account"),
        table(rows, "llrrr", chance.choice(RULES), [0.15, 0.37, 0.16, 0.16, 0.16]),
        text(chance.paragraph(1, 3)),
    ]


def directory(chance: Chance) -> list[Block]:
    rows: Rows = [["Name", "Office", "Room", "Telephone"]]
    for name in chance.sample(NAMES, chance.randint(5, 10)):
        rows.append(
            [
                f"{name}, {chance.choice('ABCDEF')}.",
                chance.title(),
                f"{chance.choice('NSEW')}{chance.randint(100, 400)}",
                f"0{chance.randint(10, 99)} {chance.randint(1000, 9999)}",
            ]
        )
    return [
        heading(1, "Staff directory"),
        text(chance.paragraph(1, 3)),
        table(rows, "llll", chance.choice(RULES), [0.28, 0.36, 0.14, 0.22]),
        heading(2, "Opening hours"),
        text(chance.paragraph(2, 4)),
    ]


def works(chance: Chance) -> list[Block]:
    """A schedule of works: text in every column, cells of several lines, groups."""
    rows: Rows = [["Work", "Place", "Remarks"]]
    for _ in range(chance.randint(4, 7)):
        rows.append([chance.title(3), chance.choice(PLACES), chance.sentence()])
    return [
        heading(1, f"Schedule of {chance.noun()} works"),
        heading(2, "Scope"),
        text(chance.paragraph()),
        heading(2, "Sites"),
        table(rows, "lll", chance.choice(("grid", "rows", "shaded", "booktabs")), [0.3, 0.2, 0.5]),
    ]


def study(chance: Chance) -> list[Block]:
    """A scientific table: heads in two lines, a group above each pair of columns."""
    groups = [chance.noun().capitalize() for _ in range(chance.choice((2, 3)))]
    over = ["", *(cell for group in groups for cell in (group, ""))]
    rows: Rows = [over, ["Sample", *["Mean", "SD"] * len(groups)]]
    for _ in range(chance.randint(4, 9)):
        numbers = [cell for _ in groups for cell in (f"{chance.random() * 90:.2f}", f"{chance.random():.2f}")]
        rows.append([chance.title(), *numbers])
    spans = tuple((0, 1 + 2 * k, 2) for k in range(len(groups)))
    width = 0.7 / (2 * len(groups))
    return [
        heading(1, f"A study of the {chance.noun()}"),
        text(chance.paragraph(3, 6)),
        text(f"Table 2. {chance.sentence()}"),
        table(
            rows,
            "l" + "r" * 2 * len(groups),
            chance.choice(("booktabs", "booktabs", "grid", "rows")),
            [0.3, *[width] * 2 * len(groups)],
            (),
            2,
            spans,
        ),
        heading(2, "Discussion"),
        text(chance.paragraph(3, 6)),
        text(chance.paragraph(3, 6)),
    ]


def annual(chance: Chance) -> list[Block]:
    """A note of an annual report: a head over the years, sections with titles inside the table, amounts in brackets."""
    years = ["2025", "2024", "2023"]
    rows: Rows = [["", "Year ended 31 December", "", ""], ["(in thousands)", *years]]
    totals: list[int] = []
    for _ in range(2):
        rows.append([chance.title(), "", "", ""])
        for _ in range(chance.randint(2, 4)):
            rows.append(
                [
                    chance.title(3),
                    *(chance.amount() if chance.random() < 0.7 else f"({chance.amount()})" for _ in years),
                ]
            )
        totals.append(len(rows))
        rows.append([f"Total {chance.noun()}", *(chance.amount() for _ in years)])
    return [
        heading(1, f"Note {chance.randint(2, 19)}: {chance.title()}"),
        text(chance.paragraph(2, 5)),
        table(
            rows,
            "lrrr",
            chance.choice(("head", "booktabs", "none")),
            [0.46, 0.18, 0.18, 0.18],
            tuple(totals),
            2,
            ((0, 1, 3),),
        ),
        text(chance.paragraph(2, 5)),
        text(chance.paragraph(2, 4)),
    ]


def register(chance: Chance) -> list[Block]:
    """Numbers in two to nine columns, mostly without rules; heads that wrap."""
    columns = chance.randint(1, 8)
    rows: Rows = [[chance.noun().capitalize(), *(chance.title(2) for _ in range(columns))]]
    for _ in range(chance.randint(5, 14)):
        rows.append(
            [
                chance.choice(PLACES),
                *(chance.choice(("0.00", str(chance.randint(0, 9)), chance.price(99))) for _ in range(columns)),
            ]
        )
    first = 0.3 if columns < 5 else 0.16
    return [
        heading(1, f"Register of {chance.noun()}s"),
        text(chance.paragraph(2, 4)),
        table(
            rows,
            "l" + "r" * columns,
            chance.choice(("none", "none", "head", "grid", "rows")),
            [first, *[(1 - first) / columns] * columns],
        ),
        heading(2, chance.title()),
        text(chance.paragraph(2, 4)),
    ]


def stock(chance: Chance) -> list[Block]:
    """Tables over several pages, their heads printed once or on every page; a last one on a page of its own."""
    kinds = ["l", "l", *chance.choices("lrn", k=chance.randint(1, 4))]
    titles = ["Shelf", "Goods", *(chance.title().capitalize() for _ in kinds[2:])]
    rules, repeated = chance.choice(RULES), chance.random() < 0.5
    first = chance.randint(100, 900)

    def rows(count: int) -> Rows:
        return [
            [f"{chance.choice('ABCD')}-{first + number}", chance.title(3), *map(cell, kinds[2:])]
            for number in range(count)
        ]

    def cell(kind: str) -> str:
        if kind == "n":
            return chance.amount() if chance.random() < 0.4 else ""
        return chance.amount() if kind == "r" else chance.title(1 + (chance.random() < 0.3))

    widths = [0.12, 0.34, *[0.54 / len(kinds[2:])] * len(kinds[2:])]
    align = "".join("r" if kind in "rn" else "l" for kind in kinds)
    long = table([titles, *rows(chance.randint(45, 130))], align, rules, widths, repeated=repeated)
    other = [titles[:2], *([place, chance.title(3)] for place in chance.sample(PLACES, 6))]
    return [
        heading(1, f"Stock of the {chance.noun()}"),
        text(chance.paragraph(1, 3)),
        long,
        *([text(chance.paragraph(2, 4))] if chance.random() < 0.7 else []),
        page_break(),
        table(other, "ll", chance.choice(RULES), [0.3, 0.7]),
    ]


TRADES: dict[str, Callable[[Chance], list[Block]]] = {
    make.__name__: make
    for make in (
        statement, invoice, price_list, timetable, lab_report, raci, catalogue,
        tax_form, paper, contract, handout, ledger, directory, works, study, annual, register, stock,
    )
}  # fmt: skip
WRITERS = ("reportlab", "fpdf2", "chromium", "libreoffice")


def document(trade: str, seed: int) -> dict[str, Any]:
    """Returns a document of a trade; seeds of both halves go round the writers."""
    chance = Chance(f"{trade} {seed}")
    blocks = TRADES[trade](chance)
    writer = WRITERS[seed // 2 % len(WRITERS)]
    large = trade == "handout"
    return {
        "name": f"{trade}-{seed:02}-{writer}",
        "writer": writer,
        "columns": 2 if trade == "paper" and writer in ("reportlab", "chromium") else 1,
        "size": chance.choice((13, 15)) if large else chance.choice((9, 10, 11)),
        "serif": chance.random() < 0.5,
        "justified": chance.random() < 0.4,
        "indented": chance.random() < 0.3,
        "blocks": blocks,
    }
