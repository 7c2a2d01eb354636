"""Extras that something needs: is one there, and how is it installed?"""

from importlib.util import find_spec

MODULES = {"images": "PIL", "mcp": "mcp"}
SERVER_NEEDS = "the MCP server needs"


def missing_extra(extra: str, what: str) -> str | None:
    """Returns the sentence that says what to install for something; None where its extra is there."""
    return None if find_spec(MODULES[extra]) else f'{what} an extra: pip install "readwell[{extra}]"'
