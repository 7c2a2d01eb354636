"""Answers that no server and no file system should give: whatever comes, the reply is a text or a typed error, in time."""

import time
from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scripted_server import always, serving

from effort import examples
from readwell import FsspecRoot, Reader
from readwell.errors import ReadError

TEXT = b"honest text\n"
CODES = {
    "IO_ERROR",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    "TIMEOUT",
    "CHANGED",
    "BINARY_FILE",
    "TOO_LARGE",
    "ACCESS_DENIED",
}
RUDE = st.one_of(
    st.sampled_from(
        ["", "0", "-1", "12", "999999999999999999", "1" * 5000, "٣", "0x10", "1e3", "\x85", '"', "W/", "\0"]
    ),
    st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30),
)
NAMES = st.sampled_from(
    [
        "Content-Length",
        "Content-Range",
        "ETag",
        "Last-Modified",
        "Transfer-Encoding",
        "Content-Encoding",
        "Connection",
        "Retry-After",
        "Location",
    ]
)
GOOD = {"Content-Length": "12", "Content-Range": "bytes 0-11/12", "ETag": '"a"'}


@pytest.fixture(scope="module")
def store():
    with serving() as script:
        yield script


def answering(status, headers, body):
    """Sends an answer as it is, byte by byte as a test wants it."""

    def fault(handler):
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers)]
        with suppress(OSError):
            handler.connection.sendall("\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body)
        handler.close_connection = True
        return True

    return fault


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    status=st.sampled_from([200, 206, 206, 206, 204, 304, 416, 429, 500, 599, 999, 42]),
    headers=st.lists(st.tuples(NAMES, RUDE), max_size=4),
    body=st.one_of(st.just(TEXT), st.binary(max_size=40)),
    keeps=st.booleans(),
)
@example(206, [("Last-Modified", "Mon, 99 Foo 99999 99:99:99 GMT")], TEXT, True)
@example(206, [("Last-Modified", "Thu, 01 Jan 0001 00:00:00 -9999")], TEXT, True)
@example(206, [("Transfer-Encoding", "chunked")], b"-5\r\nhonest text\n\r\n0\r\n\r\n", True)
@example(206, [("Transfer-Encoding", "chunked")], b"ffffffffffffffffffff\r\nhonest text\n", True)
@example(206, [("Content-Length", "3"), ("Content-Length", "12")], TEXT, False)
@example(206, [("X-Filler", "y")] * 150, TEXT, True)
@example(206, [("X-Filler", "y" * 70_000)], TEXT, True)
def test_any_head_of_an_answer_gives_honest_text_or_a_typed_error(store, status, headers, body, keeps):
    store.fault = always(answering(status, [*(GOOD.items() if keeps else ()), *headers], body))
    with Reader(store.url, cache_dir=None, deadline_s=0.4) as reader:
        began = time.monotonic()
        reply = reader.reply({"path": "a.txt"})
        assert time.monotonic() - began < 6
    if reply.is_error:
        assert reply.data["error"]["code"] in CODES
    else:
        assert reply.data["size"] in (0, len(TEXT), len(body))


def test_trailers_without_end_are_left_at_the_deadline(store):
    def endless(handler):
        head = "HTTP/1.1 206 X\r\nContent-Range: bytes 0-11/12\r\nTransfer-Encoding: chunked\r\n\r\nc\r\nhonest text\n\r\n0\r\n"
        with suppress(OSError):
            handler.connection.sendall(head.encode())
            for _ in range(2000):
                handler.connection.sendall(b"X-More: 1\r\n" * 20)
                time.sleep(0.002)
        handler.close_connection = True
        return True

    store.fault = always(endless)
    with Reader(store.url, cache_dir=None, deadline_s=0.5) as reader:
        began = time.monotonic()
        reply = reader.reply({"path": "a.txt"})
        assert time.monotonic() - began < 6
    assert not reply.is_error or reply.data["error"]["code"] in ("TIMEOUT", "IO_ERROR")


ODD = [None, "", 0, -5, True, 10**30, float("nan"), float("inf"), "text", b"bytes", [], {}, datetime.min, object()]


class Rude:
    """A file system whose answers are what a test says."""

    protocol = "rude"

    def __init__(self, info, content, rows):
        self._info, self._content, self._rows = info, content, rows

    def info(self, path):
        return self._info

    def cat_file(self, path, start, end):
        return self._content

    def ls(self, path, detail):
        return self._rows


@pytest.mark.parametrize("odd", ODD, ids=[f"{type(each).__name__}{number}" for number, each in enumerate(ODD)])
@pytest.mark.parametrize(
    "where", ["info", "size", "mtime", "etag", "type", "content", "rows", "row", "name", "row size"]
)
def test_a_file_system_that_answers_nonsense_is_a_typed_error_and_no_exception(where, odd):
    info = {"type": "file", "size": len(TEXT), "mtime": 1000.0}
    row = {"name": "/x/a.txt", "type": "file", "size": len(TEXT)}
    given = {"info": info, "content": TEXT, "rows": [row]}
    if where in given:
        given[where] = odd
    elif where in ("row", "name", "row size"):
        given["rows"] = [odd if where == "row" else {**row, where.removeprefix("row "): odd}]
    else:
        given["info"] = {**info, where: odd}
    with Reader(FsspecRoot(Rude(**given), "/x"), cache_dir=None, deadline_s=5) as reader:
        for call in (lambda: reader.read("a.txt"), lambda: reader.read("."), lambda: reader.search("honest")):
            with suppress(ReadError):
                call()


@pytest.mark.parametrize("path", ["key.pen", "hidde/a.txt", "hidden", "../folder/key.pen", "src/privat.py"])
def test_similar_names_tell_no_key_that_is_denied(server, aws, path):
    aws(server.url)
    server.objects = {
        "/bucket/folder/.aiignore": b"hidden/\nprivate.py\n",
        "/bucket/folder/key.pem": b"x\n",
        "/bucket/folder/hidden/a.txt": b"x\n",
        "/bucket/folder/src/private.py": b"x\n",
    }
    with Reader("s3://bucket/folder", cache_dir=None, deny=["*.pem"], ignore_files=True) as reader:
        said = reader.reply({"path": path}).text.replace(path, "")
    assert not any(word in said for word in ("key.pem", "hidden", "private.py")), said


def list_of_keys(kind):
    """Returns a page of keys of nearly 16 MiB that is made to be slow or large."""
    inside = {
        "attributes": lambda: b"<a " + b" ".join(b'b%d=""' % number for number in range(1_000_000)) + b"/>",
        "comment": lambda: b"<!--%s-->" % bytes(8 << 20).replace(b"\0", b"x"),
        "depth": lambda: b"<a>" * 1_000_000 + b"</a>" * 1_000_000,
        "keys": lambda: b"<Contents/>" * 1_400_000,
        "blobs": lambda: b"<Blob/>" * 2_000_000,
        "elements": lambda: b"<a/>" * 4_000_000,
    }
    return b"<R>%s</R>" % inside[kind]()


def answer_with(content):
    """Answers every request with some content."""
    head = f"HTTP/1.1 200 X\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode()

    def fault(handler):
        with suppress(OSError):
            handler.connection.sendall(head + content)
        handler.close_connection = True
        return True

    return always(fault)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("root", "kind"),
    [("s3", "attributes"), ("s3", "comment"), ("s3", "depth"), ("s3", "keys"), ("az", "attributes"), ("az", "blobs")],
)
def test_a_page_of_keys_beyond_all_bounds_is_no_list_of_keys(server, aws, monkeypatch, root, kind):
    aws(server.url)
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", server.url)
    server.fault = answer_with(list_of_keys(kind))
    with Reader(f"{root}://bucket", cache_dir=None, deadline_s=60) as reader:
        reply = reader.reply({"path": "."})
    assert "the server sent no list of keys" in reply.text


@pytest.mark.slow
def test_a_page_of_keys_that_is_slow_to_read_is_left_at_the_deadline(server, aws):
    aws(server.url)
    server.fault = answer_with(list_of_keys("elements"))
    with Reader("s3://bucket", cache_dir=None, deadline_s=0.5) as reader:
        began = time.monotonic()
        reply = reader.reply({"path": "."})
        assert time.monotonic() - began < 5
    assert reply.data["error"]["code"] == "TIMEOUT"


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL", "STORAGE_EMULATOR_HOST", "AZURE_STORAGE_ENDPOINT"])
@pytest.mark.parametrize("value", ["http://user:pass-word@host/", "http://host/?sig=pass-word", "ftp://pass-word/"])
def test_an_endpoint_that_is_refused_is_not_repeated(aws, monkeypatch, name, value):
    aws("http://127.0.0.1:9")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv(name, value)
    scheme = {"AWS": "s3", "STO": "gs", "AZU": "az"}[name[:3]]
    with pytest.raises(ValueError) as caught:
        Reader(f"{scheme}://bucket")
    assert "pass-word" not in str(caught.value)


def test_an_address_of_version_six_is_a_server():
    import socket

    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6) as listening:
        root = f"http://[::1]:{listening.getsockname()[1]}/folder"
        with Reader(root, cache_dir=None, deadline_s=0.3) as reader:
            assert reader.reply({"path": "a.txt"}).data["error"]["code"] == "TIMEOUT"
            assert reader.reply({"path": "http://[::2]/folder/a.txt"}).data["error"]["code"] == "ACCESS_DENIED"


@pytest.mark.parametrize("root", ["https://host/folder/", "http://host:8080/folder"])
@pytest.mark.parametrize(
    "path",
    [
        "https://host@evil/folder/a.txt",
        "https://evil/https://host/folder/a.txt",
        "https://host.evil/folder/a.txt",
        "https://host:8443/folder/a.txt",
        "https://host\\@evil/folder/a.txt",
        "//evil/folder/a.txt",
        "https:/host/folder/a.txt",
        "https://HOST/../evil/a.txt",
        "https://host/folder/../../evil",
        "ftp://host/folder/a.txt",
        "http://host/folder/a.txt",
        "gopher://host:8080/folder/a.txt",
    ],
)
def test_no_address_but_one_below_the_root_is_resolved_at_all(monkeypatch, root, path):
    import socket

    asked = []

    def resolve(host, port, **_):
        asked.append((host, port))
        raise socket.gaierror("no")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with Reader(root, cache_dir=None, deadline_s=2) as reader:
        for call in (reader.reply, lambda params: reader.search_reply({"pattern": "x", **params})):
            assert call({"path": path}).is_error
        reader.reply({"paths": [path, f"{path}*"]})
    own = ("host", 443 if root.startswith("https") else 8080)
    assert set(asked) <= {own}
