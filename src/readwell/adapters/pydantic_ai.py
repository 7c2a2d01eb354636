"""Pydantic AI: a `Tool` whose metadata is the data of the reply."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, is_retryable, tool_spec

RETRIES = 5
"""Wrong calls in a row that a run survives; the framework's own default ends it at the second."""


def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an `Agent`."""
    from pydantic_ai import BinaryContent, ModelRetry, Tool, ToolFailed, ToolReturn

    spec = tool_spec(reader)

    async def read(**params: object) -> Any:
        reply = await spec.acall(params)
        if reply.is_error:
            raise (ModelRetry if is_retryable(reply) else ToolFailed)(reply.text)
        if not (picture := reply.picture):
            return ToolReturn(reply.text, metadata=reply.data)
        image = BinaryContent(picture.content, media_type=picture.media_type)
        return ToolReturn([reply.text, image], metadata=reply.data)

    tool = Tool.from_schema(read, spec.name, spec.description, spec.schema)
    tool.max_retries = RETRIES
    return [tool]
