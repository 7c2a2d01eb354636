"""Documents with bytes changed or cut off, in the cage: Markdown or a typed refusal in time, and nothing left behind."""

import os
import random
import sys
import tempfile
import time
from collections import Counter
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import pytest

from corpus.make_corpus import make_corpus
from corpus.packing import packed
from corpus.small_samples import SAMPLES, TEXTS
from effort import examples
from readwell.deadline import Deadline
from readwell.documents.converters import BUILT_IN
from readwell.documents.worker import Worker
from readwell.errors import ReadError
from real_documents import real_corpus

ROUNDS = min(examples(20), 600)
"""Changed documents of each format: a few hundred in all, thousands with more effort."""
LARGEST = 4 << 20
DEADLINE = 20.0
PACKED = {"docx", "epub", "odp", "ods", "odt", "pptx", "xlsx"}
REAL = ("docx", "eml", "epub", "html", "ipynb", "odt", "pdf", "pptx", "xlsx")
"""Formats of which there are real documents."""
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs procfs"),
    pytest.mark.usefixtures("own_fork_servers"),
]


def flipped(content, chance):
    changed = bytearray(content)
    for _ in range(chance.choice([1, 1, 4, 40])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut_off(content, chance):
    return content[: chance.randrange(len(content))]


def cut_out(content, chance):
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.choice([1, 16, 1024]) :]


def overwritten(content, chance):
    start, length = chance.randrange(len(content)), chance.choice([1, 8, 256])
    filling = chance.choice([bytes(length), b"\xff" * length, b"9" * length, chance.randbytes(length)])
    return content[:start] + filling + content[start + length :]


def doubled(content, chance):
    start, length = chance.randrange(len(content)), chance.choice([8, 256, 8192])
    return content[: start + length] + content[start:]


CHANGES = (flipped, flipped, cut_off, cut_out, overwritten, doubled)


def changed(content, kind, chance):
    """A document changed as it lies on the disk, or, where it is packed, half of the time inside one of its parts."""
    if kind in PACKED and chance.random() < 0.5:
        try:
            with ZipFile(BytesIO(content)) as container:
                parts = {name: container.read(name) for name in container.namelist()}
        except (BadZipFile, RuntimeError):
            return chance.choice(CHANGES)(content, chance)
        name = chance.choice(sorted(name for name, part in parts.items() if part) or [""])
        parts[name] = chance.choice(CHANGES)(parts.get(name) or b"\0", chance)
        return packed(parts)
    return chance.choice(CHANGES)(content, chance)


def outcome(worker, content, kind):
    """The name of the refusal, or "markdown" where there is none."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        deadline = Deadline(time.monotonic, time.monotonic() + DEADLINE, DEADLINE, None, None)
        begun = time.monotonic()
        try:
            with worker.convert(file.fileno(), kind, deadline) as conversion:
                assert all(isinstance(unit, str) for unit in conversion)
            return "markdown"
        except ReadError as error:
            return type(error).__name__
        finally:
            assert time.monotonic() - begun < DEADLINE + 5


def settled(worker):
    """The descriptors here and in the fork server, and the children of that, once its last one is gone."""
    time.sleep(0.2)
    parent = worker._pool()._server._process
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return os.listdir("/proc/self/fd"), len(os.listdir(f"/proc/{parent}/fd")), children


@pytest.fixture(scope="module")
def worker():
    with Worker() as worker:
        yield worker


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    make_corpus(folder)
    for name, content in TEXTS.items():
        (folder / name).write_text(content)
    for name, content in SAMPLES.items():
        (folder / name).write_bytes(content())
    return folder


def survive(worker, folder, kind):
    """Converts changed documents of one format and returns how many of them became what."""
    small = [path for path in sorted(folder.rglob(f"*.{kind}")) if 0 < path.stat().st_size <= LARGEST]
    paths = [path for path in small if outcome(worker, path.read_bytes(), kind) == "markdown"]
    assert paths, f"add a small {kind} that is converted to TEXTS or SAMPLES of tests/corpus/small_samples.py"
    before = settled(worker)
    told = Counter()
    for number in range(ROUNDS):
        chance = random.Random(f"{kind} {number}")
        told[outcome(worker, changed(chance.choice(paths).read_bytes(), kind, chance), kind)] += 1
    assert settled(worker) == before
    print(f"{ROUNDS} changed {kind}: {dict(told.most_common())}")
    return told


@pytest.mark.slow
@pytest.mark.parametrize("kind", BUILT_IN)
def test_a_damaged_document_of_ours_is_read_or_refused_and_leaves_nothing_behind(worker, made, kind):
    assert survive(worker, made, kind).total() == ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", REAL)
def test_a_damaged_real_document_is_read_or_refused_and_leaves_nothing_behind(worker, real, kind):
    assert survive(worker, real, kind).total() == ROUNDS


@pytest.mark.parametrize("name", ["bomb.pdf", pytest.param("exploding.pdf", marks=pytest.mark.slow), "recursive.pdf"])
def test_a_deadly_pdf_is_answered_and_the_next_document_unaffected(worker, made, name):
    """A stream that unpacks to gigabytes, a form that draws itself, forms that draw each other again and again."""
    told = outcome(worker, (made / name).read_bytes(), "pdf")
    assert told == {"recursive.pdf": "markdown"}.get(name, "ConversionFailed")
    assert outcome(worker, (made / "headings.pdf").read_bytes(), "pdf") == "markdown"


@pytest.mark.slow
def test_every_document_as_it_is_has_an_answer(worker, made):
    """Also those that are fuzzed, encrypted, lead outside or exhaust: the corpus as a whole, ours and the real one."""
    paths = [
        path for folder in (made, real_corpus()) for path in sorted(folder.rglob("*.*")) if path.suffix[1:] in BUILT_IN
    ]
    assert outcome(worker, b"\0", "pdf") == "ConversionFailed"
    before = settled(worker)
    told = Counter(outcome(worker, path.read_bytes(), path.suffix[1:]) for path in paths)
    assert told.keys() <= {"markdown", "ConversionFailed", "DocumentEmpty", "DocumentLocked", "TooLarge"}
    assert settled(worker) == before
