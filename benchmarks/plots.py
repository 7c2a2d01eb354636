"""Draws the curves of a run against file size, in an environment that has matplotlib.

`python benchmarks/plots.py` draws those of the last run.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "pictures"
RESULTS = HERE / "results.json"
CURVES = (
    ("ms", "latency.png", "milliseconds for the last 200 lines", 1.0, 0.01),
    ("extra", "memory.png", "peak memory above the start, MB (never drawn below 0.1)", 1e-6, 0.1),
)
OUR_LINES = ("-", "--", ":")


def draw_in_own_environment(results: Path = RESULTS, pictures: Path = PICTURES) -> None:
    """Draws in an environment of its own, or says why there are no pictures."""
    from console import warn
    from peers import DRAWING, Skipped, installed_environment

    try:
        environment = installed_environment(DRAWING)
    except Skipped as why:
        warn(f"NO PICTURES: {why}")
        return
    python = str(environment / "bin" / "python")
    subprocess.run([python, __file__, str(results), str(pictures)], check=True)


def draw(results: Path, pictures: Path) -> None:
    """Writes both pictures."""
    points = json.loads(results.read_text())["last_window_by_file_size"]
    pictures.mkdir(parents=True, exist_ok=True)
    for what, name, label, factor, least in CURVES:
        _draw_one(points, what, pictures / name, label, factor, least)
        print(f"drawn: {name}")


def _draw_one(points: list[dict[str, Any]], what: str, picture: Path, label: str, factor: float, least: float) -> None:
    import matplotlib as mpl  # pyright: ignore[reportMissingImports]

    mpl.use("Agg")
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    figure, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    styles = _styles([point["who"] for point in points])
    for who, style in styles.items():
        curve = [(point["size"], max(least, point[what] * factor)) for point in points if point["who"] == who]
        axes.plot(*zip(*curve, strict=True), marker="o", markersize=4, label=who, **style)
    axes.set(xscale="log", yscale="log", xlabel="bytes of the file", ylabel=label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


def _styles(names: list[str]) -> dict[str, dict[str, Any]]:
    """Returns thick black lines for readwell and a colour of its own for each peer."""
    ours = iter(OUR_LINES)
    styles: dict[str, dict[str, Any]] = {}
    for who in dict.fromkeys(names):
        if who.startswith("readwell"):
            styles[who] = {"color": "black", "linewidth": 2.5, "linestyle": next(ours)}
        else:
            styles[who] = {"linewidth": 1.2}
    return styles


if __name__ == "__main__":
    draw(*map(Path, sys.argv[1:])) if sys.argv[1:] else draw_in_own_environment()
