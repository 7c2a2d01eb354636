"""The MCP server: serves the tools of dialects on stdio or over HTTP."""

from .mcp_command import run

__all__ = ["run"]
