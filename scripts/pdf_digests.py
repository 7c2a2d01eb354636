"""Records a digest of the Markdown of every page of the real PDFs, so that a test notices when one changes.

usage: python scripts/pdf_digests.py [--check]      --check names the pages that differ and writes nothing

The documents are those below READWELL_CORPUS. Refresh the file on purpose: look at the pages that changed first.
"""

import hashlib
import json
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from readwell.documents.pdf import PDF
from readwell.errors import ReadError
from real_documents import real_corpus

KEPT = Path(__file__).parent.parent / "tests" / "documents" / "pdf" / "real_pages.json"
ENGINE = f"pypdfium2 {version('pypdfium2')}"


def digests(folder: Path) -> dict[str, list[str]]:
    """Returns a digest of each page by document; of those that cannot be read, their error."""
    return {str(path.relative_to(folder)): _pages(path.read_bytes()) for path in sorted(folder.rglob("*.pdf"))}


def _pages(content: bytes) -> list[str]:
    try:
        document = PDF.open(content, None, b"")
    except ReadError as error:
        return [repr(error)]
    pages = [document.markdown(number) for number in range(1, document.count + 1)]
    return [hashlib.sha256(page.encode()).hexdigest()[:12] for page in pages]


def changes(kept: dict[str, list[str]], found: dict[str, list[str]]) -> list[str]:
    """Returns the pages whose digests differ; a document that is missing on one side counts as one."""
    both = kept.keys() & found.keys()
    others = [f"{name}: {'not there' if name in kept else 'new'}" for name in kept.keys() ^ found.keys()]
    numbered = [
        f"{name}, page {number}"
        for name in both
        for number in range(1, max(len(kept[name]), len(found[name])) + 1)
        if kept[name][number - 1 : number] != found[name][number - 1 : number]
    ]
    return sorted(others + numbered)


def main() -> None:
    folder = real_corpus()
    if not folder.is_dir():
        sys.exit(f"no real documents: set READWELL_CORPUS ({folder} is not there)")
    kept = json.loads(KEPT.read_text())["pages"] if KEPT.exists() else {}
    found = digests(folder)
    changed = changes(kept, found)
    print(*changed, f"{len(changed)} differ", sep="\n")
    if "--check" in sys.argv[1:]:
        sys.exit(bool(changed))
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(pages)}" for name, pages in found.items())
    KEPT.write_text(f'{{"engine": {json.dumps(ENGINE)}, "pages": {{\n{rows}\n}}}}\n')


if __name__ == "__main__":
    main()
