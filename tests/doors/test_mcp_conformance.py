"""The protocol's own checks: the inspector, and the scenarios of the conformance suite that need no fixtures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp_serving import BEARING, TOKEN, environment, http_server, server_command

pytestmark = pytest.mark.slow

INSTALL = Path(__file__).parents[2] / "scripts" / "node.py"
INSTALL_S, RUN_S = 600, 120
BOTH, NEW, OLD = ["2025-11-25", "2026-07-28"], ["2026-07-28"], ["2025-11-25"]
SCENARIOS = {
    "server-initialize": OLD,
    "ping": OLD,
    "tools-list": BOTH,
    "tools-call-error": BOTH,
    "resources-list": BOTH,
    "prompts-list": BOTH,
    "dns-rebinding-protection": BOTH,
    "sep-2164-resource-not-found": NEW,
    "http-header-validation": NEW,
    "server-sse-multiple-streams": BOTH,
    "caching": NEW,
}
TRANSPORTS = ["stdio", "http"]


@pytest.fixture(scope="module")
def node():
    """Returns how to run a tool on Node."""
    installed = subprocess.run([sys.executable, INSTALL], capture_output=True, text=True, timeout=INSTALL_S)
    if installed.returncode:
        pytest.skip(f"NOT CHECKED: {installed.stderr.strip()[:500]}")
    cache = Path(installed.stdout.strip())

    def run(tool, *words):
        path = f"{cache / 'env/bin'}{os.pathsep}{os.environ['PATH']}"
        command = [cache / "env/bin/node", cache / "node_modules/.bin" / tool, *words]
        env = environment(PATH=path, NO_COLOR="1")
        return subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, timeout=RUN_S)

    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("served")
    (root / "a.txt").write_text("alpha\nbeta\n")
    return root


@pytest.fixture(scope="module")
def url(folder):
    """The conformance suite knows no tokens, so whoever connects here bears one."""
    with http_server(command=[sys.executable, str(BEARING), str(folder)]) as (_, url):
        yield url


@pytest.mark.parametrize(
    "scenario, version", [(name, version) for name, known in SCENARIOS.items() for version in known]
)
def test_a_scenario_of_the_conformance_suite_passes(node, url, scenario, version):
    done = node("conformance", "server", "--url", url, "--scenario", scenario, "--spec-version", version)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " 0 failed" in done.stdout, done.stdout[-3000:]


def inspected(node, folder, transport, *words):
    """Runs the inspector against a server; returns its exit status and what it printed."""
    if transport == "stdio":
        given = [
            word for name, value in environment().items() if name == "PYTHONPATH" for word in ("-e", f"{name}={value}")
        ]
        return node("inspector", "--cli", *given, *server_command("--root", folder), *words)
    with http_server("--root", folder) as (_, url):
        header = ["--header", f"Authorization: Bearer {TOKEN}"]
        return node("inspector", "--cli", url, "--transport", "http", *header, *words)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_inspector_finds_nothing_wrong_with_the_tools(node, folder, transport, era):
    listed = inspected(node, folder, transport, "--method", "tools/list", "--strict", "--protocol-era", era)
    assert listed.returncode == 0, listed.stderr
    assert [tool["name"] for tool in json.loads(listed.stdout)["tools"]] == ["read", "search"]
    call = ["--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=a.txt", "--protocol-era", era]
    called = inspected(node, folder, transport, *call)
    assert json.loads(called.stdout)["content"][0]["text"].splitlines()[1:] == ["1\talpha", "2\tbeta", "[end]"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_inspector_puts_it_under_load_without_an_error(node, folder, transport):
    call = ["--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=a.txt"]
    loaded = inspected(node, folder, transport, *call, "--load", "--load-requests", "500", "--load-concurrency", "20")
    assert loaded.returncode == 0, loaded.stderr
    summary = json.loads(loaded.stdout)
    assert (summary["ok"], summary["toolErrors"], summary["errors"]) == (500, 0, 0)
