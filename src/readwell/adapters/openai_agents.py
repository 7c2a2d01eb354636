"""OpenAI Agents SDK: a `FunctionTool`. Failures are told as text, since raised ones are hidden from the model."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, tool_spec
from .params import parsed


def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an `Agent`."""
    from agents import FunctionTool, ToolOutputImage, ToolOutputText

    spec = tool_spec(reader)

    async def read(_: Any, arguments: str) -> Any:
        reply = await spec.acall(parsed(arguments))
        if not (picture := reply.picture):
            return reply.text
        return [ToolOutputText(text=reply.text), ToolOutputImage(image_url=picture.data_url)]

    # A strict schema would make every parameter required.
    return [FunctionTool(spec.name, spec.description, spec.schema, read, strict_json_schema=False)]
