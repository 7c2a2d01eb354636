"""Google's Agent Development Kit: a `BaseTool` that returns a dict with `result` or `error`."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework


@requires_framework("google-adk")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `LlmAgent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from google.adk.tools import BaseTool
    from google.genai.types import FunctionDeclaration, Part

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool as the framework wants it."""

        class CallTool(BaseTool):
            def _get_declaration(self) -> Any:
                named = {"name": spec.name, "description": spec.description}
                return FunctionDeclaration(**named, parameters_json_schema=spec.schema)

            async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> dict[str, Any]:  # noqa: ARG002
                reply = await spec.acall(args)
                answer: dict[str, Any] = {"error" if reply.is_error else "result": reply.text}
                for number, each in enumerate(reply.pictures, 1):
                    name = "image" if number == 1 else f"image_{number}"
                    answer[name] = Part.from_bytes(data=each.content, mime_type=each.media_type)
                return answer

        return CallTool(name=spec.name, description=spec.description)

    return [tool(spec) for spec in tool_specs(reader)]
