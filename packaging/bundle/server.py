"""Starts readwell's MCP server inside a bundle."""

import sys

from readwell.doors.cli import main

sys.exit(main(["mcp", *sys.argv[1:]]))
