"""The command `readwell config`: prints the configuration that adds the MCP server to a client."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable

from ..named_tuple import NamedTuple
from .arguments import Parser
from .extras import SERVER_NEEDS, missing_extra
from .settings import absolute_roots
from .terminal import write, write_error

ABOUT = """\
Print the lines that add readwell's MCP server to a client, confined to --root or the current directory."""


class Client(NamedTuple):
    """An MCP client: how to write its configuration snippet, and where the snippet belongs."""

    snippet: Callable[[list[str]], str]
    destination: str


def run(argv: list[str]) -> int:
    """Prints the snippet for a client, on a terminal below a line that says where it belongs."""
    parser = Parser(prog="readwell config", description=ABOUT, allow_abbrev=False)
    parser.add_argument("client", choices=CLIENTS)
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="serve DIR; repeatable (default .)")
    options = parser.parse_args(argv)
    if missing_message := missing_extra("mcp", SERVER_NEEDS):
        write_error(f"readwell: {missing_message}")
        return 1
    roots = absolute_roots(parser, options.root)
    missing = next((root for root in roots if not os.path.isdir(root)), None)
    if missing is not None:
        parser.error(f"the root is not a directory: {missing!r}")
    client = CLIENTS[options.client]
    if sys.stdout.isatty():
        write(f"{client.destination}:\n")
    write(client.snippet(_server_command(roots)))
    return 0


def _server_command(roots: list[str]) -> list[str]:
    """Returns the command that starts the server, with the full path of this program: clients may have another PATH."""
    program = os.path.abspath(sys.argv[0])
    is_script = os.path.basename(program) == "readwell" and os.access(program, os.X_OK)
    start = [program] if is_script else [sys.executable, "-m", "readwell"]
    return [*start, "mcp", *(word for root in roots for word in ("--root", root))]


def _command(start: str) -> Callable[[list[str]], str]:
    return lambda server: f"{start} {shlex.join(server)}"


def _json(section: str, kind: str = "") -> Callable[[list[str]], str]:
    def snippet(server: list[str]) -> str:
        entry: dict[str, object] = {"type": kind} if kind else {}
        entry |= {"command": server[0], "args": server[1:]}
        return json.dumps({section: {"readwell": entry}}, indent=2, ensure_ascii=False)

    return snippet


def _toml(server: list[str]) -> str:
    """Returns a TOML table; JSON strings are valid TOML strings."""
    command, *words = [json.dumps(word, ensure_ascii=False) for word in server]
    return f"[mcp_servers.readwell]\ncommand = {command}\nargs = [{', '.join(words)}]"


CLIENTS: dict[str, Client] = {
    "claude-code": Client(_command("claude mcp add readwell --"), "Run"),
    "claude-desktop": Client(_json("mcpServers"), "Merge into claude_desktop_config.json"),
    "cursor": Client(_json("mcpServers"), "Merge into ~/.cursor/mcp.json, or .cursor/mcp.json of a project"),
    "vscode": Client(_json("servers", "stdio"), "Merge into .vscode/mcp.json of the workspace"),
    "codex": Client(_toml, "Append to ~/.codex/config.toml"),
    "gemini": Client(_json("mcpServers"), "Merge into ~/.gemini/settings.json, or .gemini/settings.json of a project"),
    "zed": Client(_json("context_servers"), "Merge into Zed's settings.json (zed: open settings file)"),
}
