"""Documents over S3 and HTTP: pages, searches and outlines as from this disk; kept pages are not converted again."""

from itertools import count

import pytest
from remote_roots import put_all
from same_files import matches, outcome
from scripted_server import serving
from small_documents import docx, paragraph, pdf, printed  # pyright: ignore

from memory_source import write_files
from readwell import Reader

NUMBER = count()
DOCUMENTS = {
    "book.pdf": pdf([["Some title", "alpha words"], ["beta words", "needle here"], ["gamma words"], *printed(20, 40)]),
    "letter.docx": docx(
        paragraph("Heading", "Heading1"), paragraph("some words"), paragraph("Second", "Heading1"), paragraph("needle")
    ),
}
READS = [
    {"path": "book.pdf"},
    {"path": "book.pdf", "pages": "2"},
    {"path": "book.pdf", "pages": "2-3"},
    {"path": "book.pdf", "pages": "99"},
    {"path": "book.pdf", "view": "outline"},
    {"path": "book.pdf", "offset": 4, "limit": 2},
    {"path": "book.pdf", "offset": -3},
    {"path": "letter.docx"},
    {"path": "letter.docx", "view": "outline"},
    {"path": "letter.docx", "offset": 2, "limit": 1},
    {"paths": ["*.docx", "book.pdf"], "limit": 5},
]
SEARCHES = [
    {"pattern": "needle"},
    {"pattern": "needle", "path": "book.pdf", "around": 1},
    {"pattern": "words", "path": "letter.docx"},
    {"pattern": "nowhere", "path": "book.pdf"},
]


@pytest.fixture(scope="module")
def web():
    with serving() as script:
        script.objects = {f"/folder/{name}": body for name, body in DOCUMENTS.items()}
        yield script


@pytest.fixture(params=["s3", "http"])
def root(request, aws):
    """The address of the documents in a store."""
    if request.param == "http":
        return f"{request.getfixturevalue('web').url}/folder"
    moto = request.getfixturevalue("moto")
    aws(moto)
    bucket = f"documents{next(NUMBER)}"
    put_all(moto, bucket, {f"folder/{name}": body for name, body in DOCUMENTS.items()})
    return f"s3://{bucket}/folder"


def listed(calls, root):
    """The calls that a store answers: an HTTP server lists nothing, so that it has no globs and no search of folders."""
    if root.startswith("s3"):
        return calls
    return [each for each in calls if "*" not in str(each.get("paths", "")) and ("path" in each or "paths" in each)]


def test_documents_are_read_searched_and_outlined_as_from_this_disk(root, tmp_path):
    write_files(DOCUMENTS, tmp_path)
    with Reader(root, cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        for params in listed(READS, root):
            assert outcome(far, params) == outcome(near, params), params
        for params in listed(SEARCHES, root):
            assert matches(far, params) == matches(near, params), params
        assert "needle here" in far.reply({"path": "book.pdf", "pages": "2"}).text
        assert far.search("needle", "book.pdf").total == 1


def test_a_second_reader_with_the_same_cache_converts_nothing_again(root, tmp_path, monkeypatch):
    calls = [{"path": "book.pdf", "offset": -3}, {"path": "letter.docx"}]
    with Reader(root, cache_dir=tmp_path / "cache") as reader:
        first = [outcome(reader, params) for params in calls]
    started = []
    from readwell.documents.worker import worker_pool

    known = worker_pool.ForkServerClient
    monkeypatch.setattr(worker_pool, "ForkServerClient", lambda *words: started.append(words) or known(*words))
    with Reader(root, cache_dir=tmp_path / "cache") as reader:
        assert [outcome(reader, params) for params in calls] == first
        assert not started, "a process to parse was started"
        assert "second" in reader.reply({"path": "letter.docx"}).text.lower()
    with Reader(root, cache_dir=tmp_path / "other") as reader:
        assert [outcome(reader, params) for params in calls] == first
    assert started, "what counts conversions counts none"
