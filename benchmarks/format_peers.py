"""Compares old office formats, RTF, OpenDocument and messages with other converters, on real files.

usage: python benchmarks/format_peers.py [FOLDER...] [--peers A,B]

The office documents below READWELL_CORPUS are saved by LibreOffice as RTF, DOC, ODT, PPT, ODP, XLS and ODS; what
they hold is known from their own XML. RTF files in a FOLDER are compared with what LibreOffice reads from them.
Messages have no such measure: look at what `readwell convert` and the peers make of them.
"""

import argparse
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from console import progress, warn
from document_set import real_office
from office_truth import truth_of
from peers import Peer, Skipped, Worker, start
from scores import Score, Truth, score
from timing import JobDropped

from real_documents import real_corpus

OURS = Peer("readwell", is_ours=True)
PEERS = (
    Peer("kreuzberg", "kreuzberg", "pip"),
    Peer("markitdown", "markitdown[all]", "pip"),
    Peer("pandoc", "pypandoc_binary", "pip"),
)
SAVED_AS = {".docx": ("rtf", "doc", "odt"), ".pptx": ("ppt", "odp"), ".xlsx": ("xls", "ods")}
MAX_WORDS = 5000
"""Text is compared word by word, which takes the square of them."""
SAVING_S = 300


class Known(NamedTuple):
    """A file, and what it holds."""

    path: Path
    truth: Truth


def main() -> None:
    options = _options()
    if not shutil.which("soffice"):
        raise SystemExit("soffice is missing: apt-get install libreoffice")
    with tempfile.TemporaryDirectory(prefix="readwell-formats-") as temporary, ExitStack() as stack:
        folder = Path(temporary)
        known = [*_of_corpus(folder), *(each for real in options.folders for each in _of_folder(real, folder))]
        chosen = [peer for peer in PEERS if peer.name in options.peers.split(",")]
        workers = _started([OURS, *chosen], folder, stack)
        print("text / headings / cells; -: the file has none\n| file |", " | ".join(each.name for each in workers), "|")
        for path, truth in known:
            progress(path.name)
            print(f"| {path.name} |", " | ".join(_told(worker, path, truth) for worker in workers), "|", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="folders with real RTF files")
    parser.add_argument("--peers", default=",".join(peer.name for peer in PEERS), metavar="A,B")
    return parser.parse_args()


def _of_corpus(folder: Path) -> list[Known]:
    """Saves the small office documents of the corpus in other formats."""
    found: list[Known] = []
    originals = real_office(real_corpus())
    for suffix, kinds in SAVED_AS.items():
        ours = {path: truth for path, truth in originals.items() if path.suffix == suffix}
        small = {path: truth for path, truth in ours.items() if 0 < len(truth.words) < MAX_WORDS}
        for kind in kinds:
            _save(list(small), kind, folder)
            saved = [Known(folder / f"{path.stem}.{kind}", truth) for path, truth in small.items()]
            found += [each for each in saved if each.path.exists()]
    return found


def _of_folder(real: Path, folder: Path) -> list[Known]:
    """Takes what LibreOffice reads from RTF files for what they hold."""
    files = sorted(real.rglob("*.rtf"))
    _save(files, "docx", folder / "read")
    known = [Known(path, truth_of(read)) for path in files if (read := folder / "read" / f"{path.stem}.docx").exists()]
    return [each for each in known if len(each.truth.words) < MAX_WORDS]


def _save(files: list[Path], kind: str, folder: Path) -> None:
    progress(f"saving {len(files)} files as {kind}")
    command = ["soffice", "--headless", "--convert-to", kind, "--outdir", str(folder), *map(str, files)]
    if files:
        subprocess.run(command, capture_output=True, timeout=SAVING_S, check=False)


def _started(peers: list[Peer], folder: Path, stack: ExitStack) -> list[Worker]:
    workers: list[Worker] = []
    for peer in peers:
        try:
            worker = start(peer, folder, Path(__file__).with_name("converter_worker.py"))
            workers.append(stack.enter_context(worker))
        except Skipped as why:
            warn(f"SKIPPED {peer.name}: {why}")
    return workers


def _told(worker: Worker, path: Path, truth: Truth) -> str:
    try:
        scored = score(truth, worker.ask(path=str(path), show=True)["text"])
    except JobDropped:
        return "refused"
    return " / ".join("-" if part is None else f"{part:.3f}" for part in Score._make(scored))


if __name__ == "__main__":
    main()
