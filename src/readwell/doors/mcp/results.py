"""Replies become results of the protocol: text for the model, data for programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qsl, quote

import mcp_types as types

from ...model import Reply
from ...toolspec import ToolSpec
from ..terminal import safe
from .server_config import ServerConfig

DATA = "readwell/data"
LONGEST_NAMED = 100
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


def as_tool(spec: ToolSpec, structured: bool) -> types.Tool:
    """Returns a tool as it is listed."""
    return types.Tool(
        name=spec.name,
        description=spec.description,
        input_schema=spec.schema,
        annotations=READ_ONLY,
        output_schema=OUTPUT_SCHEMA if structured else None,
    )


def as_result(reply: Reply, config: ServerConfig, spec: ToolSpec) -> types.CallToolResult:
    """Returns a reply as the result of a call; a failure is a result, too.

    Clients that show a model the structured content show nothing else, so the text stands there again.
    """
    content: list[types.ContentBlock] = [types.TextContent(text=reply.text)]
    if reply.picture:
        content.append(types.ImageContent(data=reply.picture.base64, mime_type=reply.picture.media_type))
    return types.CallToolResult(
        content=content,
        structured_content={"text": reply.text, **reply.data} if config.structured else None,
        is_error=reply.is_error,
        _meta=_meta(reply, config, spec),
    )


def _meta(reply: Reply, config: ServerConfig, spec: ToolSpec) -> dict[str, object] | None:
    """Returns the data for programs, in few words: some clients hand the whole result on to a model."""
    if not config.meta:
        return None
    return {DATA: spec.brief(reply.data) if spec.brief else reply.data}


def no_such_tool(name: str, known: Iterable[str]) -> types.CallToolResult:
    """Returns the answer to a call of a tool that is not served: a model can mend it, so a model is told."""
    said = f"There is no tool {name[:LONGEST_NAMED]!r}. Use {' or '.join(known)}."
    return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)


def as_root(path: str) -> types.Resource:
    """Returns a root as a resource: reading it lists it."""
    address = f"file://{quote(os.fsencode(path))}"
    return types.Resource(name=safe(path), uri=address, description="A directory that can be read")


def instructions(roots: Sequence[str]) -> str:
    """Returns what a model is told of the server as a whole."""
    shown = [safe(root) for root in roots]
    return f"Reads files below {' and '.join(shown)}. Relative paths start at {shown[0]}."


def as_contents(uri: str, reply: Reply, config: ServerConfig) -> types.ReadResourceResult:
    """Returns a reply as the contents of a resource."""
    meta = _meta(reply, config, config.resources)
    text = types.TextResourceContents(uri=uri, text=reply.text, mime_type="text/plain", _meta=meta)
    if reply.picture is None:
        return types.ReadResourceResult(contents=[text])
    blob = types.BlobResourceContents(uri=uri, blob=reply.picture.base64, mime_type=reply.picture.media_type)
    return types.ReadResourceResult(contents=[text, blob])


def params_of(uri: str) -> Mapping[str, object]:
    """Returns the params that an address of a resource stands for."""
    address, _, query = uri.partition("?")
    return {**dict(parse_qsl(query)), "path": address if address.startswith("file://") else f"file://{address}"}
