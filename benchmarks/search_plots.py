"""Draws the plots of searching.json and questions.json, in an environment that has matplotlib."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "pictures"


def draw_in_own_environment() -> None:
    """Draws in an environment of its own, or says why there are no pictures."""
    from console import warn
    from peers import DRAWING, Skipped, installed_environment

    try:
        environment = installed_environment(DRAWING)
    except Skipped as why:
        warn(f"NO PICTURES: {why}")
        return
    subprocess.run([str(environment / "bin" / "python"), __file__, "--here"], check=True)


def draw() -> None:
    import matplotlib as mpl  # pyright: ignore[reportMissingImports]

    mpl.use("Agg")
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    _speed(pyplot, json.loads((HERE / "searching.json").read_text())["rows"])
    _questions(pyplot, json.loads((HERE / "questions.json").read_text())["results"])


def _speed(pyplot: Any, rows: list[dict[str, Any]]) -> None:
    """Draws a group of bars for each search."""
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    ways = list(rows[0]["ratios"])
    width = 0.8 / len(ways)
    for number, way in enumerate(ways):
        heights = [row["ratios"][way] or 0 for row in rows]
        places = [at + number * width for at in range(len(rows))]
        axes.bar(places, heights, width, label=way, color="black" if way == "readwell" else None)
    labels = [f"{row['place']}\n{row['case']}" for row in rows]
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(rows))], labels)
    axes.set(yscale="log", ylabel="processor time, multiples of rg -j1")
    axes.grid(alpha=0.3, axis="y")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    _save(pyplot, figure, "search_speed.png")


def _questions(pyplot: Any, results: dict[str, list[dict[str, Any]]]) -> None:
    """Draws which share of all questions is answered with so many tokens."""
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for client, rows in results.items():
        tokens = sorted(row["tokens"] for row in rows if row["answered"])
        shares = [100 * (number + 1) / len(rows) for number in range(len(tokens))]
        style = {"color": "black", "linewidth": 2.5} if client.startswith("search") else {"linewidth": 1.2}
        axes.step(tokens, shares, where="post", label=client, **style)
    axes.axvline(1500, color="grey", linestyle=":")
    axes.axhline(95, color="grey", linestyle=":")
    axes.set(xscale="log", xlabel="tokens of all calls and replies", ylabel="questions answered, %", ylim=(0, 101))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    _save(pyplot, figure, "search_questions.png")


def _save(pyplot: Any, figure: Any, name: str) -> None:
    figure.savefig(PICTURES / name, dpi=120)
    pyplot.close(figure)
    print(f"drawn: {name}")


if __name__ == "__main__":
    draw() if sys.argv[1:] else draw_in_own_environment()
