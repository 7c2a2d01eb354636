"""Writes the table of docs/fleet.md from benchmarks/fleet.json; `--check` compares them."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "fleet.md"


def table() -> str:
    """Returns the rows of the last run."""
    run = json.loads((HERE / "fleet.json").read_text())
    growth = ", ".join(f"{100 * each:.1f} %" for each in run["memory_growth"])
    rows = {
        "length, replicas, clients": f"{run['seconds'] / 60:g} min, {run['replicas']}, {run['clients']}",
        "calls answered": f"{run['calls']:,}",
        "errors": run["errors"],
        "bodies cut": run["cut_bodies"],
        "calls lost with the killed replica": run["lost_with_the_killed_replica"],
        "differing answers": run["differing_answers"],
        "growth of memory over the second half, each replica": growth,
        "median and 99th percentile of a call": f"{run['median_ms']:.0f} ms, {run['p99_ms']:.0f} ms",
        "answers that the record lacks": run["answers_missing_in_record"],
        "records whose answer nobody saw": run["records_without_seen_answer"],
    }
    lines = ["| what | seen |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())]
    return "\n".join(lines)


def main() -> int:
    """Writes the page, or says whether it is up to date."""
    old = PAGE.read_text()
    new = re.sub(
        "(<!-- fleet -->\n).*?(<!-- /fleet -->)", lambda found: f"{found[1]}{table()}\n{found[2]}", old, flags=re.S
    )
    if sys.argv[1:] == ["--check"]:
        if new != old:
            print("docs/fleet.md is not what benchmarks/fleet.json says: python benchmarks/fleet_page.py")
        return int(new != old)
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
