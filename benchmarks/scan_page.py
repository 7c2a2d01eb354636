"""Writes the figures of scans.json into docs/images.md; --check compares them."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "images.md"
RESULTS = HERE / "scans.json"
PART = re.compile(r"(<!-- scans -->\n).*?(<!-- /scans -->)", re.S)
HEAD = "| scan | set | pages | words found | in order | cells | processor time a page, median (longest) |"


def main() -> int:
    page = PAGE.read_text()
    written = PART.sub(lambda found: f"{found[1]}\n{_table(json.loads(RESULTS.read_text()))}\n\n{found[2]}", page)
    if "--check" not in sys.argv:
        PAGE.write_text(written)
    elif written != page:
        print(f"docs/{PAGE.name} shows other figures than the JSON file: run `python benchmarks/scan_page.py`")
        return 1
    return 0


def _table(results: dict) -> str:
    lines = [HEAD, "|---|---|---|---|---|---|---|", *map(_row, results["scans"])]
    for how, share in (results["chinese"] or {}).items():
        lines.append(f"| 200 dpi, {how}, Chinese (characters) | made | 4 | | {_share(share)} | | |")
    return "\n".join(lines)


def _row(row: dict) -> str:
    ordered = f"{_share(row['in_order'])} ({row['ordered_pages']} pages)"
    cells = f"{_share(row['cells'])} ({row['table_pages']} pages)"
    name = f"{row['dots_per_inch']} dpi, {'degraded' if row['degraded'] else 'clean'}"
    time = f"{row['seconds']} s ({row['slowest']} s)"
    pages = "by lot" if row["drawn_by_lot"] else "tuned by"
    return f"| {name} | {pages} | {row['pages']} | {_share(row['found'])} | {ordered} | {cells} | {time} |"


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    sys.exit(main())
