"""The project's own documents, made once for a run, and real ones where they are at hand."""

import os
from pathlib import Path

import pytest
from small_documents import fill

from corpus.make_corpus import make_corpus
from readwell import Reader

REAL = Path(os.environ.get("READWELL_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with every document that `make_corpus` writes."""
    folder = tmp_path_factory.mktemp("made")
    make_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def real():
    """The folder of real documents; without it, what needs it says so and is skipped."""
    if not REAL.is_dir():
        pytest.skip(f"no real documents: READWELL_CORPUS names none, and {REAL} is not there")
    return REAL


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """A folder with one small document of each sort, and text beside them; nobody writes there."""
    return fill(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def reader(shelf):
    """A reader of the shelf; it ends with its module, since others count the processes that are left."""
    with Reader(root=str(shelf)) as opened:
        yield opened
