"""Writes the figures of results.json into docs/performance.md, or checks with --check that they are up to date."""

import json
import re
import sys
from typing import Any

from data import in_units
from figures import PEER_ROW
from plots import HERE, RESULTS

PAGE = HERE.parent / "docs" / "performance.md"
PART = re.compile(r"(<!-- measured -->\n).*?(<!-- /measured -->)", re.S)
COLD, WARM, LAZY = "readwell-cold", "readwell-warm", "readwell-lazy"
SHOWN_FIRST = ("middle", "last", "first")
"""The order in which the windows of a peer are preferred; some cannot read all."""


def main() -> int:
    if "--check" not in sys.argv:
        write_page()
    elif with_figures(PAGE.read_text(), json.loads(RESULTS.read_text())) != PAGE.read_text():
        print("docs/performance.md shows other figures than results.json: run `python benchmarks/performance_page.py`")
        return 1
    return 0


def write_page() -> None:
    PAGE.write_text(with_figures(PAGE.read_text(), json.loads(RESULTS.read_text())))


def with_figures(page: str, results: dict[str, Any]) -> str:
    """Returns the page with the figures of a run in place of the ones it has."""
    parts = (_about_run(results), _ratios(results), _about_peers(results), _peer_table(results))
    return PART.sub(lambda found: found[1] + "\n" + "\n\n".join(parts) + "\n\n" + found[2], page)


def _about_run(results: dict[str, Any]) -> str:
    settings, noise = results["settings"], results["noise"]
    versions = f"{settings['system']}, Python {settings['Python']}, stringzilla {settings['stringzilla']}"
    return (
        f"One run on {settings['CPUs']} cores of a shared virtual machine ({versions}); `{noise['what']}`\n"
        f"read a log of {settings['log']} in {noise['ms']:.0f} ms, its quartiles {100 * noise['spread']:.0f} % apart.\n"
        "Ratios of medians with 95 % intervals; [results.json](../benchmarks/results.json) has them all."
    )


def _ratios(results: dict[str, Any]) -> str:
    rows = [
        f"| {row['what']} | {_formatted(row['ratio'])} | the {row['unit']} of {row['against']} |"
        for row in results["rows"]
        if row["number"] != PEER_ROW
    ]
    peaks = [
        f"| peak memory, {peak['what']} | {in_units(peak['extra'])} | above the import |" for peak in results["peaks"]
    ]
    return "\n".join(["| work | ratio | of |", "|---|---|---|", *rows, *peaks])


def _about_peers(results: dict[str, Any]) -> str:
    numbered = results["settings"]["numbered log"]
    skipped = "".join(f" {name} was left out: {why}." for name, why in results["skipped"].items())
    return f"A log of {numbered}, 200 lines from its middle, time as a multiple of ours:{skipped}"


def _peer_table(results: dict[str, Any]) -> str:
    participants = [each for each in results["readers"] if each["name"] not in (COLD, WARM)]
    lines = [_beside(each, results) for each in participants]
    return "\n".join(["| instead | first read | later reads | its memory |", "|---|---|---|---|", *lines])


def _beside(participant: dict[str, Any], results: dict[str, Any]) -> str:
    rows = {(row["what"], row["against"]): row["ratio"] for row in results["rows"] if row["number"] == PEER_ROW}
    name = participant["name"]
    window = next((at for at in SHOWN_FIRST if (f"{name}, {at}", COLD) in rows), None)
    if window is None:
        return f"| {_named(participant)} | – | – | – |"
    times = " | ".join(_formatted(rows[f"{name}, {window}", state]) for state in (COLD, WARM))
    where = "" if window == "middle" else f", {window} 200 lines"
    return f"| {_named(participant)}{where} | {times} | {_memory_of(name, results)} |"


def _named(participant: dict[str, Any]) -> str:
    """Returns the name, and the version if it is that of a package."""
    packaged = participant["version"][0].isdigit() and participant["name"] != LAZY
    return f"{participant['name']} {participant['version']}" if packaged else f"`{participant['name']}`"


def _memory_of(name: str, results: dict[str, Any]) -> str:
    peaks = [point["extra"] for point in results["last_window_by_file_size"] if point["who"] == name]
    return in_units(max(peaks, default=0))


def _formatted(ratio: dict[str, Any]) -> str:
    value, low, high = (_short(ratio[name]) for name in ("value", "low", "high"))
    return f"{value} ({low}–{high})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


if __name__ == "__main__":
    sys.exit(main())
