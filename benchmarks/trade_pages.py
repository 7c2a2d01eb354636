"""The pages that docs/pdf-pages.md shows beside their Markdown: chosen before the rules were worked on, good or bad."""

PAGES = (
    ("statement", 1),
    ("invoice", 3),
    ("price_list", 5),
    ("timetable", 7),
    ("lab_report", 9),
    ("raci", 11),
    ("catalogue", 13),
    ("tax_form", 15),
    ("paper", 1),
    ("contract", 3),
    ("study", 5),
    ("annual", 7),
)
"""Trades and seeds: one of each, round the writers, all from the half that is only measured."""
