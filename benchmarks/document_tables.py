"""Writes the tables of docs/documents.md from documents.json, or checks with --check that they are those of the run."""

import json
import re
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parent.parent
PAGE, RESULTS = PROJECT / "docs" / "documents.md", PROJECT / "benchmarks" / "documents.json"
GENERATED = re.compile(r"(<!-- measured -->\n).*(<!-- /measured -->)", re.S)
PDF_HEAD = "pages per processor second, {} pages"
Results = dict[str, Any]


def main() -> int:
    results = json.loads(RESULTS.read_text())
    if "--check" not in sys.argv:
        write(PAGE, results)
    elif renewed(PAGE.read_text(), results) != PAGE.read_text():
        print("docs/documents.md does not show the last run: python benchmarks/document_tables.py writes it")
        return 1
    return 0


def write(page: Path, results: Results) -> None:
    """Replaces the tables of the page by those of a run."""
    page.write_text(renewed(page.read_text(), results))


def renewed(text: str, results: Results) -> str:
    """Returns the page with the tables of a run."""
    parts = [_run(results["settings"]), _pdfs(results), _heads(results), _cage(results), _office(results)]
    return GENERATED.sub(lambda found: found[1] + "\n" + "\n\n".join(parts) + "\n\n" + found[2], text)


def _run(settings: Results) -> str:
    return (
        f"One run on {settings['CPUs']} processors of a shared machine (load {settings['load']}, Python "
        f"{settings['Python']}, {settings['rounds']} rounds);\n"
        "[documents.json](../benchmarks/documents.json) has it all."
    )


def _pdfs(results: Results) -> str:
    """Returns the table of PDFs, one column per converter."""
    rows = {row["who"]: row for row in results["pdfs"]}
    sample, thousand = (
        {row["who"]: row for row in results["speeds"] if row["what"] == what} for what in ("sample", "thousand")
    )
    head = [f"PDF: {results['settings']['real PDFs']} real ones", *_named(results, list(rows))]
    kept = [f"{_share(row['kept_mean'])} / {_share(row['kept_least'])}" for row in rows.values()]
    tables = [f"{_share(row['tables_micro'])} / {_share(row['tables_macro'])}" for row in rows.values()]
    few, many = (PDF_HEAD.format(results["settings"][what]) for what in ("sample pages", "pages"))
    return _table(
        head,
        ["characters kept, mean / least", *kept],
        ["tables, F1 of all / mean of documents", *tables],
        ["headings, F", *(_share(row["headings"]) for row in rows.values())],
        [few.replace(" pages", " mixed pages"), *(_speed(sample.get(who)) for who in rows)],
        ["its processor time, readwell = 1", *(_formatted(sample.get(who)) for who in rows)],
        [many, *(_speed(thousand.get(who)) for who in rows)],
        ["memory at its peak, the same", *(_peak(thousand.get(who)) for who in rows)],
    )


def _heads(results: Results) -> str:
    mean, least = results["heads_kept"]
    return (
        f"With running heads left in, readwell keeps {mean:.4f} of the characters on average and {least:.4f} at least: "
        "what is missing above are\nheads and feet that repeat."
    )


def _cage(results: Results) -> str:
    read, price = results["large"], results["overhead"]
    first, whole = read["first_cpu_s"], read["whole_cpu_s"]
    return _table(
        ["through the cage", ""],
        [
            f"first `native` window of {results['settings']['pages']} pages",
            f"{first:.2f} s of processor time, where the whole takes {whole:.1f} s: 1/{whole / first:.0f}",
        ],
        [
            "memory for these",
            f"{read['worker_peak'] / 1e6:.0f} MB in the worker, {read['caller_extra'] / 1e6:.1f} MB more in the caller",
        ],
        [
            "a small DOCX, warm, median",
            f"{price['caged_ms']:.1f} ms, {price['extra_ms']:.1f} ms more than in process; "
            f"{price['least_extra_ms']:.1f} ms in the calmest tenth of the calls",
        ],
    )


def _office(results: Results) -> str:
    """Returns the table of other real documents, one row per format and converter."""
    head = ["real documents", "files", "converter", "text", "headings", "cells", "processor time, readwell = 1"]
    rows = [row for row in results["office"] if row["origin"] == "real"]
    return _table(
        head,
        *(
            [
                row["kind"].upper(),
                str(row["files"]),
                *_named(results, [row["who"]]),
                *(_share(row["score"][what]) for what in ("text", "headings", "cells")),
                _formatted(row),
            ]
            for row in rows
        ),
    )


def _named(results: Results, names: list[str]) -> list[str]:
    """Returns converters with their versions; ours is the one of this page."""
    versions = {participant["name"]: participant["version"] for participant in results["participants"]}
    return [name if name == "readwell" else f"{name} {versions.get(name, '')}".strip() for name in names]


def _table(head: list[str], *rows: list[str]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]).replace("|  |", "| |")


def _share(value: float | None) -> str:
    if value is None:
        return "–"
    return "1" if value >= 0.9995 else f"{value:.3f}".removeprefix("0").replace(".000", "0")


def _speed(row: Results | None) -> str:
    return f"{row['pages'] / row['seconds']:.3g}" if row else "–"


def _peak(row: Results | None) -> str:
    return f"{row['peak'] / 1e6:.0f} MB" if row else "–"


def _formatted(row: Results | None) -> str:
    if not row:
        return "–"
    value, low, high = (row["time_of_ours"][what] for what in ("value", "low", "high"))
    if value == low == high:
        return f"{value:.2g}"
    return f"{value:.2g} ({low:.2g}–{high:.2g})"


if __name__ == "__main__":
    sys.exit(main())
