"""Ways to reach the tools from outside Python: the command line and the MCP server."""
