"""Credentials: found where the SDKs of the clouds look, in time, sent to nobody else, and harmless when they are wrong."""

import json
import os
import subprocess
import sys
import time
from base64 import urlsafe_b64decode
from importlib.util import find_spec

import pytest
from certificates import Authority
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from scripted_server import always, hangs, serving

from readwell import Reader


@pytest.fixture
def nobody(server, aws, monkeypatch, tmp_path):
    """A server with a bucket, and nobody who may ask it."""
    aws(server.url)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    server.objects = {"/bucket/a.txt": b"text\n"}
    return server


def test_credentials_of_a_container_are_found_by_the_sdk(nobody, monkeypatch):
    pytest.importorskip("botocore", reason="NOT TESTED: the extra `remote` is not installed")
    told = {"AccessKeyId": "ROLE", "SecretAccessKey": "s", "Token": "a-session", "Expiration": "2099-01-01T00:00:00Z"}
    with serving() as container:
        container.fault = always(lambda handler: handler.answer(200, json.dumps(told).encode()) or True)
        monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{container.url}/role")
        with Reader("s3://bucket", cache_dir=None) as reader:
            assert [reader.read("a.txt").lines for _ in range(3)] == [["text"]] * 3
    asked = nobody.seen[0].headers
    assert "Credential=ROLE/" in asked["authorization"] and asked["x-amz-security-token"] == "a-session"
    assert len(container.seen) == 1


def test_a_place_for_credentials_that_hangs_does_not_outlast_the_deadline(nobody, monkeypatch):
    pytest.importorskip("botocore", reason="NOT TESTED: the extra `remote` is not installed")
    with serving() as container:
        container.fault = always(hangs)
        monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{container.url}/role")
        with Reader("s3://bucket", cache_dir=None, deadline_s=0.5) as reader:
            began = time.monotonic()
            assert reader.reply({"path": "a.txt"}).data["error"]["code"] == "TIMEOUT"
            assert time.monotonic() - began < 6
    assert nobody.seen == []


READS_A_BUCKET = """
import socket, sys
found = socket.getaddrinfo
here = lambda host, *rest, **more: found("127.0.0.1", int(sys.argv[1]), **more) if host == "storage.googleapis.com" else found(host, *rest, **more)
socket.getaddrinfo = here
from readwell import Reader
with Reader("gs://bucket/folder", cache_dir=None, deadline_s=30) as reader:
    print([reader.reply({"path": path}).text.split("\\n")[1:2] for path in ("a.txt", "a.txt", ".")])
"""
"""The one name that is answered otherwise is Google's own: what a login gives is sent nowhere else."""


def token_for(key, claims):
    """A server that gives a token for a claim that was signed with the key of an account."""

    def exchange(handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
        signed, _, signature = body.partition("assertion=")[2].partition("&")[0].rpartition(".")
        decoded = [urlsafe_b64decode(part + "==") for part in (signed.split(".")[1], signature)]
        key.public_key().verify(decoded[1], signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        claims.append(json.loads(decoded[0]))
        return as_json(handler, {"access_token": "for-an-hour", "expires_in": 3600})

    return exchange


def as_json(handler, value):
    handler.answer(200, json.dumps(value).encode(), {"Content-Type": "application/json", "Metadata-Flavor": "Google"})
    return True


def metadata(handler):
    """Answers as the server of a machine at Google does that knows who the machine is."""
    if "/token" in handler.path:
        return as_json(handler, {"access_token": "for-an-hour", "expires_in": 3600, "token_type": "Bearer"})
    if "service-accounts" in handler.path:
        return as_json(handler, {"email": "a@b", "scopes": [], "aliases": ["default"]})
    handler.answer(200, b"a-project", {"Content-Type": "text/plain", "Metadata-Flavor": "Google"})
    return True


def account_file(folder, google, claims):
    """Writes the file of a service account whose tokens come from `google`."""
    key = rsa.generate_private_key(65537, 2048)
    google.fault = always(token_for(key, claims))
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    about = {"type": "service_account", "client_email": "a@b", "token_uri": f"{google.url}/token", "private_key": text}
    (folder / "account.json").write_text(json.dumps(about))
    return str(folder / "account.json")


@pytest.mark.parametrize("origin", ["service account", "machine"])
def test_a_bucket_of_google_is_read_with_a_token_that_was_exchanged(tmp_path, origin):
    pytest.importorskip("google.auth", reason="NOT TESTED: the extra `remote` is not installed")
    authority, claims = Authority(tmp_path), []
    with serving() as google, serving(authority.issue("google", "storage.googleapis.com")) as store:
        store.objects = {"/bucket/folder/a.txt": b"text\n"}
        given = {"HOME": str(tmp_path), "PATH": "", "SSL_CERT_FILE": str(authority.path)}
        if origin == "machine":
            google.fault = always(metadata)
            place = google.url.removeprefix("http://")
            given |= {"GCE_METADATA_HOST": place, "GCE_METADATA_IP": place}
        else:
            given["GOOGLE_APPLICATION_CREDENTIALS"] = account_file(tmp_path, google, claims)
        words = [sys.executable, "-c", READS_A_BUCKET, str(store.port)]
        done = subprocess.run(words, env=given, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[['1\\ttext'], ['1\\ttext'], ['a.txt\\t5']]\n", done.stdout + done.stderr
    assert {asked.headers["authorization"] for asked in store.seen} == {"Bearer for-an-hour"}
    assert sum("/token" in asked.target for asked in google.seen) == 1
    assert all(claim["scope"].endswith("devstorage.read_only") for claim in claims)


@pytest.mark.parametrize("wrong", ["two\r\nX-Evil: 1", "line\nend", "tab\tbed", "€uro"])
@pytest.mark.parametrize(
    "root, name",
    [
        ("s3", "AWS_ACCESS_KEY_ID"),
        ("s3", "AWS_SESSION_TOKEN"),
        ("gs", "GOOGLE_OAUTH_ACCESS_TOKEN"),
        ("az", "AZURE_STORAGE_TOKEN"),
    ],
)
def test_credentials_that_would_break_a_request_are_refused_and_not_sent(server, aws, monkeypatch, root, name, wrong):
    aws(server.url)
    given = {"AZURE_STORAGE_ACCOUNT": "name", "AZURE_STORAGE_ENDPOINT": server.url, "STORAGE_EMULATOR_HOST": server.url}
    for each, value in {**given, name: wrong}.items():
        monkeypatch.setenv(each, value)
    with Reader(f"{root}://bucket", cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt"})
    assert reply.data["error"]["code"] == "PERMISSION_DENIED" and wrong not in reply.text
    assert server.seen == []


@pytest.mark.skipif(find_spec("azure") is not None, reason="the SDK would ask the machine who it is")
def test_a_container_of_azure_is_asked_without_a_token_where_nobody_has_one(server, monkeypatch):
    for name in [each for each in os.environ if each.startswith("AZURE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", server.url)
    server.objects = {"/box/a.txt": b"text\n"}
    with Reader("az://box", cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["text"]
    assert all("authorization" not in asked.headers for asked in server.seen)


@pytest.mark.parametrize("key", ["not base64!", "abc", "€"])
def test_a_key_of_azure_that_is_none_is_told_when_the_reader_is_made(monkeypatch, key):
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv("AZURE_STORAGE_KEY", key)
    with pytest.raises(ValueError, match="base64") as caught:
        Reader("az://box")
    assert key not in str(caught.value)
