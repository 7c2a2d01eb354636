"""OpenAI Agents SDK: a `FunctionTool`. Failures are returned as text, since the SDK hides exceptions from the model."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework
from .param_forms import parse_params


@requires_framework("openai-agents")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `Agent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from agents import FunctionTool, ToolOutputImage, ToolOutputText

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool as the framework wants it."""

        async def call(_: Any, arguments: str) -> Any:
            reply = await spec.acall(parse_params(arguments))
            if not reply.pictures:
                return reply.text
            images = [ToolOutputImage(image_url=picture.data_url) for picture in reply.pictures]
            return [ToolOutputText(text=reply.text), *images]

        # A strict schema would make every parameter required.
        return FunctionTool(spec.name, spec.description, spec.schema, call, strict_json_schema=False)

    return [tool(spec) for spec in tool_specs(reader)]
