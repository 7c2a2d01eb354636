"""Strands Agents: a tool with the status of each result."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, ToolSpec, tool_specs
from .framework import needs


@needs("strands-agents")
def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an `Agent`."""
    from strands.tools.tools import PythonAgentTool

    def tool(spec: ToolSpec) -> Any:
        async def call(tool_use: Any, **_: object) -> dict[str, Any]:
            reply = await spec.acall(tool_use["input"])
            status = "error" if reply.is_error else "success"
            content: list[Any] = [{"text": reply.text}]
            if picture := reply.picture:
                form = picture.media_type.removeprefix("image/")
                content.append({"image": {"format": form, "source": {"bytes": picture.content}}})
            return {"toolUseId": tool_use["toolUseId"], "status": status, "content": content}

        told = {"name": spec.name, "description": spec.description, "inputSchema": {"json": spec.schema}}
        return PythonAgentTool(spec.name, told, call)

    return [tool(spec) for spec in tool_specs(reader)]
