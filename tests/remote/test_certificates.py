"""HTTPS: a server is believed by its certificate alone, checked against the authorities that the machine trusts."""

import ssl
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from socket import create_server

import pytest
from certificates import Authority
from scripted_server import serving

from readwell import Reader
from readwell.errors import DeadlineExceeded, Unreadable

TEXT = b"".join(b"line %d of a file\n" % number for number in range(1, 40_000))


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@contextmanager
def reader_of(certificate):
    """A server with a certificate, and a reader of it."""
    with serving(certificate) as server, Reader(server.url, cache_dir=None, deadline_s=10) as reader:
        server.objects = {"/a.txt": TEXT}
        yield server, reader


def test_a_server_that_an_authority_vouches_for_is_read_over_one_connection(authority, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    with reader_of(authority.issue("good")) as (server, reader):
        assert reader.read("a.txt", limit=1).lines == ["line 1 of a file"]
        assert reader.read("a.txt", offset=-1).lines == ["line 39999 of a file"]
    with reader_of(authority.issue("again")) as (server, reader):
        for _ in range(4):
            assert reader.read("a.txt", limit=1, total="lazy").lines == ["line 1 of a file"]
        assert len(server.seen) >= 4 and len({asked.sender for asked in server.seen}) == 1


@pytest.mark.parametrize("wrong", ["unknown authority", "another address", "expired", "signed by itself"])
def test_a_server_that_nobody_vouches_for_is_asked_nothing(authority, monkeypatch, tmp_path, wrong):
    certificate = {
        "unknown authority": lambda: Authority(tmp_path, "strangers").issue("stranger"),
        "another address": lambda: authority.issue("elsewhere", "127.0.0.2"),
        "expired": lambda: authority.issue("old", until=datetime.now(UTC) - timedelta(days=1)),
        "signed by itself": lambda: Authority(tmp_path, "self").issue("self-made"),
    }[wrong]()
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    with reader_of(certificate) as (server, reader), pytest.raises(Unreadable, match="certificate") as caught:
        reader.read("a.txt")
    assert server.seen == [] and str(server.port) not in str(caught.value)


def test_a_machine_that_trusts_nobody_reads_nothing_over_https(authority, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    monkeypatch.setenv("SSL_CERT_DIR", "/dev/null")
    with reader_of(authority.issue("distrusted")) as (server, reader), pytest.raises(Unreadable, match="certificate"):
        reader.read("a.txt")
    assert server.seen == []


@pytest.mark.slow
def test_an_old_protocol_is_refused(authority, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))

    def tls_1_0(context):
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1

    with (
        pytest.warns(DeprecationWarning, match="TLS"),
        serving(authority.issue("ancient"), tls_1_0) as server,
        Reader(server.url, cache_dir=None, deadline_s=10) as reader,
        pytest.raises(Unreadable, match="secure"),
    ):
        reader.read("a.txt")


def test_a_server_that_never_ends_its_handshake_is_left_at_the_deadline():
    with closing(create_server(("127.0.0.1", 0))) as silent:
        root = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        with Reader(root, cache_dir=None, deadline_s=0.5) as reader:
            began = time.monotonic()
            with pytest.raises(DeadlineExceeded):
                reader.read("a.txt")
            assert time.monotonic() - began < 6


def test_a_server_that_does_not_speak_tls_is_told(server):
    root = server.url.replace("http:", "https:")
    with Reader(root, cache_dir=None, deadline_s=10) as reader, pytest.raises(Unreadable, match="secure"):
        reader.read("a.txt")
