"""`readwell config`: what is printed can be pasted, and what it starts is the server."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from mcp_serving import environment

from command_line import called
from readwell.doors.clients.client_table import CLIENTS

PAGES = Path(__file__).parents[2] / "docs" / "clients"
SECTIONS = {
    "claude-desktop": "mcpServers",
    "cline": "mcpServers",
    "cursor": "mcpServers",
    "vscode": "servers",
    "gemini": "mcpServers",
    "opencode": "mcp",
    "windsurf": "mcpServers",
    "zed": "context_servers",
}

HTTP_TYPES = {"cline": "streamableHttp", "opencode": "remote"}


def printed(*words, cwd=None):
    done = called(cwd or ".", "config", *map(str, words), env=environment())
    assert done.stderr == "" and done.returncode == 0
    return done.stdout


def started(client, snippet):
    """The command that a client runs when it is given the snippet."""
    if client == "claude-code":
        words = shlex.split(snippet)
        assert words[:5] == ["claude", "mcp", "add", "readwell", "--"]
        return words[5:]
    return command_of(server_entry(client, snippet))


def server_entry(client, text):
    """The entry for readwell, as the client's own format is parsed."""
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]["readwell"]
    if client == "goose":
        return yaml.safe_load(text)["extensions"]["readwell"]
    if client == "continue":
        return yaml.safe_load(text)["mcpServers"][0]
    return json.loads(text)[SECTIONS[client]]["readwell"]


def command_of(entry):
    assert entry.get("type", "stdio") in ("stdio", "local")
    command = entry.get("cmd") or entry["command"]
    return command if isinstance(command, list) else [command, *entry["args"]]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_starts_the_server_with_its_roots(tmp_path, client):
    roots = [tmp_path / name for name in ("plain", 'odd "name" \\ $HOME 🚀 ü', "it's")]
    for root in roots:
        root.mkdir()
    given = [word for root in roots for word in ("--root", root)]
    expected = [sys.executable, "-m", "readwell", "mcp", *map(str, given)]
    assert started(client, printed(client, *given)) == expected


def test_without_a_root_it_is_the_current_directory(tmp_path):
    assert started("cursor", printed("cursor", cwd=tmp_path))[-2:] == ["--root", os.path.realpath(tmp_path)]


@pytest.mark.parametrize("words", [[], ["emacs"], ["zed", "--root", "/nowhere"], ["zed", "more"]], ids=" ".join)
def test_wrong_usage_is_status_two(words):
    done = subprocess.run(
        [sys.executable, "-m", "readwell", "config", *words], env=environment(), capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def blocks(client):
    return re.findall(r"^```\w+\n(.*?)\n```$", (PAGES / f"{client}.md").read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_page_of_a_client_shows_the_lines_that_are_printed(client):
    assert blocks(client)[0] == CLIENTS[client].format.snippet(["readwell", "mcp", "--root", "/project"])
    assert f"`readwell config {client} --root DIR`" in (PAGES / f"{client}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("client", sorted(set(SECTIONS) - {"claude-desktop"}))
def test_the_page_of_a_client_has_an_entry_for_a_server_over_http(client):
    entry = json.loads(blocks(client)[1])[SECTIONS[client]]["readwell"]
    address = entry.pop({"gemini": "httpUrl", "windsurf": "serverUrl"}.get(client, "url"))
    kind = entry.pop("type", "http")
    assert (address, kind) == ("https://files.example/mcp", HTTP_TYPES.get(client, "http"))
    assert entry["headers"]["Authorization"].startswith("Bearer ")


def test_there_is_a_page_for_each_client_and_no_other():
    assert sorted(page.stem for page in PAGES.iterdir()) == sorted(CLIENTS)


def test_a_server_in_a_cache_is_warned_of(tmp_path, monkeypatch):
    """`uvx` runs programs from its cache, which is tagged as one; an environment's own tag says nothing of that kind."""
    environment_of_uvx = tmp_path / "uv" / "archive-v0" / "x"
    environment_of_uvx.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(environment_of_uvx))
    (environment_of_uvx / "CACHEDIR.TAG").touch()
    printed("cursor")
    (tmp_path / "uv" / "CACHEDIR.TAG").touch()
    done = called(tmp_path, "config", "cursor", env=environment())
    assert f"in the cache {tmp_path / 'uv'}, which may be emptied" in done.stderr and done.returncode == 0
    done = called(tmp_path, "config", "cursor", "--remove", "--file", "missing.json", env=environment())
    assert "in the cache" not in done.stderr
