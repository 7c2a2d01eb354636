"""Base images are pinned by the digest that their registry names, with a token where it asks for one."""

import json
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from base_images import pinned

DIGEST = f"sha256:{'0a' * 32}"
DOCKERFILE = "FROM python:3-slim AS build\nRUN true\nFROM python:3-slim\nCOPY --from=build /a /a\n"


@contextmanager
def registry(*, token=None):
    """A server with the answers of the registry protocol: the digest of one image, or a challenge before it."""

    class Answers(BaseHTTPRequestHandler):
        def do_HEAD(self):
            if self.path != "/v2/library/python/manifests/3-slim":
                self.send_response(404)
            elif token and self.headers["Authorization"] != f"Bearer {token}":
                self.send_response(401)
                scope = 'service="here",scope="repository:library/python:pull"'
                self.send_header("WWW-Authenticate", f'Bearer realm="{address}/token",{scope}')
            else:
                assert "application/vnd.oci.image.index.v1+json" in self.headers["Accept"]
                self.send_response(200)
                self.send_header("Docker-Content-Digest", DIGEST)
            self.end_headers()

        def do_GET(self):
            assert self.path == "/token?service=here&scope=repository%3Alibrary%2Fpython%3Apull"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"token": token}).encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        try:
            yield address
        finally:
            server.shutdown()
            serving.join()


@pytest.mark.parametrize("token", [None, "for-everybody"])
def test_every_stage_gets_the_digest_behind_its_tag(token):
    with registry(token=token) as address:
        exact = pinned(DOCKERFILE, address)
        assert exact == DOCKERFILE.replace("python:3-slim", f"python:3-slim@{DIGEST}")
        assert pinned(exact, address) == exact


def test_an_image_that_the_registry_does_not_have_is_an_error_and_a_missing_registry_is_none():
    with registry() as address, pytest.raises(HTTPError, match="404"):
        pinned("FROM python:9\n", address)
    assert pinned(DOCKERFILE, address) is None
