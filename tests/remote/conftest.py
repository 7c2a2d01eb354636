"""Servers on 127.0.0.1 for remote roots: one that misbehaves, and a real S3 server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from remote_roots import KEYS
from scripted_server import serving


@pytest.fixture
def server():
    """A server that does as a test tells it."""
    with serving() as script:
        yield script


@pytest.fixture
def aws(monkeypatch):
    """Sets where S3 is asked, by whom."""

    def point_to(url):
        for name in [name for name in os.environ if name.startswith(("AWS_", "GOOGLE_", "AZURE_"))]:
            monkeypatch.delenv(name)
        for name, value in {**KEYS, "AWS_ENDPOINT_URL": url}.items():
            monkeypatch.setenv(name, value)

    return point_to


@pytest.fixture(scope="session")
def moto():
    """The address of a real S3 server, started for these tests."""
    script = Path(__file__).parent / "s3_server.py"
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        port = process.stdout.readline().strip()
        assert port, "the S3 server did not start"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
