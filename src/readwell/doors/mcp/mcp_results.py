"""Conversion of replies to MCP results: text for the model, data for programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qsl, quote

import mcp_types as types

from ...model import Reply
from ...path_names import is_remote_root
from ...toolspec import ToolSpec
from ..terminal import escape_controls
from .server_config import ServerConfig

DATA = "readwell/data"
MAX_QUOTED_NAME = 100
SEARCH = "search"
READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
OUTPUT_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "The reply as a model reads it"}},
    "required": ["text"],
}
FILES = types.ResourceTemplate(
    name="file",
    uri_template="file://{+path}{?offset,limit}",
    description="A window of a file, or the entries of a directory, by absolute path",
    mime_type="text/plain",
)

APP_MEDIA_TYPE = "text/html;profile=mcp-app"
LEDGER_URI = "ui://readwell/ledger"
LEDGER_APP = types.Resource(
    name="ledger",
    title="What was read",
    uri=LEDGER_URI,
    description="A page for people: files, lines and tokens that the clients of this server have read so far",
    mime_type=APP_MEDIA_TYPE,
)
APPS: dict[str, dict[str, object]] = {"io.modelcontextprotocol/ui": {"mimeTypes": [APP_MEDIA_TYPE]}}
"""The extension by which clients show pages of servers."""


def as_tool(spec: ToolSpec, structured: bool) -> types.Tool:
    """Returns the tool as `tools/list` shows it."""
    return types.Tool(
        name=spec.name,
        description=spec.description,
        input_schema=spec.schema,
        annotations=READ_ONLY,
        output_schema=OUTPUT_SCHEMA if structured else None,
    )


def as_result(reply: Reply, config: ServerConfig, spec: ToolSpec) -> types.CallToolResult:
    """Returns a reply as the result of a call; a failure is a result with `is_error`.

    The text is repeated in the structured content: clients that show a model structured content show nothing else.
    """
    content: list[types.ContentBlock] = [types.TextContent(text=reply.text)]
    content += [types.ImageContent(data=each.base64, mime_type=each.media_type) for each in reply.pictures]
    return types.CallToolResult(
        content=content,
        structured_content={"text": reply.text, **reply.data} if config.structured else None,
        is_error=reply.is_error,
        _meta=_meta(reply, config, spec),
    )


def _meta(reply: Reply, config: ServerConfig, spec: ToolSpec) -> dict[str, object] | None:
    """Returns the data for programs, shortened because some clients pass the whole result to a model."""
    if not config.meta:
        return None
    data = spec.brief(reply.data) if spec.brief else reply.data
    return {DATA: data} if data else None


def no_such_tool_result(name: str, known: Iterable[str]) -> types.CallToolResult:
    """Returns the result for a tool that does not exist; a result rather than a protocol error, so a model sees it."""
    message = f"There is no tool {name[:MAX_QUOTED_NAME]!r}. Use {' or '.join(known)}."
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)


def root_as_resource(path: str) -> types.Resource:
    """Returns a root directory as a resource; reading it lists the directory."""
    address = path if is_remote_root(path) else f"file://{quote(os.fsencode(path))}"
    return types.Resource(name=escape_controls(path), uri=address, description="A directory that can be read")


def server_instructions(roots: Sequence[str], tools: Sequence[str]) -> str:
    """Returns the server instructions for the model."""
    shown = [escape_controls(root) for root in roots]
    where = f"Reads files below {' and '.join(shown)}. Relative paths start at {shown[0]}."
    if SEARCH not in tools or len(tools) < 2:
        return where
    return (
        f"{where} To find where something stands, use {SEARCH}; then {tools[0]} the lines around the numbers it gives."
        f" The paths and numbers of one are those of the other, in documents, too."
    )


def as_resource_contents(uri: str, reply: Reply, config: ServerConfig) -> types.ReadResourceResult:
    """Returns a reply as the contents of a resource, with each image as a blob."""
    meta = _meta(reply, config, config.resource_reader)
    text = types.TextResourceContents(uri=uri, text=reply.text, mime_type="text/plain", _meta=meta)
    blobs = [
        types.BlobResourceContents(uri=uri, blob=each.base64, mime_type=each.media_type) for each in reply.pictures
    ]
    return types.ReadResourceResult(contents=[text, *blobs])


def as_ledger_app(page: str) -> types.ReadResourceResult:
    """Returns the page of the ledger; it asks for no resource and no permission."""
    content = types.TextResourceContents(
        uri=LEDGER_URI, text=page, mime_type=APP_MEDIA_TYPE, _meta={"ui": {"prefersBorder": False}}
    )
    return types.ReadResourceResult(contents=[content])


def params_of_uri(uri: str) -> Mapping[str, object]:
    """Returns the params that a resource URI asks for: its path, and `offset` and `limit` from the query."""
    address, _, query = uri.partition("?")
    is_whole = address.startswith("file://") or is_remote_root(address)
    return {**dict(parse_qsl(query)), "path": address if is_whole else f"file://{address}"}
