"""The MCP server: the dialects as tools, on stdio or over HTTP."""

from .command import run

__all__ = ["run"]
