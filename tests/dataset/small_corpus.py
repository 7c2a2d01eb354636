"""A folder of small documents of several kinds, good and bad, and what a run leaves behind."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

from small_documents import PASSWORD, damaged_pdf, docx, paragraph, pdf, printed

import readwell
from corpus.docx_writer import zip_bomb

SOURCES = str(Path(readwell.__file__).parent.parent)


def fill(folder, count=12):
    """Writes `count` good documents, none like another, into two folders."""
    for number in range(count):
        below = folder / ("first" if number % 2 else "second")
        below.mkdir(parents=True, exist_ok=True)
        words = f"document {number}"
        kinds = {
            "txt": f"{words}\n".encode(),
            "pdf": pdf([[f"{words} page {page}"] for page in range(1 + number % 3)]),
            "docx": docx(paragraph(words)),
            "html": f"<p>{words}</p>".encode(),
        }
        kind = list(kinds)[number % len(kinds)]
        (below / f"{number:03d}.{kind}").write_bytes(kinds[kind])
    return folder


BAD = {
    "empty.txt": (b"", None),
    "empty.pdf": (b"", None),
    "locked.pdf": (pdf(printed(1, 2), user=PASSWORD), "DOCUMENT_LOCKED"),
    "damaged.pdf": (damaged_pdf(), "CONVERSION_FAILED"),
    "bomb.docx": (zip_bomb(), "TOO_LARGE"),
    "bomb.txt.gz": (gzip.compress(bytes(4 << 20)) * 75, "BINARY_FILE"),
    "noise.bin": (bytes(range(256)) * 4, "BINARY_FILE"),
}
"""Files among good ones, and the code of the row that each becomes; None: it is converted."""


def fill_bad(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (content, _) in BAD.items():
        (folder / name).write_bytes(content)
    return folder


def run_program(folder, *words, timeout=120, **environment):
    """Runs the program and returns what it left behind."""
    return subprocess.run(
        command(*words),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": SOURCES} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )


def command(*words):
    return [sys.executable, "-m", "readwell", *map(str, words)]


def shards(out):
    return sorted(path for path in Path(out).iterdir() if path.name.startswith("part-"))


def rows(out):
    """The rows of a folder of JSON lines, in order."""
    return [json.loads(line) for shard in shards(out) for line in shard.read_bytes().splitlines()]


def manifest(out):
    return json.loads((Path(out) / "manifest.json").read_bytes())
