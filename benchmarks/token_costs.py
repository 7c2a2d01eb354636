"""Counts the tokens of a window of 200 lines: in each dialect, and with line numbers as other tools write them."""

import statistics
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from every_dialect import PARAMS
from readwell.dialects import NAMES, dialect_named
from readwell.tokens import o200k_counter
from readwell.tool import Tool

LIBRARY = Path(sysconfig.get_path("stdlib")).resolve()
FILES = ("argparse.py", "inspect.py", "subprocess.py", "tarfile.py", "typing.py")
LINES = 200

GUTTERS: dict[str, Callable[[int, str], str]] = {
    "lines alone (MCP filesystem server)": lambda _number, line: line,
    "`N: line`": lambda number, line: f"{number}: {line}",
    "`%4d \\| line`": lambda number, line: f"{number:4d} | {line}",
    "`cat -n`, `%6d` and a tab": lambda number, line: f"{number:6d}\t{line}",
    "`%5d→line`": lambda number, line: f"{number:5d}→{line}",
}


def token_table() -> str:
    """Returns the table: exact o200k tokens of one window of each file, and beside the lines alone."""
    count = o200k_counter()
    rows = {f"reply of `{name}`": [count(_reply(name, file)) for file in FILES] for name in NAMES}
    rows |= {name: [count(_numbered(gutter, file)) for file in FILES] for name, gutter in GUTTERS.items()}
    floor = rows["lines alone (MCP filesystem server)"]
    lines = [f"| {LINES} lines of | {' | '.join(FILES)} | beside the lines alone |", "|---" * (len(FILES) + 2) + "|"]
    for name, costs in sorted(rows.items(), key=lambda row: sum(row[1])):
        beside = statistics.median(cost / least for cost, least in zip(costs, floor, strict=True))
        lines.append(f"| {name} | {' | '.join(map(str, costs))} | {beside:.2f} x |")
    return "\n".join(lines)


def _reply(name: str, file: str) -> str:
    path, _, count = PARAMS[name]
    tool = Tool(dialect_named(name), [str(LIBRARY)], cache_dir=None)
    return tool.reply({path: file, count: LINES}).text


def _numbered(gutter: Callable[[int, str], str], file: str) -> str:
    lines = (LIBRARY / file).read_text().splitlines()[:LINES]
    return "\n".join(gutter(number, line) for number, line in enumerate(lines, 1))
