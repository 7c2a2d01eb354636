"""What a server is made for: the one value that its command hands to its transports."""

from collections.abc import Sequence
from typing import NamedTuple

from ...toolspec import ToolSpec


class ServerConfig(NamedTuple):
    """The tools to serve, the tool that reads resources, the roots they are confined to."""

    tools: Sequence[ToolSpec]
    resources: ToolSpec
    roots: Sequence[str]
    structured: bool = False
    meta: bool = True
    """Results carry the reply's data for programs."""

    def close(self) -> None:
        """Closes the tools."""
        for spec in (*self.tools, self.resources):
            spec.close()
