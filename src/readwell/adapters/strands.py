"""Strands Agents: a tool whose results have a status, `success` or `error`."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework


@requires_framework("strands-agents")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `Agent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from strands.tools.tools import PythonAgentTool

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool as the framework wants it."""

        async def call(tool_use: Any, **_: object) -> dict[str, Any]:
            reply = await spec.acall(tool_use["input"])
            status = "error" if reply.is_error else "success"
            content: list[Any] = [{"text": reply.text}]
            for picture in reply.pictures:
                image_format = picture.media_type.removeprefix("image/")
                content.append({"image": {"format": image_format, "source": {"bytes": picture.content}}})
            return {"toolUseId": tool_use["toolUseId"], "status": status, "content": content}

        definition = {"name": spec.name, "description": spec.description, "inputSchema": {"json": spec.schema}}
        return PythonAgentTool(spec.name, definition, call)

    return [tool(spec) for spec in tool_specs(reader)]
