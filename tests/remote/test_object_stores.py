"""A bucket of a real S3 server: read, list, search, convert, as the same files on this disk."""

import pickle
import re
import time
from base64 import b64encode
from itertools import count

import pytest
from remote_roots import KEYS, SECRET, put, put_all
from same_files import OBJECTS, READS, SEARCHES, all_outcomes, matches, outcome

from memory_source import write_files
from readwell import FsspecRoot, Reader
from readwell.errors import AccessDenied, InvalidRequest, NotFound, ReadError, Unreadable

NUMBER = count()


@pytest.fixture(scope="module")
def bucket(moto):
    """A bucket with objects below a prefix, and one outside it."""
    name = f"bucket{next(NUMBER)}"
    put_all(moto, name, {f"folder/{key}": body for key, body in OBJECTS.items()} | {"outside.txt": b"outside\n"})
    return name


@pytest.fixture
def pair(moto, bucket, aws, tmp_path):
    """A reader of the bucket and one of the same files on this disk."""
    aws(moto)
    write_files(OBJECTS, tmp_path)
    with Reader(f"s3://{bucket}/folder", cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        yield far, near


@pytest.mark.parametrize("params", READS, ids=str)
def test_a_bucket_is_read_as_the_same_files_on_disk(pair, params):
    far, near = pair
    assert outcome(far, params) == outcome(near, params)


@pytest.mark.parametrize("params", SEARCHES, ids=str)
def test_a_bucket_is_searched_as_the_same_files_on_disk(pair, params):
    far, near = pair
    assert matches(far, params) == matches(near, params)


def test_an_address_inside_the_root_is_read_and_one_outside_is_denied(pair, bucket):
    far, _ = pair
    assert far.read(f"s3://{bucket}/folder/notes.txt").lines == ["one", "two", "three"]
    for path in (
        f"s3://{bucket}/outside.txt",
        f"s3://{bucket}/folder/../outside.txt",
        f"s3://{bucket}",
        f"s3://{bucket}/folderx/notes.txt",
        "s3://another/folder/notes.txt",
        f"gs://{bucket}/folder/notes.txt",
        f"http://127.0.0.1/{bucket}/folder/notes.txt",
        "..",
        "../..",
        f"../../{bucket}/outside.txt",
    ):
        with pytest.raises(AccessDenied):
            far.read(path)


@pytest.mark.parametrize(
    "path", ["%2e%2e/outside.txt", "..%2foutside.txt", "%2e%2e%2foutside.txt", "folder%00", "?x", "#x"]
)
def test_a_quoted_name_is_a_name_and_leads_nowhere_else(pair, path):
    far, _ = pair
    with pytest.raises(NotFound):
        far.read(path)


def test_keys_that_no_path_can_name_are_left_out_and_lead_nowhere(moto, aws):
    aws(moto)
    put_all(moto, "strange", {"a//b.txt": b"x\n", "a/../c.txt": b"y\n", "./d.txt": b"z\n", "e.txt": b"e\n"})
    with Reader("s3://strange", cache_dir=None) as reader:
        assert list(reader.read(".").lines) == ["a/", "e.txt\t2"]
        assert list(reader.read("a").lines) == []
        with pytest.raises(NotFound):
            reader.read("a/../c.txt")


def test_a_name_with_nul_is_refused_and_a_key_of_more_than_1024_bytes_is_not_asked_for(pair):
    far, _ = pair
    with pytest.raises(InvalidRequest):
        far.read("a\0b")
    with pytest.raises(NotFound):
        far.read("/".join(["x" * 200] * 6))
    with pytest.raises(NotFound):
        far.read("/".join(["x" * 200] * 5)[:1000])


def test_a_key_of_1024_bytes_is_read_and_listed(server, aws):
    aws(server.url)
    name = "/".join(["é" * 100] * 6)[: (1024 - len("/folder")) // 2]
    name = ("a" * (1024 - len(f"folder/{name}".encode())) + name).strip("/")
    server.objects = {f"/bucket/folder/{name}": b"far\n", f"/bucket/folder/{name}x": b"farther\n"}
    with Reader("s3://bucket/folder", cache_dir=None) as reader:
        assert len(f"folder/{name}".encode()) == 1024 and reader.read(name).lines == ["far"]
        assert reader.read(name.rpartition("/")[0]).lines[0].split("\t")[0] == name.rpartition("/")[2]
        server.requests()
        assert reader.reply({"path": f"{name}x"}).data["error"]["code"] == "NOT_FOUND"
        assert not any(asked.target.endswith("x") for asked in server.seen)


def test_a_bucket_that_does_not_exist_is_told(moto, aws):
    aws(moto)
    with Reader("s3://no-such-bucket", cache_dir=None) as reader, pytest.raises(Unreadable) as caught:
        reader.read("x.txt")
    assert "no such bucket" in caught.value.reason


def test_roots_are_mixed_and_relative_paths_are_below_the_first(moto, aws, bucket, tmp_path):
    aws(moto)
    (tmp_path / "here.txt").write_text("here\n")
    address = f"s3://{bucket}/folder"
    with Reader([tmp_path, address], cache_dir=None) as reader:
        assert reader.read("here.txt").lines == ["here"]
        assert reader.read(f"{address}/notes.txt").lines == ["one", "two", "three"]
        assert reader.reply({"path": f"{address}/notes.txt"}).text.startswith(f"[{address}/notes.txt | lines 1-3")
        reply = reader.reply({"paths": ["*.txt", f"{address}/src/**/*.py"]})
        assert [file["path"] for file in reply.data["files"]] == [
            "here.txt",
            f"{address}/src/app.py",
            f"{address}/src/lib/part.py",
        ]
        with pytest.raises(NotFound):
            reader.read("notes.txt")
        assert reader.search("one|here", paths=[".", address]).total == 2
    with Reader([address, tmp_path], cache_dir=None) as reader:
        assert reader.read("notes.txt").lines == ["one", "two", "three"]
        assert reader.read(tmp_path / "here.txt").lines == ["here"]
        assert reader.reply({"path": "notes.txt"}).text.startswith("[notes.txt | lines 1-3")
        with pytest.raises(AccessDenied):
            reader.read("/etc/passwd")


def test_a_revision_says_whether_an_object_has_changed(moto, aws):
    aws(moto)
    put_all(moto, "changing", {"folder/changing.txt": b"before\n"})
    with Reader("s3://changing/folder", cache_dir=None) as reader:
        first = reader.read("changing.txt")
        assert reader.read("changing.txt", if_revision=first.revision).unchanged
        put(moto, "/changing/folder/changing.txt", b"after!\n")
        again = reader.read("changing.txt", if_revision=first.revision)
        assert (again.unchanged, again.lines) == (False, ["after!"])


def test_deny_rules_and_ignore_files_hold_by_key(moto, aws):
    aws(moto)
    objects = {
        ".aiignore": b"hidden/\n*.secret\n",
        ".gitignore": b"build/\n",
        "src/.aiignore": b"private.py\n",
        "src/private.py": b"x\n",
        "src/open.py": b"x\n",
        "hidden/a.txt": b"x\n",
        "key.pem": b"x\n",
        "a.secret": b"x\n",
        "build/out.txt": b"x\n",
    }
    put_all(moto, "ruled", objects)
    records = []
    with Reader("s3://ruled", cache_dir=None, deny=["*.pem"], ignore_files=True, audit=records.append) as reader:
        for path in ("hidden/a.txt", "a.secret", "key.pem", "src/private.py", "hidden", "hidden/nothing.txt", "no.pem"):
            assert reader.reply({"path": path}).data["error"]["code"] == "ACCESS_DENIED", path
        assert reader.read("src/open.py").lines == ["x"]
        assert [line.split("\t")[0] for line in reader.read(".").lines] == [".aiignore", ".gitignore", "src/"]
        assert reader.search("x").total == 1
        assert reader.read("build/out.txt").lines == ["x"]
        reply = reader.reply({"paths": ["**/*.*"]})
        assert [file["path"] for file in reply.data["files"]] == ["src/open.py"]
    assert [record.rule for record in records][:3] == [".aiignore: hidden/", ".aiignore: *.secret", "deny: *.pem"]
    assert any(record.opened == "s3://ruled/src/open.py" for record in records)


def test_a_search_leaves_out_what_a_search_on_disk_leaves_out(moto, aws, tmp_path):
    aws(moto)
    objects = {
        ".gitignore": b"build/\n",
        "build/a.txt": b"word\n",
        "src/.ignore": b"*.gen\n",
        "src/a.gen": b"word\n",
        "src/a.txt": b"word\n",
        "src/.hidden": b"word\n",
        "private/.aiignore": b"b.txt\n",
        "private/b.txt": b"word\n",
    }
    put_all(moto, "searched", objects)
    write_files(objects, tmp_path)
    with Reader("s3://searched", cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        for more in ({}, {"everything": True}, {"path": "build"}, {"path": "src"}):
            found, expected = ([each.path for each in reader.search("word", **more).files] for reader in (far, near))
            assert found == expected, more
        assert [each.path for each in far.search("word").files] == ["src/a.txt"]


def test_an_ignore_file_that_cannot_be_understood_denies_everything(moto, aws):
    aws(moto)
    put_all(moto, "doubtful", {".aiignore": b"x" * 70_000, "a.txt": b"a\n"})
    with Reader("s3://doubtful", cache_dir=None, ignore_files=True) as reader, pytest.raises(AccessDenied):
        reader.read("a.txt")


# --- credentials ----------------------------------------------------------------------------------


def test_a_request_is_signed_as_aws_documents_it():
    from readwell.remote.credentials import AwsCredentials
    from readwell.remote.s3_store import UnsignedRequest, aws_signature_headers

    who = AwsCredentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    asked = UnsignedRequest(
        method="GET", path="/", query="max-keys=2&prefix=J", host="examplebucket.s3.amazonaws.com", headers={}
    )
    moment = 1369353600.0
    signed = aws_signature_headers(asked, who, "us-east-1", moment)
    assert signed["x-amz-date"] == "20130524T000000Z"
    assert signed["Authorization"].endswith("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")


def test_credentials_are_read_from_the_files_of_the_sdk(moto, bucket, aws, monkeypatch, tmp_path):
    aws(moto)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "credentials").write_text(f"[work]\naws_access_key_id = K\naws_secret_access_key = {SECRET}\n")
    (tmp_path / "config").write_text(f"[profile work]\nregion = eu-west-1\nendpoint_url = {moto}\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_PROFILE", "work")
    with Reader(f"s3://{bucket}/folder", cache_dir=None) as reader:
        assert reader.read("notes.txt").window.total == 3


AWS_FILES = {
    "credentials": "[work]\naws_access_key_id = FROMFILE\naws_secret_access_key = s\naws_session_token = passing\n",
    "config": "[profile work]\nregion = eu-west-1\n[profile bare]\n[default]\naws_access_key_id = FIRST\naws_secret_access_key = s\n",
}
IN_THE_ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "FROMENV", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "us-east-2"}


@pytest.mark.parametrize(
    ("given", "key", "region", "session"),
    [
        (IN_THE_ENVIRONMENT, "FROMENV", "us-east-2", None),
        ({**IN_THE_ENVIRONMENT, "AWS_SESSION_TOKEN": "short"}, "FROMENV", "us-east-2", "short"),
        ({**IN_THE_ENVIRONMENT, "AWS_PROFILE": "work"}, "FROMENV", "us-east-2", None),
        ({"AWS_PROFILE": "work"}, "FROMFILE", "eu-west-1", "passing"),
        ({"AWS_PROFILE": "work", "AWS_ACCESS_KEY_ID": "HALF"}, "FROMFILE", "eu-west-1", "passing"),
        ({}, "FIRST", "us-east-1", None),
        ({"AWS_PROFILE": "bare"}, None, None, None),
        ({**IN_THE_ENVIRONMENT, "AWS_NO_SIGN_REQUEST": "1"}, None, None, None),
        ({"AWS_PROFILE": "work", "AWS_SKIP_SIGNATURE": "True"}, None, None, None),
    ],
)
def test_a_bucket_is_asked_as_the_environment_says_or_else_the_files(
    server, aws, monkeypatch, tmp_path, given, key, region, session
):
    """A key without its secret is none; where there is none, nothing is signed, as a public bucket wants it."""
    aws(server.url)
    for name in KEYS:
        monkeypatch.delenv(name)
    for name, content in AWS_FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    for name, value in {"AWS_EC2_METADATA_DISABLED": "true", **given}.items():
        monkeypatch.setenv(name, value)
    server.objects = {"/bucket/a.txt": b"text\n"}
    with Reader("s3://bucket", cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["text"]
    headers = server.seen[0].headers
    who = re.search(r"Credential=(\w+)/\d{8}/([\w-]+)/s3/", headers.get("authorization", ""))
    assert (who and who.groups()) == (key and (key, region))
    assert headers.get("x-amz-security-token") == session


@pytest.mark.parametrize(
    ("root", "given", "target", "sent"),
    [
        ("az://box", {"AZURE_STORAGE_TOKEN": "a-token"}, "/box/a.txt", "Bearer a-token"),
        ("az://box", {}, "/box/a.txt", None),
        ("gs://bucket", {"GOOGLE_OAUTH_ACCESS_TOKEN": "a-token"}, "/bucket/a.txt", "Bearer a-token"),
        ("gs://bucket", {"CLOUDSDK_AUTH_ACCESS_TOKEN": "another"}, "/bucket/a.txt", "Bearer another"),
        ("gs://bucket", {}, "/bucket/a.txt", None),
    ],
)
def test_a_token_is_sent_if_there_is_one_and_what_is_public_needs_none(
    server, aws, monkeypatch, root, given, target, sent
):
    aws(server.url)
    where = {"AZURE_STORAGE_ACCOUNT": "name", "AZURE_STORAGE_ENDPOINT": server.url, "STORAGE_EMULATOR_HOST": server.url}
    for name, value in {**where, **given}.items():
        monkeypatch.setenv(name, value)
    server.objects = {target: b"text\n"}
    with Reader(root, cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["text"]
    assert server.seen[0].headers.get("authorization") == sent


def test_credentials_are_in_no_reply_error_record_or_pickle(server, aws):
    from scripted_server import always, status

    aws(server.url)
    server.objects = {"/bucket/a.txt": b"text\n"}
    records = []
    with Reader("s3://bucket", cache_dir=None, deadline_s=3, audit=records.append) as reader:
        said = [reader.reply({"path": "a.txt"}), reader.reply({"path": "."})]
        for code in (403, 400, 302, 416):
            server.fault = always(status(code))
            said += [reader.reply({"path": "a.txt"}), reader.search_reply({"pattern": "x"})]
            with pytest.raises(ReadError) as caught:
                reader.read("a.txt")
            error = caught.value
            said += [repr(error), str(error), error.__cause__, pickle.dumps(error)]
        with pytest.raises(TypeError):
            pickle.dumps(reader)
        said += [repr(reader), repr(reader.tool), *records]
    authorization = server.seen[0].headers["authorization"]
    assert KEYS["AWS_ACCESS_KEY_ID"] in authorization
    for words in said:
        assert SECRET not in str(words) and KEYS["AWS_ACCESS_KEY_ID"] not in str(words)
    assert all(SECRET not in str(asked) for asked in server.seen)


def test_what_finds_credentials_prints_nothing_and_cannot_be_pickled(aws, monkeypatch):
    from readwell.remote.azure_store import AzureAccount
    from readwell.remote.credentials import RenewedCredentials, Token, aws_credentials

    aws("http://127.0.0.1:9")
    for secret in (
        aws_credentials(),
        RenewedCredentials(aws_credentials),
        Token(SECRET),
        AzureAccount("name", b64encode(SECRET.encode()).decode()),
    ):
        assert SECRET not in repr(secret) + str(secret)
        with pytest.raises(TypeError):
            pickle.dumps(secret)


@pytest.mark.parametrize(
    "root",
    [
        "s3://key:secret-word@bucket/x",
        "s3://bucket/x?versionId=1",
        "s3://bucket/x#y",
        "https://user:secret-word@host/",
        "https://host/?token=secret-word",
        "http://",
        "s3://",
        "s3:///x",
        "s3://bucket:80/x",
        "s3://bucket/../x",
        "s3://bucket/a/./b",
        "s3://bu cket/x",
        "https://host:99999/",
        "https://ho st/",
        "https://host/%2e%2e/x",
        "s3://bucket/a\nb",
    ],
)
def test_a_root_with_user_info_a_query_or_no_place_is_refused(root, aws):
    aws("http://127.0.0.1:9")
    with pytest.raises(ValueError) as caught:
        Reader(root)
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("root", "told"),
    [
        ("s3://b/x", "the root has no valid name of a bucket: 's3://b/x'"),
        ("s3:///x", "the root names no bucket: 's3:///x'"),
        ("http://", "the root names no server: 'http://'"),
    ],
)
def test_a_root_with_a_wrong_name_is_told_from_one_without(root, told, aws):
    aws("http://127.0.0.1:9")
    with pytest.raises(ValueError) as caught:
        Reader(root)
    assert str(caught.value) == told


def test_other_dialects_read_directories_of_this_machine_only(aws):
    from readwell.qq import FileManager

    aws("http://127.0.0.1:9")
    with pytest.raises(ValueError, match="remote"):
        FileManager(root="s3://bucket")


# --- other stores ---------------------------------------------------------------------------------


def test_a_google_bucket_is_asked_with_a_token_by_the_same_protocol(server, monkeypatch):
    server.objects = {"/bucket/folder/a.txt": b"text\n"}
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", server.url)
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", "a-token")
    with Reader("gs://bucket/folder", cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["text"]
        assert list(reader.read(".").lines) == ["a.txt\t5"]
    assert {asked.headers["authorization"] for asked in server.seen} == {"Bearer a-token"}


AZURE_PAGES = {
    "": "<Blob><Name>folder/a.txt</Name><Properties><Etag>0x8D</Etag><Content-Length>5</Content-Length></Properties>"
    "</Blob></Blobs><NextMarker>2!more</NextMarker>",
    "2!more": "<BlobPrefix><Name>folder/src/</Name></BlobPrefix></Blobs><NextMarker/>",
}


def test_an_azure_container_is_read_and_listed_page_by_page(server, monkeypatch):
    from urllib.parse import parse_qs, urlsplit

    for name, value in {"ACCOUNT": "name", "KEY": "c2VjcmV0", "ENDPOINT": f"{server.url}/name"}.items():
        monkeypatch.setenv(f"AZURE_STORAGE_{name}", value)
    server.objects = {"/name/box/folder/a.txt": b"text\n"}

    def lists(handler, _):
        query = parse_qs(urlsplit(handler.path).query)
        if query.get("comp") != ["list"]:
            return False
        page = AZURE_PAGES[query.get("marker", [""])[0]]
        handler.answer(200, f"<?xml version='1.0'?><EnumerationResults><Blobs>{page}</EnumerationResults>".encode())
        return True

    server.fault = lists
    with Reader("az://box/folder", cache_dir=None) as reader:
        assert list(reader.read(".").lines) == ["a.txt\t5", "src/"]
        assert reader.read("a.txt").lines == ["text"]
    assert all(asked.headers["authorization"].startswith("SharedKey name:") for asked in server.seen)
    assert not any("c2VjcmV0" in str(asked) for asked in server.seen)


def test_an_azure_request_is_signed_as_azure_documents_it():
    from readwell.remote.azure_store import AzureAccount

    headers = {"Range": "bytes=0-9", "x-ms-date": "Mon, 16 Nov 2026 17:46:31 GMT", "x-ms-version": "2021-12-02"}
    text = AzureAccount("acc", "c2VjcmV0")._text_to_sign("GET", "/box/a%20b.txt", {"comp": "x", "a": "b c"}, headers)
    assert text == (
        "GET\n\n\n\n\n\n\n\n\n\n\nbytes=0-9\nx-ms-date:Mon, 16 Nov 2026 17:46:31 GMT\nx-ms-version:2021-12-02\n"
        "/acc/box/a%20b.txt\na:b c\ncomp:x"
    )


def test_a_signature_for_azure_is_added_to_each_request_and_never_told(server, monkeypatch):
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "name")
    monkeypatch.setenv("AZURE_STORAGE_SAS_TOKEN", "?sv=2021&sig=very%2Fsecret")
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", server.url)
    server.objects = {"/box/a.txt": b"text\n"}
    with Reader("az://box", cache_dir=None, deadline_s=3) as reader:
        assert reader.read("a.txt").lines == ["text"]
        assert server.seen[0].target == "/box/a.txt?sig=very%2Fsecret&sv=2021"
        server.fault = lambda handler, _: handler.answer(403, b"") or True
        assert "secret" not in str(reader.reply({"path": "a.txt"}))


def test_a_bucket_of_google_is_read_and_searched_as_the_same_files_on_disk(moto, bucket, monkeypatch, tmp_path):
    """The real server speaks the protocol that both have in common."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", moto)
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", "a-token")
    write_files(OBJECTS, tmp_path)
    with Reader(f"gs://{bucket}/folder", cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        assert all_outcomes(far) == all_outcomes(near)


def test_an_fsspec_file_system_is_read_listed_and_searched(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name, body in OBJECTS.items():
        memory.pipe_file(f"/place/folder/{name}", body)
    memory.pipe_file("/place/outside.txt", b"outside\n")
    write_files(OBJECTS, tmp_path)
    with Reader(FsspecRoot(memory, "/place/folder"), cache_dir=None) as far, Reader(tmp_path, cache_dir=None) as near:
        assert all_outcomes(far) == all_outcomes(near)
        assert far.reply({"path": "../outside.txt"}).data["error"]["code"] == "ACCESS_DENIED"
        assert far.reply({"path": "nothing.txt"}).data["error"]["code"] == "NOT_FOUND"
        memory.pipe_file("/place/folder/notes.txt", b"changed\n")
        assert far.read("notes.txt").lines == ["changed"]
    with pytest.raises(TypeError):
        pickle.dumps(FsspecRoot(memory, "/place"))


@pytest.mark.parametrize(
    ("failure", "code", "reason"),
    [
        (RuntimeError("token=secret"), "IO_ERROR", "the file system failed (RuntimeError)"),
        (PermissionError(13, "secret"), "PERMISSION_DENIED", ""),
        (FileNotFoundError("secret"), "NOT_FOUND", ""),
    ],
)
def test_what_a_file_system_raises_is_told_by_its_kind_alone(failure, code, reason):
    class Failing:
        protocol = "failing"

        def info(self, path, **options):
            raise failure

        ls = info

    with Reader(FsspecRoot(Failing(), "/x"), cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt"})
    assert reply.data["error"]["code"] == code and reason in reply.text and "secret" not in reply.text


def test_a_file_system_that_hangs_ends_with_the_deadline():
    class Hanging:
        protocol = "hanging"

        def info(self, path):
            time.sleep(6)

    with Reader(FsspecRoot(Hanging(), "/x"), cache_dir=None, deadline_s=0.3) as reader:
        began = time.monotonic()
        assert reader.reply({"path": "a.txt"}).data["error"]["code"] == "TIMEOUT"
        assert time.monotonic() - began < 5


class OneLarge:
    """A file system of many small files and one larger than what is kept in memory; notes whose beginnings are fetched."""

    protocol = "one-large"

    def __init__(self):
        self.fetched = []

    def info(self, path):
        size = {"large.txt": 17 << 20, "empty.txt": 0}.get(path.rpartition("/")[2], 2)
        return {"name": path, "type": "file", "size": size, "mtime": 1.0}

    def ls(self, path, detail):
        return []

    def cat_file(self, path, start, end):
        self.fetched += [path.rpartition("/")[2]] * (start == 0)
        return b"x\n" * ((end - start) // 2)


def test_a_root_remembers_the_versions_of_the_last_1024_objects_that_were_opened():
    """The beginning of a large one that it remembers is not fetched again."""
    files = OneLarge()
    with Reader(FsspecRoot(files, "/x"), cache_dir=None) as reader:

        def read(*names):
            del files.fetched[:]
            for name in names:
                assert reader.read(name, limit=1, total="lazy").lines == ["x"]
            return files.fetched

        assert read("large.txt") == ["large.txt"]
        assert len(read(*(f"{number}.txt" for number in range(1023)))) == 1023
        assert read("large.txt") == []
        assert read("1023.txt", "large.txt") == ["1023.txt", "large.txt"]


def test_nothing_is_fetched_of_an_empty_file():
    """A file system may refuse a range without bytes."""
    files = OneLarge()
    with Reader(FsspecRoot(files, "/x"), cache_dir=None) as reader:
        assert reader.read("empty.txt").lines == []
    assert files.fetched == []


class Remembering(OneLarge):
    """A file system that tells what it saw of a folder until it is asked to look again, as many do."""

    protocol = "remembering"

    def __init__(self, contents):
        super().__init__()
        self.contents, self.seen = contents, {}

    def invalidate_cache(self, path=None):
        self.seen.pop(path, None)

    def ls(self, path, detail):
        listed = {f"{path}/{name}": len(content) for name, content in self.contents.items()}
        listed = self.seen.setdefault(path, listed)
        return [{"name": name, "type": "file", "size": size, "mtime": float(size)} for name, size in listed.items()]

    def info(self, path):
        return next(row for row in self.ls(path.rpartition("/")[0], True) if row["name"] == path)

    def cat_file(self, path, start, end):
        return self.contents[path.rpartition("/")[2]][start:end]


def test_what_a_file_system_remembers_of_a_folder_is_not_believed():
    contents = {"a.txt": b"one\n"}
    with Reader(FsspecRoot(Remembering(contents), "/x/y"), cache_dir=None) as reader:
        assert reader.read("a.txt").lines == ["one"]
        contents["a.txt"] = b"another\n"
        assert reader.read("a.txt").lines == ["another"]
