"""Compressed files and archives over S3 and HTTP: read as from this disk, policed alike, fetched only where named."""

import bz2
import gzip
import io
import tarfile
import zipfile
from itertools import count
from random import Random

import pytest
from remote_roots import put_all
from same_files import matches, outcome
from small_documents import pdf  # pyright: ignore

from memory_source import write_files
from readwell import FsspecRoot, Reader
from readwell.remote import remote_file

NUMBER = count()


def zip_of(members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def tar_of(members, mode):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


LINES = b"".join(b"line %d\n" % number for number in range(1, 3001))
MEMBERS = {"src/app.py": b"import os\nneedle = 1\n", "notes.txt": LINES, "deep/er/secret.key": b"needle\n"}
INNER = zip_of({"x.txt": b"inner needle\n"})
FILES = {
    "app.log.gz": gzip.compress(LINES),
    "app.log.bz2": bz2.compress(LINES),
    "plain.txt": b"needle\n",
    "z.zip": zip_of({**MEMBERS, "inner.zip": INNER, "a.pdf": pdf([["needle in a page"]])}),
    "t.tar": tar_of(MEMBERS, "w"),
    "t.tar.gz": tar_of(MEMBERS, "w:gz"),
    "logs/old.zip": zip_of({"a.txt": b"needle\n"}),
}
READS = [
    {"path": "app.log.gz"},
    {"path": "app.log.gz", "offset": -3},
    {"path": "app.log.bz2", "offset": 1000, "limit": 5},
    {"path": "app.log.gz", "view": "source"},
    *({"path": name} for name in ("z.zip", "z.zip/", "t.tar", "t.tar.gz", "logs/old.zip")),
    *({"path": f"{name}/src/app.py"} for name in ("z.zip", "t.tar", "t.tar.gz")),
    {"path": "t.tar.gz/notes.txt", "offset": -2},
    {"path": "z.zip", "view": "outline"},
    {"path": "z.zip/inner.zip"},
    {"path": "z.zip/inner.zip/x.txt"},
    {"path": "z.zip/a.pdf"},
    {"path": "z.zip/none.txt"},
    {"paths": ["z.zip/src/*.py", "z.zip/notes.txt"], "limit": 5},
]
SEARCHES = [
    {"pattern": "needle", "path": "z.zip"},
    {"pattern": "needle", "path": "t.tar.gz"},
    {"pattern": "line 2999", "path": "app.log.gz"},
    {"pattern": "needle"},
]


@pytest.fixture(params=[pytest.param("s3", marks=pytest.mark.slow), "http"])
def root(request, aws):
    """The address of the files in a store."""
    if request.param == "http":
        script = request.getfixturevalue("server")
        script.objects = {f"/folder/{name}": body for name, body in FILES.items()}
        return f"{script.url}/folder"
    moto = request.getfixturevalue("moto")
    aws(moto)
    bucket = f"archives{next(NUMBER)}"
    put_all(moto, bucket, {f"folder/{name}": body for name, body in FILES.items()})
    return f"s3://{bucket}/folder"


def test_packed_files_are_read_searched_and_outlined_as_from_this_disk(root, tmp_path):
    write_files(FILES, tmp_path)
    with Reader(root, cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        for params in READS:
            assert outcome(far, params) == outcome(near, params), params
        for params in SEARCHES:
            if root.startswith("s3") or "path" in params:
                assert matches(far, params) == matches(near, params), params
        assert "needle = 1" in far.reply({"path": f"{root}/z.zip/src/app.py"}).text


def test_names_inside_are_denied_as_those_outside(root):
    with Reader(root, cache_dir=None, deny=["*.key"]) as reader:
        assert reader.reply({"path": "z.zip/deep/er/secret.key"}).data["error"]["code"] == "ACCESS_DENIED"
        assert "secret" not in reader.reply({"path": "z.zip", "view": "outline"}).text
        assert "secret" not in reader.search_reply({"pattern": "needle", "path": "z.zip"}).text


def test_ignore_files_deny_names_inside_and_none_are_looked_for_in_the_folders_of_an_archive(server):
    server.objects = {f"/folder/{name}": body for name, body in FILES.items()}
    server.objects["/folder/.aiignore"] = b"*.key\n"
    with Reader(f"{server.url}/folder", cache_dir=None, ignore_files=True) as reader:
        assert "secret" not in reader.reply({"path": "z.zip", "view": "outline"}).text
        assert reader.search("line 2999", "z.zip").total == 1
        assert reader.reply({"path": "z.zip/deep/er/secret.key"}).data["error"]["code"] == "ACCESS_DENIED"
    asked = [each.target for each in server.seen if "ignore" in each.target]
    assert "/folder/.aiignore" in asked
    assert not [target for target in asked if "/src/" in target]


def test_an_archive_that_is_too_large_for_a_copy_says_so(server, monkeypatch):
    monkeypatch.setattr(remote_file, "MAX_SPOOLED", 100)
    server.objects = {f"/folder/{name}": body for name, body in FILES.items()}
    with Reader(f"{server.url}/folder", cache_dir=None) as reader:
        for path in ("z.zip", "z.zip/notes.txt", "app.log.gz", "t.tar.gz"):
            assert reader.reply({"path": path}).data["error"]["code"] == "TOO_LARGE", path


def test_a_search_of_a_tree_fetches_no_archive_and_says_that_it_left_some_out(server, aws):
    aws(server.url)
    noise = Random(1).randbytes(2_000_000)
    large = {
        "z.zip": zip_of({"a.txt": noise}),
        "t.tgz": tar_of({"a.txt": noise}, "w:gz"),
        "t.tar": tar_of({"a": noise}, "w"),
    }
    server.objects = {f"/bucket/{name}": body for name, body in {**large, "a.txt": b"needle\n"}.items()}
    with Reader("s3://bucket", cache_dir=None) as reader:
        found = reader.search_reply({"pattern": "needle"})
        assert found.data["count"] == 1
        assert "3 archives" in found.text
        reader.reply({"path": "."})
    assert sum(each.sent[0] for each in server.seen) < 2_000_000


def test_members_of_an_archive_that_is_known_are_read_from_one_copy(server):
    server.objects = {
        "/z.zip": zip_of({f"{number}.txt": Random(number).randbytes(200_000).hex() for number in range(20)})
    }
    with Reader(server.url, cache_dir=None) as reader:
        for number in range(20):
            assert not reader.reply({"path": f"z.zip/{number}.txt"}).is_error
    assert sum(each.sent[0] for each in server.seen) < 3 * len(server.objects["/z.zip"])


def test_packed_files_of_an_fsspec_file_system_are_read():
    files = pytest.importorskip("fsspec").filesystem("memory")
    for name, body in FILES.items():
        files.pipe_file(f"/packed/{name}", body)
    with Reader(FsspecRoot(files, "/packed"), cache_dir=None) as reader:
        assert "needle = 1" in reader.reply({"path": "z.zip/src/app.py"}).text
        assert "line 3000" in reader.reply({"path": "app.log.gz", "offset": -1}).text
