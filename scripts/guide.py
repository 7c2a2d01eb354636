"""Builds the guide into a folder and checks it: no warnings, no broken links, nothing loaded from other hosts.

Runs in an environment with the packages of `requirements-docs.lock`: `make docs`.
"""

import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PROJECT = Path(__file__).parents[1]
FETCHED = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src"}
OWN_TEXT = re.compile(r"url\(\s*[\"']?(?:https?:)?//|@import\s+[\"'](?:https?:)?//")


class Page(HTMLParser):
    """A built page: what it links to, what it loads, and its anchors."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors.update(named[name] for name in ("id", "name") if name in named)
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        if named.get(FETCHED.get(tag, "")):
            self.loads.append(named[FETCHED[tag]])


def main(folder: Path) -> int:
    from sphinx.cmd.build import main as sphinx  # pyright: ignore[reportMissingImports]

    if (folder / "objects.inv").exists():
        shutil.rmtree(folder)  # pages of an earlier build may be gone
    words = ["-q", "-W", "--keep-going", "-E", "-j", "auto", "-c", PROJECT / "docs" / "_guide"]
    if sphinx([*map(str, words), str(PROJECT), str(folder), "-d", f"{folder}.doctrees"]):
        return 1
    faults = find_faults({file.resolve(): Page(file) for file in folder.rglob("*.html")}, folder.resolve())
    print("\n".join(faults) or f"{folder / 'index.html'}: built, every link leads somewhere")
    return 1 if faults else 0


def find_faults(pages: dict[Path, Page], folder: Path) -> list[str]:
    """Returns the broken links and foreign resources of the pages."""
    faults = [
        f"{file.relative_to(folder)}: {target}"
        for file, page in pages.items()
        for target in {*page.links, *page.loads}
        if is_broken(target, file, pages, is_link=target in page.links)
    ]
    sheets = [file for file in folder.rglob("*.css") if OWN_TEXT.search(file.read_text(encoding="utf-8"))]
    return sorted(faults) + [f"{sheet.relative_to(folder)}: loads from elsewhere" for sheet in sheets]


def is_broken(target: str, file: Path, pages: dict[Path, Page], is_link: bool) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return (
            parts.scheme != "data" and not is_link
        )  # a link may lead to another host, a picture may not come from there
    found = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not found.is_file():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor) and found in pages and anchor not in pages[found].anchors


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
