"""Draws the figures of documents.json, and pages beside their Markdown, in an environment that has matplotlib.

`python benchmarks/document_plots.py` draws those of the last run.
"""

import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "pictures"
COLUMNS = 72
"""Characters of Markdown that a picture has room for."""
COLOURS = {"readwell": "black"}
OTHERS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple")
PDF_SCORES = (
    ("kept_mean", "characters kept"),
    ("tables_micro", "tables, F1"),
    ("tables_macro", "tables, mean F1"),
    ("headings", "headings, F"),
)


def draw_in_own_environment(results: Path, pictures: Path, folder: Path) -> None:
    """Draws in an environment of its own, or says why there are no pictures."""
    from console import warn
    from example_pages import write_pages
    from peers import DRAWING, Skipped, installed_environment

    try:
        environment = installed_environment(DRAWING)
    except Skipped as why:
        warn(f"NO PICTURES: {why}")
        return
    write_pages(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    python = str(environment / "bin" / "python")
    subprocess.run([python, __file__, str(results), str(pictures), str(folder)], check=True)


def draw(results: Path, pictures: Path, pages: Path) -> None:
    import matplotlib as mpl  # pyright: ignore[reportMissingImports]

    mpl.use("Agg")
    figures = json.loads(results.read_text())
    _draw_quality(figures, pictures / "documents-quality.png")
    _draw_speed(figures, pictures / "documents-speed.png")
    for page in sorted(pages.glob("page-*.pdf")):
        _draw_page(page, pictures / f"{page.stem}.png")


def _draw_quality(figures: dict[str, Any], picture: Path) -> None:
    """PDF scores at the top, those of the other formats below: a group of bars for each, a bar for each converter."""
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    figure, (above, beneath) = pyplot.subplots(2, 1, figsize=(9, 7), layout="constrained")
    known = [(name, label) for name, label in PDF_SCORES if figures["pdfs"][0][name] is not None]
    pdfs = {row["who"]: [row[name] for name, _ in known] for row in figures["pdfs"]}
    colours = _colours([*pdfs, *(row["who"] for row in figures["office"])])
    _draw_bars(above, [label for _, label in known], pdfs, colours)
    above.set_title("PDF", loc="left")
    origin = "real" if any(row["origin"] == "real" for row in figures["office"]) else "made"
    groups = [(kind, what) for kind in ("docx", "pptx", "xlsx", "epub") for what in ("text", "headings", "cells")]
    scores = {(row["kind"], row["who"]): row["score"] for row in figures["office"] if row["origin"] == origin}
    shown = [(kind, what) for kind, what in groups if scores.get((kind, "readwell"), {}).get(what) is not None]
    office = {
        who: [scores.get((kind, who), {}).get(what) for kind, what in shown]
        for who in dict.fromkeys(who for _, who in scores)
    }
    _draw_bars(beneath, [f"{kind}\n{what}" for kind, what in shown], office, colours)
    beneath.set_title("other formats", loc="left")
    figure.savefig(picture, dpi=100)
    pyplot.close(figure)
    print(f"drawn: {picture.name}")


def _colours(names: list[str]) -> dict[str, str]:
    others = iter(OTHERS)
    return {who: COLOURS.get(who) or next(others) for who in dict.fromkeys(names)}


def _draw_bars(axes: Any, labels: list[str], bars: dict[str, list[float | None]], colours: dict[str, str]) -> None:
    width = 0.8 / len(bars)
    for number, (who, values) in enumerate(bars.items()):
        known = [(at + number * width, value) for at, value in enumerate(values) if value is not None]
        axes.bar(*zip(*known, strict=True), width=width, label=who, color=colours[who])
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(labels))], labels, fontsize="small")
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))


def _draw_speed(figures: dict[str, Any], picture: Path) -> None:
    """Pages per processor second, and the time of others as a multiple of ours for the other formats."""
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    sample = [row for row in figures["speeds"] if row["what"] == "sample"]
    colours = _colours([*(row["who"] for row in sample), *(row["who"] for row in figures["office"])])
    for row in sample:
        left.barh(row["who"], row["pages"] / row["seconds"], color=colours[row["who"]])
    left.set(xscale="log", xlabel="PDF: pages per processor second")
    ratios = {(row["kind"], row["who"]): row["time_of_ours"]["value"] for row in figures["office"]}
    for (kind, who), value in ratios.items():
        if who != "readwell":
            right.barh(f"{kind}, {who}", value, color=colours[who])
    right.axvline(1, color="black", linewidth=2)
    right.set(xscale="log", xlabel="other formats: processor time, readwell = 1")
    for axes in (left, right):
        axes.invert_yaxis()
        axes.grid(axis="x", alpha=0.3)
    figure.savefig(picture, dpi=100)
    pyplot.close(figure)
    print(f"drawn: {picture.name}")


def _draw_page(page: Path, picture: Path) -> None:
    """Draws a page as it is printed, and the lines of its Markdown beside it."""
    import pypdfium2
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    printed = pypdfium2.PdfDocument(page)[0].render(scale=1.5).to_numpy()
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained", width_ratios=(1, 1.05))
    left.imshow(printed[..., ::-1])
    lines = page.with_suffix(".md").read_text().rstrip("\n").split("\n")
    numbered = "\n".join(f"{number:>2}  {_wrapped(line)}" for number, line in enumerate(lines, 1))
    right.text(0.0, 1.0, numbered.replace("$", r"\$"), family="monospace", fontsize=7.5, va="top", linespacing=1.35)
    for axes, title in ((left, "the page"), (right, "its Markdown")):
        axes.set_title(title, loc="left", fontsize="small", color="gray")
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set_color("lightgray")
    right.axis("off")
    figure.savefig(picture, dpi=90)
    pyplot.close(figure)
    print(f"drawn: {picture.name}")


def _wrapped(line: str) -> str:
    """Returns a line as an editor would show it, broken where the picture ends."""
    return "\n    ".join(textwrap.wrap(line, COLUMNS, subsequent_indent="    ")) if len(line) > COLUMNS else line


def main() -> None:
    if len(sys.argv) > 1:
        draw(*map(Path, sys.argv[1:]))
        return
    with tempfile.TemporaryDirectory() as folder:
        draw_in_own_environment(HERE / "documents.json", PICTURES, Path(folder))


if __name__ == "__main__":
    main()
