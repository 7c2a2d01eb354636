"""A real Azure Blob server, Azurite from npm: read, list and search by key, by a shared access signature, or not at all."""

import hmac
import http.client
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from remote_roots import deadline
from same_files import OBJECTS, all_outcomes
from servers import free_port, running

from memory_source import write_files
from readwell import Reader
from readwell.errors import Unreadable
from readwell.remote.azure_store import PROTOCOL, AzureAccount
from readwell.remote.http_store import quoted_path

pytestmark = pytest.mark.slow

NAME, KEY = "tester", b64encode(b"a key of the account for tests").decode()
INSTALL = Path(__file__).parents[2] / "scripts" / "node.py"


@pytest.fixture(scope="module")
def azurite():
    """The address of the account, with a container of the shared files below a prefix."""
    installed = subprocess.run([sys.executable, INSTALL, "azurite"], capture_output=True, text=True, timeout=600)
    if installed.returncode:
        pytest.skip(f"NOT TESTED: {installed.stderr.strip()[:500]}")
    folder, port = Path(installed.stdout.strip()), free_port()
    words = ["--inMemoryPersistence", "--blobHost", "127.0.0.1", "--blobPort", port, "--silent", "--disableTelemetry"]
    command = [folder / "env" / "bin" / "node", folder / "azurite" / "node_modules" / ".bin" / "azurite-blob", *words]
    with running(list(map(str, command)), port=port, env={"AZURITE_ACCOUNTS": f"{NAME}:{KEY}"}):
        url = f"http://127.0.0.1:{port}/{NAME}"
        put(url, "/box?restype=container")
        for key, body in OBJECTS.items():
            put(url, f"/box/folder/{key}", body)
        put(url, "/box/outside.txt", b"outside\n")
        yield url


def put(url, target, body=b""):
    """Makes a container or puts a blob, signed as readers sign."""
    place, _, query = target.partition("?")
    parts = urlsplit(url)
    path, asked = quoted_path(f"{parts.path}{place}"), dict(part.split("=") for part in query.split("&") if part)
    headers = {} if query else {"x-ms-blob-type": "BlockBlob"}
    if body:
        headers["Content-Length"] = str(len(body))
    headers |= AzureAccount(NAME, KEY).credential_headers("PUT", path, asked, headers, deadline())
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    connection.request("PUT", f"{path}?{query}" if query else path, body, headers)
    answer = connection.getresponse()
    assert answer.status == 201, (answer.status, target, answer.read())
    connection.close()


def signature(rights="rl", until="2099-01-01"):
    """A shared access signature of the account, as its owner would hand it out."""
    fields = {"sp": rights, "ss": "b", "srt": "sco", "st": "", "se": until, "sip": "", "spr": "", "sv": PROTOCOL}
    text = "\n".join([NAME, *fields.values(), "", ""])
    sig = b64encode(hmac.digest(b64decode(KEY), text.encode(), "sha256")).decode()
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in {**fields, "sig": sig}.items() if value)


@pytest.fixture
def asks(azurite, monkeypatch):
    """Sets who asks: by what variable, with what value."""

    def by(name, value):
        for variable in ("KEY", "SAS_TOKEN", "CONNECTION_STRING"):
            monkeypatch.delenv(f"AZURE_STORAGE_{variable}", raising=False)
        monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", NAME)
        monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", azurite)
        monkeypatch.setenv(f"AZURE_STORAGE_{name}", value)
        return Reader("az://box/folder", cache_dir=None)

    return by


def test_a_container_is_read_and_searched_as_the_same_files_on_disk(asks, tmp_path):
    write_files(OBJECTS, tmp_path)
    with asks("KEY", KEY) as far, Reader(tmp_path, cache_dir=None) as near:
        assert all_outcomes(far) == all_outcomes(near)


@pytest.mark.parametrize("name", ["SAS_TOKEN", "CONNECTION_STRING"])
def test_a_signature_and_a_connection_string_open_the_container_as_well(asks, azurite, name):
    whole = f"DefaultEndpointsProtocol=http;AccountName={NAME};AccountKey={KEY};BlobEndpoint={azurite};"
    with asks(name, signature() if name == "SAS_TOKEN" else whole) as reader:
        assert reader.read("notes.txt").lines == ["one", "two", "three"]
        assert [line.split("\t")[0] for line in reader.read("src").lines] == ["app.py", "lib/"]
        assert reader.search("two|pass").total == 2


@pytest.mark.parametrize(
    "name, value",
    [
        ("KEY", b64encode(b"another key").decode()),
        ("SAS_TOKEN", signature(until="2020-01-01")),
        ("SAS_TOKEN", signature().replace("sp=rl", "sp=rwl")),
        ("TOKEN", "no-token"),
    ],
    ids=["key", "expired", "forged", "token"],
)
def test_whoever_may_not_read_is_refused_by_type(asks, name, value):
    with asks(name, value) as reader, pytest.raises(Unreadable) as caught:
        reader.read("notes.txt")
    assert caught.value.no_permission and value not in str(caught.value)


def test_a_blob_that_is_replaced_is_read_anew(asks, azurite):
    put(azurite, "/box/folder/changing.txt", b"before\n")
    with asks("KEY", KEY) as reader:
        first = reader.read("changing.txt")
        assert reader.read("changing.txt", if_revision=first.revision).unchanged
        put(azurite, "/box/folder/changing.txt", b"after!\n")
        assert reader.read("changing.txt", if_revision=first.revision).lines == ["after!"]
