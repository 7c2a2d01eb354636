"""Measures the estimate of tokens on texts that it was not fitted to: how near it is, and whether replies keep budgets.

    uv run --extra tokens scripts/token_rate.py FOLDER [SEEN]

Both are folders of unpacked packages. No line of FOLDER's texts that also stands in the texts of SEEN, which
scripts/token_prices.py was given, is taken.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

from token_texts import Kind, kinds

from readwell import Reader
from readwell.tokens import count_tokens, estimate_tokens, o200k_counter

COUNT = o200k_counter()
LENGTH, LEAST, PARTS = 20_000, 2500, 3
BUDGETS = (256, 1000, 4000)


def samples(folder: Path, seen: set[str]) -> Iterator[Kind]:
    """Yields a few texts of each kind."""
    for kind in kinds(folder, 2026, PARTS * LENGTH):
        new = [line for line in kind.text.split("\n") if len(line) < 12 or line not in seen]
        text = "\n".join(new)
        for start in range(0, len(text), LENGTH):
            if len(text) - start >= LEAST:
                yield Kind(kind.name, text[start : start + LENGTH])


def show(name: str, values: list[tuple[float, str]]) -> None:
    """Prints the least, a tenth, the median, nine tenths and the most, and where the least and the most come from."""
    values = sorted(values)
    tenths = quantiles([value for value, _ in values], n=10)
    figures = ", ".join(f"{value:.3f}" for value in (values[0][0], tenths[0], tenths[4], tenths[8], values[-1][0]))
    print(f"{name}, {len(values)} of {len({kind for _, kind in values})} kinds: {figures}")
    for part in (values[:8], values[-8:]):
        print("   ", ", ".join(f"{kind} {value:.2f}" for value, kind in part))


def used(texts: list[Kind], counter) -> Iterator[tuple[float, str, str]]:
    """Yields what part of its budget each reply takes, why it ended, and the kind of its text."""
    with tempfile.TemporaryDirectory() as folder, Reader(folder, count_tokens=counter, cache_dir=None) as reader:
        for number, kind in enumerate(texts):
            Path(folder, f"{number}.txt").write_text(kind.text, encoding="utf-8", newline="")
            for budget in BUDGETS:
                reply = reader.reply({"path": f"{number}.txt", "max_tokens": budget})
                yield COUNT(reply.text) / budget, str(reply.data.get("reason")), kind.name


def main(folder: str, *seen: str) -> None:
    """Prints both measurements."""
    told = {line for each in seen for kind in kinds(Path(each), 1, 90_000) for line in kind.text.split("\n")}
    texts = list(samples(Path(folder), told))
    show("exact by estimated", [(COUNT(kind.text) / estimate_tokens(kind.text), kind.name) for kind in texts])
    for name, counter, most, least in (
        ("estimate", estimate_tokens, 1.10, 0.70),
        ("counter", count_tokens, 1.02, 0.85),
    ):
        replies = list(used(texts, counter))
        show(f"{name}, replies by budget", [(part, kind) for part, why, kind in replies if why == "tokens"])
        over = sum(part > most for part, _, _ in replies)
        under = sum(part < least for part, why, _ in replies if why == "tokens")
        print(f"    of {len(replies)} above {most:.2f}: {over}; of those with more to show below {least:.2f}: {under}")


if __name__ == "__main__":
    main(*sys.argv[1:])
