"""Writes llms.txt and AGENTS.md from the guide and the Makefile, or checks with --check that they are up to date."""

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent
DOCS = PROJECT / "docs"
HOME = "https://github.com/readwell/readwell/blob/main/docs"


def main() -> int:
    pages = {"llms.txt": llms(), "AGENTS.md": agents()}
    stale = [name for name, text in pages.items() if not is_fresh(PROJECT / name, text)]
    if "--check" in sys.argv and stale:
        print(f"{' and '.join(stale)} must be made anew: run `make format`")
        return 1
    for name in stale:
        (PROJECT / name).write_text(pages[name])
    return 0


def is_fresh(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


def llms() -> str:
    """Returns the index of the guide for language models: what it is, and each page with a line about it."""
    index = (DOCS / "index.md").read_text()
    about = paragraph(index, "# readwell guide\n\n")
    rows = re.findall(r"^\| \[([\w-]+)\.md\]\([\w-]+\.md\) \| (.+) \|$", index, re.M)
    pages = "\n".join(f"- [{name}]({HOME}/{name}.md): {plain(line)}" for name, line in rows)
    return f"# readwell\n\n> {about}\n\n## Guide\n\n{pages}\n"


def agents() -> str:
    """Returns what a coding agent needs to work on this repository."""
    makefile = (PROJECT / "Makefile").read_text()
    targets = re.findall(r"^([a-z-]+):.*## (.+)$", makefile, re.M)
    rules = (PROJECT / "CONTRIBUTING.md").read_text().partition("\n## ")[0]
    rules = "\n".join(line for line in rules.splitlines()[1:] if not line.startswith("    make ")).strip()
    commands = "\n".join(f"| `make {name}` | {line} |" for name, line in targets)
    return (
        "# Working on readwell\n\nMade from CONTRIBUTING.md and the Makefile by `make format`. "
        "Read ARCHITECTURE.md before you change anything.\n\n"
        f"| command | does |\n|---|---|\n{commands}\n\n{rules}\n"
    )


def paragraph(text: str, heading: str) -> str:
    return " ".join(text.partition(heading)[2].partition("\n\n")[0].split())


def plain(markdown: str) -> str:
    return re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", markdown)


if __name__ == "__main__":
    sys.exit(main())
