"""Servers that Debian ships: nginx for HTTP roots, OpenStack Swift as a second S3 server."""

import getpass
import shutil
import subprocess
import time

import pytest
from remote_roots import put_all
from servers import free_port, running, wait_for

from readwell import Reader
from readwell.errors import InvalidRequest, NotFound, Unreadable

pytestmark = pytest.mark.slow

TEXT = b"".join(b"line %d\n" % number for number in range(1, 1001))
LONG = b"".join(b"line %d of a long file on a server\n" % number for number in range(1, 200_001))

NGINX = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  log_format counted '$request_method $status $body_bytes_sent';
  access_log {folder}/access.log counted;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  gzip on; gzip_types text/plain;
  server {{
    listen 127.0.0.1:{port};
    location / {{ root {folder}/files; }}
    location /moved/ {{ return 302 http://127.0.0.1:{port}/open/a.txt; }}
    location /closed/ {{ return 403; }}
    location /plain/ {{ alias {folder}/files/open/; max_ranges 0; }}
  }}
}}
"""


@pytest.fixture(scope="module")
def nginx(tmp_path_factory):
    """The address of an nginx, and the folder of its files and its log."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if program is None:
        pytest.skip("NOT TESTED: nginx is not installed (apt-get install nginx-light)")
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    for place in (folder, *folder.parents):
        if place.owner() != "root" or place.stat().st_mode & 0o005 != 0o005:
            place.chmod(place.stat().st_mode | 0o005)
        if place.name.startswith("pytest-of"):
            break
    files = folder / "files" / "open"
    files.mkdir(parents=True)
    (files / "a.txt").write_bytes(TEXT)
    (files / "long.txt").write_bytes(LONG)
    (files / "empty.txt").write_bytes(b"")
    (files / "a b%41+ä.txt").write_bytes(b"odd\n")
    (folder / "files" / "outside.txt").write_bytes(b"outside\n")
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    with running([program, "-c", str(folder / "nginx.conf")], port=port):
        yield f"http://127.0.0.1:{port}", folder


def test_files_of_nginx_are_read_as_they_are(nginx):
    url, folder = nginx
    with Reader(f"{url}/open/", cache_dir=None) as reader:
        assert reader.read("a.txt", limit=2000).lines == TEXT.decode().splitlines()
        assert reader.read("empty.txt").window.total == 0
        assert reader.read("a b%41+ä.txt").lines == ["odd"]
        assert reader.read("long.txt", offset=-2).lines == LONG.decode().splitlines()[-2:]
        assert reader.read("long.txt", offset=123_456, limit=1).lines == ["line 123456 of a long file on a server"]
        assert reader.search("line 77777 ", "long.txt").total == 1
        with pytest.raises(NotFound):
            reader.read("missing.txt")
        with pytest.raises(NotFound):
            reader.read("%2e%2e/outside.txt")
        with pytest.raises(InvalidRequest):
            reader.read(".")


def test_a_window_of_nginx_takes_two_requests_and_the_total_reads_all_once(nginx):
    url, folder = nginx
    log = folder / "access.log"
    before = len(log.read_text().splitlines())
    with Reader(f"{url}/open/", cache_dir=None) as reader:
        reader.read("long.txt", limit=3, total="lazy")
        first = counted(log, before)
        reader.read("long.txt", limit=3, total="exact")
        whole = counted(log, before)
    assert len(first) <= 2 and sum(first) <= 512_000
    assert len(LONG) <= sum(whole) <= len(LONG) + 512_000


def counted(log, before):
    time.sleep(0.2)
    return [int(line.split()[2]) for line in log.read_text().splitlines()[before:]]


@pytest.mark.parametrize("path, words", [("moved", "redirect"), ("closed", "403"), ("plain", "ignores ranges")])
def test_what_nginx_will_not_give_is_told(nginx, path, words):
    url, _ = nginx
    with Reader(f"{url}/{path}/", cache_dir=None) as reader, pytest.raises(Unreadable) as caught:
        reader.read("a.txt")
    assert words in caught.value.reason


def test_a_file_that_is_replaced_under_nginx_is_read_anew(nginx):
    url, folder = nginx
    place = folder / "files" / "open" / "changing.txt"
    place.write_bytes(TEXT)
    with Reader(f"{url}/open/", cache_dir=None) as reader:
        first = reader.read("changing.txt", limit=1)
        place.write_bytes(TEXT.replace(b"line", b"LINE!"))
        again = reader.read("changing.txt", limit=1, if_revision=first.revision)
        assert again.lines == ["LINE! 1"]


# --- a second S3 server ---------------------------------------------------------------------------

SERVER = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {folder}
devices = {folder}/node
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{code}
"""
PROXY = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {folder}
[pipeline:main]
pipeline = cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
"""
SWIFT_KEYS = {"AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"}


@pytest.fixture(scope="module")
def swift(tmp_path_factory):
    """The address of OpenStack Swift, which speaks S3 and checks signatures; its objects are in memory."""
    programs = {kind: shutil.which(f"swift-{kind}-server") for kind in ("account", "container", "object", "proxy")}
    builder = shutil.which("swift-ring-builder")
    if None in (*programs.values(), builder):
        pytest.skip("NOT TESTED: no Swift (apt-get install swift-proxy swift-account swift-container swift-object)")
    folder, user = tmp_path_factory.mktemp("swift"), getpass.getuser()
    (folder / "node" / "sdb1").mkdir(parents=True)
    (folder / "swift.conf").write_text(
        "[swift-hash]\nswift_hash_path_suffix = x\n[storage-policy:0]\nname = only\ndefault = yes\n"
    )
    ports = {kind: free_port() for kind in programs}
    for kind, port in ports.items():
        code = "mem_object" if kind == "object" else kind
        template = PROXY if kind == "proxy" else SERVER
        config = template.format(port=port, user=user, folder=folder, kind=kind, code=code)
        (folder / f"{kind}.conf").write_text(config)
        if kind != "proxy":
            device = f"--region 1 --zone 1 --ip 127.0.0.1 --port {port} --device sdb1 --weight 1".split()
            for words in (["create", "2", "1", "0"], ["add", *device], ["rebalance"]):
                subprocess.run([builder, folder / f"{kind}.builder", *words], capture_output=True)
    commands = [[program, folder / f"{kind}.conf"] for kind, program in programs.items()]
    with running(*commands, port=ports["proxy"]):
        for kind in ("account", "container", "object"):
            wait_for(ports[kind])
        address = f"http://127.0.0.1:{ports['proxy']}"
        objects = {"a.txt": TEXT, "long.txt": LONG, "empty.txt": b"", "odd/a b+c%41ä.txt": b"odd\n", "src/x.py": b"x\n"}
        put_all(address, "bucket", {f"folder/{key}": body for key, body in objects.items()}, SWIFT_KEYS)
        yield address


@pytest.fixture
def swift_bucket(swift, aws, monkeypatch):
    """A root in its bucket, and who asks."""
    aws(swift)
    for name, value in SWIFT_KEYS.items():
        monkeypatch.setenv(name, value)
    return "s3://bucket/folder"


def test_a_bucket_of_swift_is_read_listed_and_searched(swift_bucket):
    with Reader(swift_bucket, cache_dir=None) as reader:
        assert reader.read("a.txt", limit=2000).lines == TEXT.decode().splitlines()
        assert reader.read("empty.txt").window.total == 0
        assert reader.read("odd/a b+c%41ä.txt").lines == ["odd"]
        assert reader.read("long.txt", offset=123_456, limit=1).lines == ["line 123456 of a long file on a server"]
        assert reader.read("long.txt", offset=-1, total="exact").window.total == 200_000
        names = [line.split("\t")[0] for line in reader.read(".").lines]
        assert names == ["a.txt", "empty.txt", "long.txt", "odd/", "src/"]
        assert reader.search("^x$|line 77777 ").total == 2
        assert reader.reply({"path": "b.txt"}).data["error"]["hint"].startswith("Did you mean: a.txt")
        assert reader.reply({"path": "../out.txt"}).data["error"]["code"] == "ACCESS_DENIED"


def test_swift_refuses_a_wrong_key(swift_bucket, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with Reader(swift_bucket, cache_dir=None) as reader, pytest.raises(Unreadable) as caught:
        reader.read("a.txt")
    assert caught.value.no_permission and "the secret key is wrong" in caught.value.reason
