"""The server over HTTP: who is let in, what is refused, how it ends."""

import json
import re
import signal
import socket
import subprocess
import time

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, environment, http_server, server_command

from readwell.doors.cli import main

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}
MAX_BYTES = 256 << 10


@pytest.fixture(scope="module")
def http():
    with httpx2.Client(timeout=HANG) as client:
        yield client


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    root = tmp_path_factory.mktemp("served")
    (root / "a.txt").write_text("alpha\n")
    with http_server("--root", root, "--allowed-host", "files.example", "--allowed-host", "a.example:8443") as (_, url):
        yield url


def port_of(url):
    return int(re.search(r":(\d+)/", url)[1])


def post(http, url, headers=None, content=None):
    sent = {**JSON, **BEARER, **(headers or {})}
    return http.post(url, content=json.dumps(PING) if content is None else content, headers=sent)


# --- hosts and origins ---------------------------------------------------------------------------

GOOD_HOSTS = [
    "127.0.0.1:{port}",
    "localhost:{port}",
    "[::1]:{port}",
    "files.example",
    "files.example:{port}",
    "a.example:8443",
]
BAD_HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost",
    "localhost:{port}.evil.example",
    "localhost.evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "files.example.evil.example",
    "notfiles.example",
    "a.example",
    "0.0.0.0:{port}",
    "192.168.0.1:{port}",
]
GOOD_ORIGINS = [
    None,
    "http://127.0.0.1:{port}",
    "http://localhost:{port}",
    "http://[::1]:{port}",
    "https://files.example",
]
BAD_ORIGINS = [
    "null",
    "http://evil.example",
    "https://evil.example:{port}",
    "http://localhost",
    "http://localhost:{port}.evil.example",
    "http://files.example.evil.example",
    "ftp://localhost:{port}",
    "file://",
    "http://localhost:1",
]
VERSIONS = [{}, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"}]


def statuses(http, url, hosts, origins, version):
    port = port_of(url)
    found = {}
    for host in hosts:
        for origin in origins:
            headers = {**version, "Host": host.format(port=port)}
            if origin is not None:
                headers["Origin"] = origin.format(port=port)
            found[host, origin] = post(http, url, headers).status_code
    return found


@pytest.mark.parametrize("version", VERSIONS, ids=["old era", "new era"])
def test_only_its_own_names_are_served(http, url, version):
    refused = (421, 403)
    good = statuses(http, url, GOOD_HOSTS, GOOD_ORIGINS, version)
    assert {pair: status for pair, status in good.items() if status in refused} == {}
    bad_hosts = statuses(http, url, BAD_HOSTS, [None, GOOD_ORIGINS[1]], version)
    assert set(bad_hosts.values()) == {421}
    bad_origins = statuses(http, url, GOOD_HOSTS[:1], BAD_ORIGINS, version)
    assert set(bad_origins.values()) == {403}


# --- the token -----------------------------------------------------------------------------------

SPOILED = [
    None,
    "",
    "Bearer",
    "Bearer ",
    f"Basic {TOKEN}",
    TOKEN,
    f"Bearer{TOKEN}",
    f"Bearer {TOKEN}x",
    f"Bearer x{TOKEN}",
    f"Bearer {TOKEN[:-1]}",
    f"Bearer {TOKEN.upper()}",
    f"Bearer {TOKEN} {TOKEN}",
    f"Bearer {TOKEN}, Bearer {TOKEN}",
    f"Bearer {TOKEN}\x00",
    f'Bearer "{TOKEN}"',
    f"Token {TOKEN}",
    "Bearer " + "é" * len(TOKEN),
]


def answered(url, head, body=b""):
    """Sends a request as it is written and returns the status line's number."""
    with socket.create_connection(("127.0.0.1", port_of(url)), timeout=HANG) as connection:
        connection.sendall(head + b"\r\n" + body)
        return int(connection.recv(65536).split()[1])


def test_a_spoiled_token_is_not_let_in(url):
    body = json.dumps(PING).encode()
    for spoiled in SPOILED:
        lines = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{port_of(url)}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in JSON.items()]
        lines += [] if spoiled is None else [f"Authorization: {spoiled}"]
        status = answered(url, ("\r\n".join(lines) + "\r\n").encode(), body)
        # A NUL is no header at all: it is refused before anybody is asked for a token.
        assert status == (400 if spoiled and "\x00" in spoiled else 401), spoiled


def test_two_tokens_are_as_good_as_none(http, url):
    twice = [*JSON.items(), *BEARER.items(), *BEARER.items()]
    assert http.post(url, content=json.dumps(PING), headers=twice).status_code == 401


def test_a_refusal_says_what_to_send(http, url):
    refused = http.post(url, content=json.dumps(PING), headers=JSON)
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="readwell"'
    assert refused.json() == {"error": "A bearer token is needed: Authorization: Bearer TOKEN."}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_token_is_let_in(http, url, scheme):
    assert post(http, url, {"Authorization": f"{scheme} {TOKEN}"}).status_code == 200


# --- bodies and methods --------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS, ids=["old era", "new era"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused(http, url, chunked, version):
    def body(size):
        filled = {**PING, "params": {"_meta": {"filler": ""}}}
        missing = size - len(json.dumps(filled))
        whole = json.dumps({**PING, "params": {"_meta": {"filler": "x" * missing}}}).encode()
        assert len(whole) == size
        return iter([whole[:1000], whole[1000:]]) if chunked else whole

    assert post(http, url, version, body(MAX_BYTES)).status_code != 413
    assert post(http, url, version, body(MAX_BYTES + 1)).status_code == 413
    assert post(http, url, version, body(MAX_BYTES * 8)).status_code == 413


def test_only_a_post_is_answered_as_there_are_no_sessions(http, url):
    headers = {**JSON, **BEARER}
    found = {
        method: http.request(method, url, headers=headers) for method in ("GET", "DELETE", "PUT", "HEAD", "OPTIONS")
    }
    assert {answer.status_code for answer in found.values()} == {405}
    assert {answer.headers["Allow"] for answer in found.values()} == {"POST"}


def test_health_needs_no_token_and_tells_nothing(http, url):
    answer = http.get(url.replace("/mcp", "/health"))
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


PLACES = ["/", "/mcp/../etc", "/register", "/.well-known/oauth-protected-resource/mcp"]


@pytest.mark.parametrize("place", [*PLACES, "/.well-known/oauth-authorization-server", "/mcpx"])
def test_other_places_are_not_there_with_a_token_or_without(http, url, place):
    elsewhere = url.replace("/mcp", place)
    found = [http.request(method, elsewhere, headers=sent) for method in ("GET", "POST") for sent in (JSON, BEARER)]
    assert {(answer.status_code, answer.text) for answer in found} == {
        (404, '{"error":"There is nothing here: the server is at /mcp."}')
    }


def test_a_slash_behind_the_place_is_not_redirected(http, url):
    answer = post(http, f"{url}/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert answer.json() == {"error": "Send a POST to /mcp, without a slash at its end."}


SPOILED_BODIES = {
    "[]": (-32600, "Batches are not served: send one message at a time."),
    json.dumps([PING, PING]): (-32600, "Batches are not served: send one message at a time."),
    "{": (-32700, "This is not one valid JSON value."),
    '{"jsonrpc": "2.0", "id": 5, "method": 7}': (-32600, None),
    "": (-32700, "This is not one valid JSON value."),
}


@pytest.mark.parametrize("version", VERSIONS, ids=["old era", "new era"])
@pytest.mark.parametrize("body", SPOILED_BODIES)
def test_a_body_that_is_no_message_is_answered_in_a_sentence(http, url, version, body):
    code, said = SPOILED_BODIES[body]
    answer = post(http, url, version, body)
    error = answer.json()["error"]
    assert (answer.status_code, answer.json()["id"], error["code"]) == (400, 5 if "5" in body else None, code)
    assert error["message"] == (said or error["message"]) and "validation error" not in answer.text.lower()


@pytest.mark.slow
def test_a_client_that_leaves_amid_its_request_is_no_traceback(http, tmp_path):
    with http_server("--root", tmp_path) as (server, url):
        whole = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port_of(url)}\r\nAuthorization: Bearer {TOKEN}\r\n"
        whole += "".join(f"{name}: {value}\r\n" for name, value in JSON.items())
        for version in ("", "MCP-Protocol-Version: 2026-07-28\r\n"):
            with socket.create_connection(("127.0.0.1", port_of(url)), timeout=HANG) as leaving:
                leaving.sendall(f"{whole}{version}Content-Length: 100\r\n\r\n{{".encode())
                assert post(http, url).status_code == 200
            assert post(http, url).status_code == 200
        server.terminate()
        assert (server.wait(HANG), server.stderr.read()) == (0, "")


def test_without_a_ledger_there_is_no_page_of_it(http, url):
    assert http.get(url.replace("/mcp", "/ledger"), headers=BEARER).status_code == 404


# --- beginning and end ---------------------------------------------------------------------------


def test_a_token_is_made_and_told_once_where_only_this_machine_listens(http, tmp_path):
    server = subprocess.Popen(
        server_command("--root", tmp_path, "--http", "127.0.0.1:0"),
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        url = server.stderr.readline().split()[-1]
        told = re.fullmatch(r"readwell: bearer token of this run: (\S{43})\n", server.stderr.readline())
        assert post(http, url).status_code == 401
        assert post(http, url, {"Authorization": f"Bearer {told[1]}"}).status_code == 200
    finally:
        server.terminate()
        rest = server.stderr.read()
        assert (server.wait(HANG), rest) == (0, "")
        server.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_signal_ends_the_server_although_a_client_is_connected(http, tmp_path, number):
    with http_server("--root", tmp_path) as (server, url):
        with socket.create_connection(("127.0.0.1", port_of(url))) as idle:
            idle.sendall(b"POST /mcp HTTP/1.1\r\n")
            assert post(http, url).status_code == 200
            began = time.monotonic()
            server.send_signal(number)
            assert server.wait(HANG) == 0
            assert time.monotonic() - began < HANG / 2
        assert server.stderr.read() == ""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_after_the_address_is_told_ends_with_0(tmp_path, number):
    with http_server("--root", tmp_path) as (server, _):
        server.send_signal(number)
        assert (server.wait(HANG), server.stderr.read()) == (0, "")


@pytest.mark.slow
def test_the_other_loopback_is_served_too(http, tmp_path):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("NOT TESTED: there is no IPv6 here")
    words = server_command("--root", tmp_path, "--http", "[::1]:0", "--token-env", "TOKEN")
    with http_server(command=words) as (_, url):
        assert url.startswith("http://[::1]:")
        assert post(http, url).status_code == 200
        assert post(http, url, {"Host": "evil.example"}).status_code == 421


@pytest.mark.slow
def test_a_port_in_use_is_one_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as left:
        main(["mcp", "--root", str(tmp_path), "--http", f"127.0.0.1:{taken.getsockname()[1]}"])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert re.search(r"error: cannot listen on 127\.0\.0\.1:\d+: .*[Aa]ddress already in use", err.splitlines()[-1])


@pytest.mark.slow
def test_beyond_this_machine_it_listens_with_a_token_and_a_name(http, tmp_path):
    words = server_command(
        "--root", tmp_path, "--http", "0.0.0.0:0", "--token-env", "TOKEN", "--allowed-host", "files.example"
    )
    with http_server(command=words) as (_, url):
        here = url.replace("0.0.0.0", "127.0.0.1")
        assert post(http, here, {"Host": "files.example"}).status_code == 200
        assert post(http, here).status_code == 421
        assert post(http, here, {"Host": "files.example", "Authorization": "Bearer no"}).status_code == 401
