"""Writes the figures of searching.json and questions.json into docs/search-performance.md; --check compares them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "search-performance.md"
SPEED, QUESTIONS = HERE / "searching.json", HERE / "questions.json"
MAX_CALLS, MAX_TOKENS = 2, 1500
PART = re.compile(r"(<!-- (speed|questions) -->\n).*?(<!-- /\2 -->)", re.S)


def main() -> int:
    page = PAGE.read_text()
    written = PART.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", page)
    if "--check" not in sys.argv:
        PAGE.write_text(written)
    elif written != page:
        print(f"docs/{PAGE.name} shows other figures than the JSON files: run `python benchmarks/search_page.py`")
        return 1
    return 0


def speed_table() -> str:
    """Returns processor time as multiples of `rg -j1`."""
    results = json.loads(SPEED.read_text())
    ways = [way for way in results["rows"][0]["ratios"] if way != "rg -j1"]
    memory, outline = results["memory"], results["outline"]
    places = {"log": f"log of {results['megabytes']} MB", "tree": f"tree of {results['files']:,} files"}
    lines = [f"| | target | {' | '.join(ways)} |", "|---" * (len(ways) + 2) + "|"]
    for row in results["rows"]:
        cells = ["–" if row["ratios"][way] is None else f"{row['ratios'][way]:.1f}" for way in ways]
        lines.append(f"| {places[row['place']]}, `{row['case']}` | {TARGETS[row['place']]} | {' | '.join(cells)} |")
    others = {
        "documents searched again, as a multiple of their text as files": (f"{results['documents']:.1f}", "5"),
        "a search that finds nothing in one small file, as a multiple of the read": (f"{results['small']:.2f}", "1.5"),
        f"memory for the log of {results['megabytes']} MB": (f"{memory['log']:.1f} MB", "32 MB"),
        f"memory for one line of {results['megabytes']} MB": (f"{memory['line']:.1f} MB", "32 MB"),
        "outline of 5,000 lines of Python, never parsed before (wall)": (f"{outline['cold']:.0f} ms", "150 ms"),
        "the first one of a reader, which starts the sandbox (wall)": (f"{outline['first']:.0f} ms", "–"),
        "the same outline again (wall)": (f"{outline['warm']:.1f} ms", "5 ms"),
    }
    lines += ["", "| | readwell | target |", "|---|---|---|"]
    lines += [f"| {what} | {figure} | {target} |" for what, (figure, target) in others.items()]
    return "\n".join(lines)


def questions_table() -> str:
    """Returns which share of the questions each client answered, and what that took."""
    results = json.loads(QUESTIONS.read_text())
    wanted = f"answered in {MAX_CALLS} calls and {MAX_TOKENS:,} tokens"
    lines = [f"| client | questions | {wanted} | answered at all | calls | tokens |", "|---" * 6 + "|"]
    for client, rows in results["results"].items():
        halves = dict.fromkeys(row["half"] for row in rows)
        lines += [_client_row(client, half, [row for row in rows if row["half"] == half]) for half in halves]
    return "\n".join(lines)


def is_met(row: dict[str, Any]) -> bool:
    """Whether a question was answered within the limits."""
    return row["answered"] and row["calls"] <= MAX_CALLS and row["tokens"] <= MAX_TOKENS


def _client_row(client: str, half: str, rows: list[dict[str, Any]]) -> str:
    met, at_all = (round(100 * sum(map(test, rows)) / len(rows)) for test in (is_met, lambda row: row["answered"]))
    calls, tokens = (sorted(row[what] for row in rows)[len(rows) // 2] for what in ("calls", "tokens"))
    return f"| {client} | {len(rows)}, {half} | {met} % | {at_all} % | {calls} | {tokens:,} |"


TARGETS = {"log": 2, "tree": 3}
"""At most so many times `rg -j1`."""
TABLES = {"speed": speed_table, "questions": questions_table}

if __name__ == "__main__":
    sys.exit(main())
