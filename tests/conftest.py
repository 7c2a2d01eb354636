"""No deadline for property tests on a busy machine, a home of their own for what tests leave in a cache, and real documents."""

import os
import signal
import sys
import tempfile

import pytest
from hypothesis import settings

import shared_fork_servers
from real_documents import real_corpus

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

_home = tempfile.TemporaryDirectory(prefix="readwell-home-")
os.environ["HOME"] = _home.name

# A shell starts background jobs with SIGINT ignored, and programs inherit that: those of the tests can be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)


shared_fork_servers.share()


def pytest_sessionfinish():
    shared_fork_servers.end_all()


@pytest.fixture(scope="module")
def own_fork_servers():
    """Every reader and worker starts and ends a fork server of its own, as it does in an application."""
    shared_fork_servers.own()
    yield
    shared_fork_servers.share()


@pytest.fixture(scope="session")
def real():
    """The folder of real documents; without it, what needs it says so and is skipped."""
    folder = real_corpus()
    if not folder.is_dir():
        pytest.skip(f"no real documents: set READWELL_CORPUS ({folder} is not there)")
    return folder


@pytest.fixture
def without_documents(monkeypatch):
    """The parsers of the extra `documents` are not installed."""
    from readwell.documents import converters

    parsers = {parser for place in converters.BUILT_IN.values() for parser in (*place.needs, place.module)}
    for parser in parsers:
        monkeypatch.setitem(sys.modules, parser, None)
    converters._is_installed.cache_clear()
    yield
    converters._is_installed.cache_clear()
