"""The MCP server: serves the tools of dialects on stdio or over HTTP."""

from .mcp_command import command_parser, run

__all__ = ["command_parser", "run"]
