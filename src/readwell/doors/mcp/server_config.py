"""What a server serves, as the command line has chosen it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...named_tuple import NamedTuple
from ...tool import Tool
from ...toolspec import ToolSpec

if TYPE_CHECKING:
    from .live_report import LiveReport


VISIT = "readwell.visit"
"""Where the scope of a request over HTTP has its `Visit`."""


class ServerConfig(NamedTuple):
    """The tools to serve, the tool that reads resources, and the roots they are confined to."""

    tools: Sequence[ToolSpec]
    resource_reader: ToolSpec
    roots: Sequence[str]
    structured: bool = False
    """Whether results carry text and data as structured content."""
    meta: bool = True
    """Whether results carry the reply's data in `_meta`."""
    dialect_by_tool: Mapping[str, str] = MappingProxyType({})
    """The name of the dialect of each tool, by the tool's name."""
    backing_tools: Sequence[Tool] = ()
    """The tools that answer the calls, one for each dialect, also those that are not offered."""
    ledger: LiveReport | None = None
    """The record of this process and its page, if one is kept."""

    span_paths: bool = False
    """Whether spans of OpenTelemetry have the paths of calls."""
    confined_to: Callable[[Sequence[str]], ServerConfig] | None = None
    """Returns what to serve to callers who may read only some of the roots."""

    def close(self) -> None:
        """Closes the tools."""
        for spec in (*self.tools, self.resource_reader):
            spec.close()
        if self.ledger:
            self.ledger.close()
