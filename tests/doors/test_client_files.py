"""`readwell config --write`: the client's file gets its entry, and nothing else in it changes."""

import json
import stat
import sys
import tomllib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_serving import environment
from test_config import command_of, server_entry

from command_line import called
from effort import examples
from readwell.doors.clients.client_table import CLIENTS
from readwell.doors.clients.errors import NotEditable
from readwell.doors.clients.jsonc import parse, with_entry, without_entry

SERVER = ["/opt/readwell", "mcp", "--root", 'odd "name" \\ ü']
ENTRY = {"command": "c", "args": ["a"]}
COMMENTED = """\
// what I like
{
  "theme": "dark", // at night
  "context_servers": {
    "other": {"command": "x"}, // keep
  },
  /* the end */
}
"""
EXTENSIONS = """\
# mine
GOOSE_MODE: auto
extensions:
    # built in
    developer:
        enabled: true
        type: builtin
last: [1, 2]
"""


def configured(home, *words, cwd=None):
    return called(cwd or home, "config", *map(str, words), env=environment(HOME=str(home)))


def only_file(folder):
    [found] = [path for path in folder.rglob("*") if path.is_file()]
    return found


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_written_starts_the_server_and_is_removed_again(tmp_path, client):
    done = configured(tmp_path, client, "--write")
    path = only_file(tmp_path)
    assert (done.returncode, done.stderr) == (0, f"readwell: changed {path}\n")
    entry = server_entry("cursor" if client == "claude-code" else client, path.read_text(encoding="utf-8"))
    assert command_of(entry) == [sys.executable, "-m", "readwell", "mcp", "--root", str(tmp_path)]
    assert f"+++ {path}" in done.stdout
    assert configured(tmp_path, client, "--write").stderr == f"readwell: nothing to change in {path}\n"
    assert configured(tmp_path, client, "--remove").returncode == 0
    assert not path.exists() or "command" not in path.read_text(encoding="utf-8")


APPLICATIONS = "home/Library/Application Support" if sys.platform == "darwin" else "home/.config"
FILES = {
    "claude-code": "project/.mcp.json",
    "claude-desktop": f"{APPLICATIONS}/Claude/claude_desktop_config.json",
    "cline": f"{APPLICATIONS}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "codex": "home/.codex/config.toml",
    "continue": "home/.continue/mcpServers/readwell.yaml",
    "cursor": "home/.cursor/mcp.json",
    "gemini": "home/.gemini/settings.json",
    "goose": "home/.config/goose/config.yaml",
    "opencode": "home/.config/opencode/opencode.json",
    "vscode": "project/.vscode/mcp.json",
    "windsurf": "home/.codeium/windsurf/mcp_config.json",
    "zed": "home/.config/zed/settings.json",
}


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A folder with a home; no variable names another one."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def test_each_client_has_the_file_that_it_reads(places):
    assert {name: each.file(str(places / "project")) for name, each in CLIENTS.items()} == {
        name: str(places / file) for name, file in FILES.items()
    }


def test_variables_and_a_file_with_comments_are_honoured(places, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", "/codex")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(places))
    (places / "opencode").mkdir()
    (places / "opencode" / "opencode.jsonc").touch()
    files = [CLIENTS[name].file("/project") for name in ("codex", "goose", "opencode", "zed")]
    inside = ["goose/config.yaml", "opencode/opencode.jsonc", "zed/settings.json"]
    assert files == ["/codex/config.toml", *(str(places / name) for name in inside)]


def test_comments_and_other_servers_stay_where_they_are():
    zed = CLIENTS["zed"].format
    added = zed.with_server(COMMENTED, SERVER)
    assert [line for line in COMMENTED.splitlines() if line not in added.splitlines()] == []
    assert parse(added).value["context_servers"]["readwell"]["command"] == SERVER[0]
    assert zed.without_server(added) == COMMENTED


def test_settings_that_a_user_added_to_the_entry_stay():
    cursor = CLIENTS["cursor"].format
    text = '{"mcpServers": {"readwell": {"command": "old", "args": [], "env": {"A": "1"}}}}'
    entry = json.loads(cursor.with_server(text, SERVER))["mcpServers"]["readwell"]
    assert entry == {"command": SERVER[0], "args": SERVER[1:], "env": {"A": "1"}}


@pytest.mark.parametrize("client", CLIENTS)
def test_nothing_is_removed_where_there_is_no_file(tmp_path, client):
    done = configured(tmp_path, client, "--remove")
    assert (done.returncode, "nothing to change" in done.stderr, done.stdout) == (0, True, "")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_table_of_toml_is_added_replaced_and_removed():
    codex = CLIENTS["codex"].format
    text = (
        '# mine\nmodel = "m"\n\n[mcp_servers.readwell]\ncommand = "old"\n\n# kept\n[mcp_servers.other]\ncommand = "x"\n'
    )
    added = codex.with_server(text, SERVER)
    servers = tomllib.loads(added)["mcp_servers"]
    assert servers == {"readwell": {"command": SERVER[0], "args": SERVER[1:]}, "other": {"command": "x"}}
    assert "# mine" in added and "# kept" in added
    assert codex.without_server(added) == '# mine\nmodel = "m"\n\n# kept\n[mcp_servers.other]\ncommand = "x"\n'


def test_an_extension_is_added_to_a_block_of_yaml_and_removed():
    goose = CLIENTS["goose"].format
    added = goose.with_server(EXTENSIONS, SERVER)
    assert command_of(yaml.safe_load(added)["extensions"]["readwell"]) == SERVER
    assert goose.without_server(added) == EXTENSIONS
    others = yaml.safe_load(added)
    del others["extensions"]["readwell"]
    assert others == yaml.safe_load(EXTENSIONS)


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", "{"),
        ("cursor", "[]"),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"mcpServers": {"readwell": 1}}'),
        ("cursor", '{"mcpServers": {}, "mcpServers": {}}'),
        ("cursor", '{"a": 1} {"b": 2}'),
        ("cursor", "[" * 100_000),
        ("codex", "= 1"),
        ("codex", "mcp_servers = 5"),
        ("codex", "[[mcp_servers]]"),
        ("codex", "x = " + "[" * 5000),
        ("codex", 'mcp_servers = { readwell = { command = "x" } }'),
        ("goose", "extensions: {a: {type: stdio}}"),
        ("goose", "extensions:\n  - a\n"),
        ("goose", "extensions:\n\ta: 1\n"),
        ("goose", "a: 1\n---\nextensions:\n  a: 1\n"),
        ("continue", "name: another\n"),
    ],
)
def test_what_is_not_understood_is_left_as_it_is(client, text, tmp_path):
    with pytest.raises(NotEditable):
        CLIENTS[client].format.with_server(text, SERVER)
    file = tmp_path / "file"
    file.write_text(text)
    done = configured(tmp_path, client, "--write", "--file", file)
    assert (done.returncode, done.stdout, file.read_text()) == (1, "", text)
    assert "was left as it is" in done.stderr and done.stderr.count("\n") == 1


def test_the_file_keeps_its_link_its_mode_and_its_line_ends_and_each_old_version_is_kept(tmp_path):
    kept = tmp_path / "dotfiles" / "mcp.json"
    kept.parent.mkdir()
    kept.write_bytes(b'\xef\xbb\xbf{\r\n  "a": 1\r\n}\r\n')
    kept.chmod(0o600)
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").symlink_to(kept)
    before = kept.read_bytes()
    assert configured(tmp_path, "cursor", "--write").returncode == 0
    after = kept.read_bytes()
    assert (tmp_path / ".cursor" / "mcp.json").is_symlink() and stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert after.startswith(b'\xef\xbb\xbf{\r\n  "a": 1,\r\n') and after.count(b"\n") == after.count(b"\r\n")
    assert configured(tmp_path, "cursor", "--remove").returncode == 0
    backups = [tmp_path / "dotfiles" / name for name in ("mcp.json.bak", "mcp.json.bak1")]
    assert [backup.read_bytes() for backup in backups] == [before, after]
    assert stat.S_IMODE(backups[0].stat().st_mode) == 0o600


KEYS = st.sampled_from(["a", "b", "readwell", "mcpServers", "é", 'q"'])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // note\n", "/* {, */", "\n\n"])


@st.composite
def written(draw, value):
    """A value as a person may write it: comments and blanks anywhere, a comma at the end or not."""
    if not isinstance(value, dict | list):
        return json.dumps(value)
    is_object = isinstance(value, dict)
    parts = []
    for item in value.items() if is_object else value:
        key = json.dumps(item[0]) + draw(BLANKS) + ":" + draw(BLANKS) if is_object else ""
        inner = draw(written(item[1] if is_object else item))
        parts.append(draw(BLANKS) + key + inner + draw(BLANKS))
    end = "," + draw(BLANKS) if parts and draw(st.booleans()) else draw(BLANKS)
    return ("{" if is_object else "[") + ",".join(parts) + end + ("}" if is_object else "]")


DOCUMENTS = st.fixed_dictionaries(
    {}, optional={"a": VALUES, "mcpServers": st.dictionaries(KEYS, st.just({"command": "x"}), max_size=3), "b": VALUES}
)


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_an_edit_of_any_json_changes_the_entry_alone(data):
    value = data.draw(DOCUMENTS)
    text = data.draw(BLANKS) + data.draw(written(value)) + data.draw(BLANKS)
    assert parse(text).value == value
    added = with_entry(text, ["mcpServers", "readwell"], ENTRY)
    assert parse(added).value == {**value, "mcpServers": {**value.get("mcpServers", {}), "readwell": ENTRY}}
    assert added.count("// note") == text.count("// note") and added.count("/* {, */") == text.count("/* {, */")
    removed = parse(without_entry(added, ["mcpServers", "readwell"])).value
    others = {name: each for name, each in value.get("mcpServers", {}).items() if name != "readwell"}
    assert removed == {**value, "mcpServers": others}
