"""The project's own documents, made once for a run."""

import pytest
from small_documents import fill

from corpus.make_corpus import make_corpus
from readwell import Reader


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with every document that `make_corpus` writes."""
    folder = tmp_path_factory.mktemp("made")
    make_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """A folder with one small document of each sort, and text beside them; nobody writes there."""
    return fill(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def reader(shelf):
    """A reader of the shelf; it ends with its module, since others count the processes that are left."""
    with Reader(root=str(shelf)) as opened:
        yield opened
