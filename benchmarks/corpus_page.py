"""Writes the figures of corpus.json into docs/corpus-sizing.md and draws its plot; --check compares the figures."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "corpus-sizing.md"
PLOT = HERE.parent / "docs" / "pictures" / "corpus-workers.png"
PART = re.compile(r"(<!-- (figures|model) -->\n).*?(<!-- /\2 -->)", re.S)
MILLIONS = 10
HOUR_S = 3600
KEPT = 0.85
"""What the model assumes of each doubling of the workers beyond those measured."""
MODELLED = (4, 8, 16, 32, 64)


def main() -> int:
    results = json.loads((HERE / "corpus.json").read_text())
    page = PAGE.read_text()
    parts = {"figures": _figures(results), "model": _model(results)}
    written = PART.sub(lambda found: f"{found[1]}\n{parts[found[2]]}\n\n{found[3]}", page)
    if "--check" in sys.argv:
        if written != page:
            print(f"docs/{PAGE.name} shows other figures than corpus.json: run `python benchmarks/corpus_page.py`")
        return int(written != page)
    PAGE.write_text(written)
    if "--here" in sys.argv:
        _draw(results)
    else:
        _draw_in_own_environment()
    return 0


def _figures(results: dict[str, Any]) -> str:
    documents, pages = results["documents"], results["pages"]
    names = {"single": "one process, one document after the other", "local 1": "`local`, 1 worker"}
    lines = ["| what converts | documents/s | pages/s | of `local`, 2 workers |", "|---|---|---|---|"]
    two = results["seconds"]["local 2"]
    for name, seconds in results["seconds"].items():
        label = names.get(name, f"`{name.split()[0]}`, {name.split()[-1]} workers")
        lines.append(f"| {label} | {documents / seconds:.1f} | {pages / seconds:.1f} | {two / seconds:.2f} |")
    told = (
        f"{documents:,} made documents ({pages:,} pages), {results['rounds']} round(s), {results['machine']}, "
        f"{surroundings(results.get('load', 0))}. A worker with the processes that parse for it "
        f"takes {results['worker_mb']} MB. A resumed run with 100,000 sources takes {results['resume_s']:.1f} s of "
        "processor time before it converts, the start of the program included."
    )
    return "\n".join([*lines, "", told])


def surroundings(load: float) -> str:
    """Says whether the machine had something else to do; two workers alone make a load of two to three."""
    return "nothing else running" if load < 4 else f"while other programs kept the load at {load}"


def rate(results: dict[str, Any], workers: int) -> float:
    """Returns the documents a second of a number of workers: measured up to two, then each doubling keeps 85 %."""
    measured = {1: results["seconds"]["local 1"], 2: results["seconds"]["local 2"]}
    if workers in measured:
        return results["documents"] / measured[workers]
    return rate(results, workers // 2) * 2 * KEPT


def _model(results: dict[str, Any]) -> str:
    lines = [f"| workers | documents/s | {MILLIONS} million documents | memory of the workers |", "|---|---|---|---|"]
    for workers in (1, 2, *MODELLED):
        each = rate(results, workers)
        hours = MILLIONS * 1e6 / each / HOUR_S
        note = "" if workers <= 2 else " (model)"
        memory = workers * (results["worker_mb"] or 0) / 1000
        lines.append(f"| {workers} | {each:.0f}{note} | {hours:.1f} hours{note} | {memory:.1f} GB |")
    return "\n".join(lines)


def _draw_in_own_environment() -> None:
    from console import warn
    from peers import DRAWING, Skipped, installed_environment

    try:
        environment = installed_environment(DRAWING)
    except Skipped as why:
        warn(f"NO PICTURE: {why}")
        return
    subprocess.run([str(environment / "bin" / "python"), __file__, "--here"], check=True)


def _draw(results: dict[str, Any]) -> None:
    import matplotlib as mpl  # pyright: ignore[reportMissingImports]

    mpl.use("Agg")
    from matplotlib import pyplot  # pyright: ignore[reportMissingImports]

    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    axes.plot([1, 2], [rate(results, each) for each in (1, 2)], "ko-", label="measured")
    beyond = [2, *MODELLED]
    axes.plot(beyond, [rate(results, each) for each in beyond], "k--", label="model: each doubling keeps 85 %")
    axes.set(xscale="log", yscale="log", xlabel="workers, one a core", ylabel="documents a second")
    axes.set_xticks([1, 2, *MODELLED], [str(each) for each in (1, 2, *MODELLED)])
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(PLOT, dpi=110)


if __name__ == "__main__":
    sys.exit(main())
