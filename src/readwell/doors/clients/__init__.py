"""MCP clients: where each keeps its list of servers, and how an entry is added to that file or removed from it."""
