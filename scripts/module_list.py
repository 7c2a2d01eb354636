"""Writes the list of modules into ARCHITECTURE.md, each with its task, or checks with --check that it is up to date."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "readwell"
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- modules: written by scripts/module_list.py -->\n", "<!-- end of modules -->\n"


def main() -> None:
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    wanted = f"{before}{BEGIN}\n{module_list()}\n{END}{after}"
    if wanted == page:
        return
    if "--check" in sys.argv:
        sys.exit("the list of modules in ARCHITECTURE.md is not that of src/: make format")
    PAGE.write_text(wanted)


def module_list() -> str:
    """Returns a line for each module: its path and its task. A package is listed before its modules."""
    paths = sorted(PACKAGE.rglob("*.py"), key=lambda path: path.with_suffix("").parts)
    return "".join(
        f"* `{name_of(path)}` — {task_of(path)}\n" for path in paths if path.parent != PACKAGE or named(path)
    )


def named(path: Path) -> bool:
    return not path.stem.startswith("__")


def name_of(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.with_suffix("").as_posix() if named(path) else f"{inside.parent.as_posix()}/"


def task_of(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]


if __name__ == "__main__":
    main()
