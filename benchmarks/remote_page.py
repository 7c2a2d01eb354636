"""Writes the figures of remote.json into docs/remote-performance.md; --check compares them."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "remote-performance.md"
RESULTS = HERE / "remote.json"
PART = re.compile(r"(<!-- (requests|total) -->\n).*?(<!-- /\2 -->)", re.S)


def main() -> int:
    page = PAGE.read_text()
    results = json.loads(RESULTS.read_text())
    parts = {"requests": _requests(results), "total": _total(results)}
    written = PART.sub(lambda found: f"{found[1]}\n{parts[found[2]]}\n\n{found[3]}", page)
    if "--check" not in sys.argv:
        PAGE.write_text(written)
    elif written != page:
        print(f"docs/{PAGE.name} shows other figures than the JSON file: run `python benchmarks/remote_page.py`")
        return 1
    return 0


def _requests(results: dict) -> str:
    lines = [f"| of an object of {results['megabytes']:,} MiB | requests | bytes |", "|---|---|---|"]
    lines += [f"| {row['what']} | {row['requests']} | {row['bytes']:,} |" for row in results["requests"]]
    return "\n".join(lines)


def _total(results: dict) -> str:
    total, listing = results["total"], results["listing"]
    return "\n".join(
        [
            "| what | takes |",
            "|---|---|",
            f"| exact total of {results['megabytes']:,} MiB, against downloading and counting: wall time |"
            f" {total['wall']:.2f} × |",
            f"| the same: processor time | {total['processor']:.2f} × |",
            f"| {listing['keys']:,} keys: processor time | {listing['processor_s']:.1f} s |",
            f"| {listing['keys']:,} keys: memory | {listing['bytes'] / 1e6:.0f} MB |",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
