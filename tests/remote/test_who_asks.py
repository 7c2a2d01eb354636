"""Credentials: found where the SDKs of the clouds look, in time, sent to nobody else, and harmless when they are wrong."""

import json
import time
from base64 import urlsafe_b64decode
from functools import partial

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from remote_roots import watch
from scripted_server import always, hangs, serving

from readwell import Reader
from readwell.remote.credentials import Renewed, google_token


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


def test_a_service_account_of_google_is_exchanged_for_a_token(tmp_path, monkeypatch):
    pytest.importorskip("google.auth", reason="NOT TESTED: the extra `remote` is not installed")
    key = rsa.generate_private_key(65537, 2048)
    claims = []

    def exchange(handler):
        """Gives a token for a claim that was signed with the key of the account."""
        body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
        signed, _, signature = body.partition("assertion=")[2].partition("&")[0].rpartition(".")
        decoded = [urlsafe_b64decode(part + "==") for part in (signed.split(".")[1], signature)]
        key.public_key().verify(decoded[1], signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        claims.append(json.loads(decoded[0]))
        handler.answer(
            200, b'{"access_token": "for-an-hour", "expires_in": 3600}', {"Content-Type": "application/json"}
        )
        return True

    with serving() as google:
        google.fault = always(exchange)
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        account = {"type": "service_account", "client_email": "a@b", "token_uri": f"{google.url}/token"}
        (tmp_path / "account.json").write_text(json.dumps({**account, "private_key": secret.decode()}))
        monkeypatch.delenv("GOOGLE_OAUTH_ACCESS_TOKEN", raising=False)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
        find = Renewed(partial(google_token, True))
        assert [find(watch()).text for _ in range(2)] == ["for-an-hour"] * 2
    (claim,) = claims
    assert claim["scope"].endswith("devstorage.read_only")


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


@pytest.mark.parametrize("key", ["not base64!", "abc", "€"])
def test_a_key_of_azure_that_is_none_is_told_when_the_reader_is_made(monkeypatch, key):
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv("AZURE_STORAGE_KEY", key)
    with pytest.raises(ValueError, match="base64") as caught:
        Reader("az://box")
    assert key not in str(caught.value)
