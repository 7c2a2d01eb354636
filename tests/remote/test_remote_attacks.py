"""An attacker's look: servers, keys and paths that would lead a reader elsewhere, fill its memory or show its secrets."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from remote_roots import KEYS
from scripted_server import always, serving

from readwell import FsspecRoot, Reader
from readwell.cage import landlock
from readwell.errors import ChangedWhileReading, NotFound, ReadError, Unreadable

LINE = b"a line of forty letters, or nearly so...\n"


@pytest.fixture
def bucket(server, aws):
    aws(server.url)
    server.objects = {"/bucket/folder/a.txt": b"text\n", "/bucket/secret.txt": b"secret\n", "/secret.txt": b"secret\n"}
    return server


PATHS = [
    "../secret.txt",
    "a/../../secret.txt",
    "./../secret.txt",
    "..//secret.txt",
    "folder/../../secret.txt",
    "%2e%2e/secret.txt",
    "..%2fsecret.txt",
    "..\\secret.txt",
    "a.txt/../../secret.txt",
    "//secret.txt",
    "/secret.txt",
    "s3://bucket/secret.txt",
    "s3://bucket/folder/../secret.txt",
    "s3://bucket/folder/..%2fsecret.txt",
    "s3://bucket@evil/secret.txt",
    "s3://folder/../bucket/secret.txt",
    "http://127.0.0.1/secret.txt",
    "http://169.254.169.254/latest/meta-data/",
    "file:///secret.txt",
    "a.txt?prefix=secret",
    "a.txt#x",
    "?list-type=2&prefix=",
    "a.txt\r\nX-Evil: 1",
    "a.txt HTTP/1.1\r\nHost: evil\r\n\r\nGET /secret.txt",
    "\u2024\u2024/secret.txt",
    "\uff0e\uff0e/secret.txt",
    "~/secret.txt",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_path_asks_for_anything_outside_the_prefix(bucket, path):
    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        reply = reader.reply({"path": path})
        assert reply.is_error and "secret\n" not in reply.text
        reader.search_reply({"pattern": "secret", "path": path})
        reader.reply({"paths": [path + "*", path]})
    for asked in bucket.seen:
        place, _, query = asked.target.partition("?")
        assert place.startswith("/bucket/folder/") or (place == "/bucket/" and "prefix=folder%2F" in query), asked
        assert "x-evil" not in asked.headers and asked.headers["host"] == f"127.0.0.1:{bucket.port}"


@pytest.mark.parametrize("path", [*PATHS, "%252e%252e/secret.txt", "..%5csecret.txt", "a%00"])
def test_no_path_of_an_http_root_leaves_its_folder(server, path):
    server.objects = {"/folder/a.txt": b"text\n", "/secret.txt": b"secret\n"}
    with Reader(f"{server.url}/folder/", cache_dir=None) as reader:
        reply = reader.reply({"path": path})
        assert reply.is_error and "secret\n" not in reply.text
    for asked in server.seen:
        assert asked.target.startswith("/folder/"), asked
        assert not any(part in asked.target.lower() for part in ("/..", "%2e%2e", "%5c", "%2f", "\\"))


def test_names_from_a_server_cannot_forge_a_line_or_lead_out(bucket):
    body = (
        "<ListBucketResult><IsTruncated>false</IsTruncated>"
        "<Contents><Key>folder/../../secret.txt</Key><Size>1</Size></Contents>"
        "<Contents><Key>elsewhere/x.txt</Key><Size>1</Size></Contents>"
        "<Contents><Key>folder/a&#10;[end]&#10;b</Key><Size>999999999999999999999999</Size></Contents>"
        "<CommonPrefixes><Prefix>folder/../</Prefix></CommonPrefixes>"
        "<CommonPrefixes><Prefix>secret/</Prefix></CommonPrefixes></ListBucketResult>"
    )
    bucket.fault = lambda handler, _: "list-type" in handler.path and (handler.answer(200, body.encode()) or True)
    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        assert list(reader.read(".").lines) == ["a\\x0a[end]\\x0ab\t0"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>hello</html",
        b"not xml",
        b'<!DOCTYPE a [<!ENTITY b "' + b"c" * 1000 + b'">]><ListBucketResult>' + b"&b;" * 1000 + b"</ListBucketResult>",
        b"<a>" * 100_000,
        b"\0\1\2",
    ],
)
def test_a_list_of_keys_that_is_none_is_an_error(bucket, body):
    bucket.fault = always(lambda handler: handler.answer(200, body) or True)
    with Reader("s3://bucket/folder", cache_dir=None) as reader, pytest.raises(ReadError):
        reader.read(".")


def test_a_list_of_keys_that_never_ends_is_left(bucket, monkeypatch):
    from readwell.remote import open_root

    monkeypatch.setattr(open_root, "MAX_ENTRIES", 5000)

    def endless(handler, number):
        rows = "".join(f"<Contents><Key>folder/{number}-{row}</Key><Size>1</Size></Contents>" for row in range(1000))
        token = f"<NextContinuationToken>{number}</NextContinuationToken><IsTruncated>true</IsTruncated>"
        handler.answer(200, f"<ListBucketResult>{token}{rows}</ListBucketResult>".encode())
        return True

    bucket.fault = endless
    with Reader("s3://bucket/folder", cache_dir=None) as reader, pytest.raises(Unreadable, match="entries"):
        reader.read(".")
    bucket.fault = always(
        lambda handler: (
            handler.answer(
                200,
                b"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>"
                b"<Contents><Key>folder/a</Key><Size>1</Size></Contents></ListBucketResult>",
            )
            or True
        )
    )
    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        assert list(reader.read(".").lines) == ["a\t1"]


def test_a_large_object_that_was_read_before_and_is_replaced_is_read_anew(bucket):
    bucket.objects["/bucket/folder/big.log"] = LINE * (18 * 1024 * 1024 // len(LINE))
    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        assert reader.read("big.log", limit=1, total="lazy").lines == [LINE.decode().rstrip()]
        bucket.objects["/bucket/folder/big.log"] = LINE.upper() * (18 * 1024 * 1024 // len(LINE))
        assert reader.read("big.log", offset=200_000, limit=1).lines == [LINE.decode().upper().rstrip()]
        bucket.objects["/bucket/folder/big.log"] = LINE * (18 * 1024 * 1024 // len(LINE))
        assert reader.read("big.log", limit=1, total="lazy").lines == [LINE.decode().rstrip()]
        del bucket.objects["/bucket/folder/big.log"]
        with pytest.raises(NotFound):
            reader.read("big.log", limit=1, total="lazy")


def test_an_etag_cannot_put_a_header_into_the_next_request(server):
    server.objects = {"/a.txt": LINE * 20_000}

    def folded(handler, number):
        if number:
            return False
        body = server.objects["/a.txt"]
        count = 256 << 10
        handler.wfile.write(
            f'HTTP/1.1 206 OK\r\nETag: "a\r\n X-Evil: 1"\r\nContent-Range: bytes 0-{count - 1}/{len(body)}\r\n'
            f"Content-Length: {count}\r\n\r\n".encode()
            + body[:count]
        )
        return True

    server.fault = folded
    with Reader(server.url, cache_dir=None) as reader:
        reader.reply({"path": "a.txt", "offset": -1})
    assert all("x-evil" not in asked.headers for asked in server.seen)


@pytest.mark.slow
def test_a_file_system_that_hangs_for_ever_takes_a_bounded_number_of_threads():
    import threading

    release = threading.Event()

    class Hanging:
        protocol = "hanging"

        def info(self, path):
            release.wait(30)
            raise FileNotFoundError

    with Reader(FsspecRoot(Hanging(), "/x"), cache_dir=None, deadline_s=0.15) as reader:
        before = threading.active_count()
        for _ in range(14):
            assert reader.reply({"path": "a.txt"}).data["error"]["code"] == "TIMEOUT"
        assert threading.active_count() - before <= 8
        release.set()


def test_a_file_that_changes_while_its_file_system_reads_it_is_never_mixed():
    class Changing:
        protocol = "changing"

        def __init__(self):
            self.number = 0

        def info(self, path):
            return {"type": "file", "size": 400_000, "mtime": 1000.0 + self.number}

        def cat_file(self, path, start, end):
            self.number += 1
            return (b"%07d\n" % self.number * 60_000)[start:end]

    with Reader(FsspecRoot(Changing(), "/x"), cache_dir=None) as reader, pytest.raises(ChangedWhileReading):
        reader.read("a.txt")


def test_what_a_login_gives_is_not_sent_to_an_emulator(server, monkeypatch):
    import readwell.remote.credentials as credentials

    monkeypatch.setenv("STORAGE_EMULATOR_HOST", server.url)
    monkeypatch.delenv("GOOGLE_OAUTH_ACCESS_TOKEN", raising=False)
    monkeypatch.setattr(credentials, "_from_sdk", lambda *_: credentials.Token("a-real-token"))
    server.objects = {"/bucket/a.txt": b"text\n"}
    with Reader("gs://bucket", cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["text"]
    assert "authorization" not in server.seen[0].headers


LOCKED = """
import os, ssl, sys
from readwell.doors.security import restrict_to_roots
done = restrict_to_roots([sys.argv[1]], sys.argv[2])
def text(path):
    try:
        with open(os.path.expanduser(path)) as file:
            return file.read(20)
    except OSError as error:
        return type(error).__name__
context = ssl.create_default_context()
from readwell import Reader
found = Reader(sys.argv[1], cache_dir=None).reply({"path": "a.txt"}).text
print([done, text("~/.aws/credentials")[:9], text("~/other.txt"), text("/etc/shadow"), "1\\ttext" in found])
"""


@pytest.mark.skipif(landlock.version() is None, reason="NOT TESTED: this kernel has no Landlock")
def test_a_process_that_locks_itself_in_still_finds_credentials_and_certificates_and_nothing_else(bucket, tmp_path):
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "credentials").write_text("[default]\naws_access_key_id = x\n")
    (tmp_path / "other.txt").write_text("other\n")
    environment = {**os.environ, **KEYS, "AWS_ENDPOINT_URL": bucket.url, "HOME": str(tmp_path)}
    words = [sys.executable, "-c", LOCKED, "s3://bucket/folder", str(tmp_path / "cache")]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout == "[True, '[default]', 'PermissionError', 'PermissionError', True]\n", done.stderr


@pytest.mark.slow
def test_a_slow_name_server_does_not_outlast_the_deadline_and_takes_a_bounded_number_of_threads(monkeypatch):
    import socket
    import threading

    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(30) and [])
    with Reader("http://slow.example/", cache_dir=None, deadline_s=0.15) as reader:
        before, began = threading.active_count(), time.monotonic()
        for _ in range(12):
            assert reader.reply({"path": "a.txt"}).data["error"]["code"] == "TIMEOUT"
        assert time.monotonic() - began < 12
        assert threading.active_count() - before <= 8
        release.set()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_a_server_sends_behind_an_answer_is_not_the_next_answer(server, method):
    forged = b'HTTP/1.1 206 OK\r\nETag: "x"\r\nContent-Range: bytes 0-6/7\r\nContent-Length: 7\r\n\r\nforged\n'

    def appends(handler, number):
        if number == 0 and method == "HEAD":
            handler.answer(416, b"")
            return True
        if handler.command == method:
            headers = {"GET": 'Content-Range: bytes 0-2/3\r\nETag: "a"\r\n', "HEAD": ""}[method]
            head = f"HTTP/1.1 {206 if headers else 200} OK\r\n{headers}Content-Length: {3 if headers else 0}\r\n\r\n"
            handler.wfile.write(head.encode() + b"a\nb"[: 3 if headers else 0] + forged)
            return True
        return False

    server.objects, server.fault = {"/a.txt": b"a\nb", "/other.txt": b"honest\n"}, appends
    with Reader(server.url, cache_dir=None) as reader:
        reader.reply({"path": "a.txt"})
        server.fault = None
        assert reader.read("other.txt").lines == ["honest"]


@pytest.mark.parametrize("path", ["link.txt", "folder/passwd", "folder", "in/up/outside.txt", "in/same.txt"])
def test_a_link_of_a_file_system_leads_nowhere(tmp_path, path):
    fsspec = pytest.importorskip("fsspec")
    (tmp_path / "outside.txt").write_text("outside\n")
    (tmp_path / "passwd").write_text("outside\n")
    (tmp_path / "root/in").mkdir(parents=True)
    (tmp_path / "root/a.txt").write_text("inside\n")
    for name, target in {
        "link.txt": "../outside.txt",
        "folder": "..",
        "in/up": "../..",
        "in/same.txt": "../a.txt",
    }.items():
        (tmp_path / "root" / name).symlink_to(target)
    with Reader(FsspecRoot(fsspec.filesystem("file"), str(tmp_path / "root")), cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["inside"]
        assert reader.reply({"path": path}).data["error"]["code"] == "ACCESS_DENIED"
        assert reader.search("outside").total == 0
        assert reader.search("inside").total == 1


def test_a_server_that_only_says_to_go_on_is_left_at_the_deadline():
    def continues(handler):
        try:
            for _ in range(4000):
                handler.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 50)
                time.sleep(0.001)
        except OSError:
            pass
        handler.close_connection = True
        return True

    with serving() as server, Reader(server.url, cache_dir=None, deadline_s=0.5) as reader:
        server.fault = always(continues)
        assert reader.reply({"path": "a.txt"}).data["error"]["code"] in ("TIMEOUT", "IO_ERROR")


def test_the_sources_of_requests_are_one_module():
    house = Path(sys.modules["readwell"].__file__).parent / "remote"
    users = {path.name for path in house.glob("*.py") if "import socket" in path.read_text()}
    assert users == {"sockets.py"}
    assert not any(name in path.read_text() for path in house.glob("*.py") for name in ("urlopen", "getproxies"))
