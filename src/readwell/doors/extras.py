"""Checks for optional dependencies (extras), with the command that installs them."""

MODULES = {"data": "arro3", "images": "PIL", "mcp": "mcp"}
SERVER_NEEDS = "the MCP server needs"


def missing_extra_message(extra: str, what: str) -> str | None:
    """Returns a message that begins with `what` and says how to install the extra; None if it is installed."""
    from importlib.util import find_spec

    return None if find_spec(MODULES[extra]) else f'{what} an extra: pip install "readwell[{extra}]"'
