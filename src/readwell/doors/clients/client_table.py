"""The table of clients: the form of each one's configuration, its file, and how to tell a user where that is."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable

from ...named_tuple import NamedTuple
from .config_formats import NAME, CommandOrJson, ConfigFormat, JsonSection, OwnFile, TomlTable, YamlSection, stdio_entry


class Client(NamedTuple):
    """An MCP client; `file` returns the path of its configuration for a root directory."""

    format: ConfigFormat
    file: Callable[[str], str]
    destination: str


def _file_in_home(*parts: str) -> Callable[[str], str]:
    """Returns a function that gives a file in the user's directory."""
    return lambda _root: os.path.join(os.path.expanduser("~"), *parts)


def _file_in_project(*parts: str) -> Callable[[str], str]:
    """Returns a function that gives a file in the project."""
    return lambda root: os.path.join(root, *parts)


def _application_settings_file(*parts: str) -> Callable[[str], str]:
    """Returns a function that gives a file where the system keeps settings of applications."""
    base = ("Library", "Application Support") if sys.platform == "darwin" else (".config",)
    return _file_in_home(*base, *parts)


def _file_in_named_folder(variable: str, default: str, *parts: str) -> Callable[[str], str]:
    """Returns a function that gives a file in a directory that a variable may name."""
    return lambda _root: os.path.join(os.environ.get(variable) or os.path.expanduser(default), *parts)


def _opencode_file(_root: str) -> str:
    """Returns opencode's file, the one with comments if it exists."""
    folder = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "opencode")
    commented = os.path.join(folder, "opencode.jsonc")
    return commented if os.path.exists(commented) else os.path.join(folder, "opencode.json")


def _vscode_entry(server: list[str]) -> dict[str, object]:
    """Returns the entry of a server as VS Code writes it."""
    return {"type": "stdio", **stdio_entry(server)}


def _opencode_entry(server: list[str]) -> dict[str, object]:
    """Returns the entry of a server as opencode writes it."""
    return {"type": "local", "command": server, "enabled": True}


def _goose_lines(server: list[str]) -> list[str]:
    """Returns the lines of an extension; JSON strings and lists are valid YAML."""
    command, *words = [json.dumps(word, ensure_ascii=False) for word in server]
    return [
        "enabled: true",
        "type: stdio",
        f"name: {NAME}",
        "description: Reads and searches files",
        f"cmd: {command}",
        f"args: [{', '.join(words)}]",
        "timeout: 300",
    ]


def _continue_content(server: list[str]) -> str:
    """Returns the file of a server as Continue reads it."""
    command, *words = [json.dumps(word, ensure_ascii=False) for word in server]
    args = "".join(f"\n      - {word}" for word in words)
    head = f"name: {NAME}\nversion: 0.0.1\nschema: v1\n"
    return f"{head}mcpServers:\n  - name: {NAME}\n    command: {command}\n    args:{args}"


def _claude_command(server: list[str]) -> str:
    """Returns the command that adds a server to Claude Code."""
    return f"claude mcp add {NAME} -- {shlex.join(server)}"


CLINE = ("Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")
CLIENTS: dict[str, Client] = {
    "claude-code": Client(CommandOrJson(_claude_command, "mcpServers"), _file_in_project(".mcp.json"), "Run"),
    "claude-desktop": Client(
        JsonSection("mcpServers"),
        _application_settings_file("Claude", "claude_desktop_config.json"),
        "Merge into claude_desktop_config.json",
    ),
    "cline": Client(
        JsonSection("mcpServers"),
        _application_settings_file(*CLINE),
        "Merge into cline_mcp_settings.json (MCP Servers, Configure MCP Servers)",
    ),
    "codex": Client(
        TomlTable("mcp_servers"),
        _file_in_named_folder("CODEX_HOME", "~/.codex", "config.toml"),
        "Append to ~/.codex/config.toml",
    ),
    "continue": Client(
        OwnFile(_continue_content),
        _file_in_home(".continue", "mcpServers", "readwell.yaml"),
        "Save as ~/.continue/mcpServers/readwell.yaml, or in .continue/mcpServers of a project",
    ),
    "cursor": Client(
        JsonSection("mcpServers"),
        _file_in_home(".cursor", "mcp.json"),
        "Merge into ~/.cursor/mcp.json, or .cursor/mcp.json of a project",
    ),
    "gemini": Client(
        JsonSection("mcpServers"),
        _file_in_home(".gemini", "settings.json"),
        "Merge into ~/.gemini/settings.json, or .gemini/settings.json of a project",
    ),
    "goose": Client(
        YamlSection("extensions", _goose_lines),
        _file_in_named_folder("XDG_CONFIG_HOME", "~/.config", "goose", "config.yaml"),
        "Merge into ~/.config/goose/config.yaml",
    ),
    "opencode": Client(
        JsonSection("mcp", _opencode_entry),
        _opencode_file,
        "Merge into ~/.config/opencode/opencode.json, or opencode.json of a project",
    ),
    "vscode": Client(
        JsonSection("servers", _vscode_entry),
        _file_in_project(".vscode", "mcp.json"),
        "Merge into .vscode/mcp.json of the workspace",
    ),
    "windsurf": Client(
        JsonSection("mcpServers"),
        _file_in_home(".codeium", "windsurf", "mcp_config.json"),
        "Merge into ~/.codeium/windsurf/mcp_config.json",
    ),
    "zed": Client(
        JsonSection("context_servers"),
        _file_in_named_folder("XDG_CONFIG_HOME", "~/.config", "zed", "settings.json"),
        "Merge into Zed's settings.json (zed: open settings file)",
    ),
}
