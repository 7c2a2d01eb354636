"""The command `readwell config`: prints the configuration that adds the MCP server to a client, or writes it."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from ..path_names import is_remote_root
from .argument_parsers import Parser
from .clients.client_table import CLIENTS, Client
from .clients.errors import NotEditable
from .clients.file_change import FileChange
from .extras import SERVER_NEEDS, missing_extra_message
from .settings import absolute_roots
from .terminal import write, write_error

ABOUT = """\
Print the lines that add readwell's MCP server to a client, confined to --root or the current directory.
With --write, put them into the client's own file: other settings and comments stay, the old file is kept as
a backup, and the difference is shown. With --remove, take them out again."""
IN_A_CACHE = """\
this readwell is in the cache {}, which may be emptied; give a client one that stays: uv tool install "readwell[all]", \
with --find-links DIR if it came from there"""


def run(argv: list[str]) -> int:
    """Prints the snippet for a client, or edits the client's file."""
    parser = command_parser()
    options = parser.parse_args(argv)
    if options.file and not (options.write or options.remove):
        parser.error("--file needs --write or --remove")
    roots = absolute_roots(parser, options.root)
    missing = next((root for root in roots if not is_remote_root(root) and not os.path.isdir(root)), None)
    if missing is not None:
        parser.error(f"the root is not a directory: {missing!r}")
    if not options.remove and (warning := missing_extra_message("mcp", SERVER_NEEDS)):
        write_error(f"readwell: warning: {warning}")
    if not options.remove and (cache := _enclosing_cache_dir(sys.prefix)):
        write_error(f"readwell: warning: {IN_A_CACHE.format(cache)}")
    client, server = CLIENTS[options.client], _server_command(roots)
    if options.write or options.remove:
        return _edit_client_file(client, server, options, roots[0])
    if sys.stdout.isatty():
        write(f"{client.destination}:\n")
    write(client.format.snippet(server))
    return 0


def command_parser() -> Parser:
    """Returns the parser of `readwell config`."""
    parser = Parser(prog="readwell config", description=ABOUT, allow_abbrev=False)
    parser.add_argument("client", choices=CLIENTS)
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="serve DIR; repeatable (default .)")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="add the server to the client's configuration file")
    action.add_argument("--remove", action="store_true", help="remove the server from the client's configuration file")
    parser.add_argument("--file", metavar="FILE", help="the file to edit, if the client keeps it elsewhere")
    return parser


def _edit_client_file(client: Client, server: list[str], options: Namespace, root: str) -> int:
    """Changes the client's file; prints the difference and where the backup is."""
    path = os.path.abspath(options.file or client.file(root))
    try:
        change = FileChange(
            path,
            client.format.without_server if options.remove else lambda text: client.format.with_server(text, server),
        )
        if not change.is_needed:
            write_error(f"readwell: nothing to change in {path}")
            return 0
        difference = change.difference()
        backup = change.write()
    except (NotEditable, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        write_error(
            f"readwell: {path} was left as it is: {reason}; print the lines without --write and edit it by hand"
        )
        return 1
    write(difference)
    write_error(f"readwell: changed {change.path}" + (f", backup in {backup}" if backup else ""))
    return 0


def _enclosing_cache_dir(prefix: str) -> str | None:
    """Returns the outer directory that is tagged as a cache, as that of environments of `uvx`; None: there is none."""
    above = os.path.dirname(prefix)
    while above != os.path.dirname(above):
        if os.path.exists(os.path.join(above, "CACHEDIR.TAG")):
            return above
        above = os.path.dirname(above)
    return None


def _server_command(roots: list[str]) -> list[str]:
    """Returns the command that starts the server, with the full path of this program: clients may have another PATH."""
    program = os.path.abspath(sys.argv[0])
    is_script = os.path.basename(program) == "readwell" and os.access(program, os.X_OK)
    start = [program] if is_script else [sys.executable, "-m", "readwell"]
    return [*start, "mcp", *(word for root in roots for word in ("--root", root))]
