"""smolagents: a `Tool` that raises on failure, so that the framework marks the step as failed.

The framework has no asynchronous loop, and shows models only text, so images are left out.
"""
# pyright: basic, reportMissingImports=false

from typing import Any, ClassVar

from ..toolspec import Offered, ToolSpec, text_specs
from .missing_framework import requires_framework
from .param_forms import without_nulls


@requires_framework("smolagents")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of a `ToolCallingAgent` or a `CodeAgent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from smolagents import Tool

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool as the framework wants it."""
        schema: Any = spec.schema

        class CallTool(Tool):
            name, description, output_type = spec.name, spec.description, "string"
            inputs: ClassVar = {
                # The framework refuses parameters without a description.
                param: {"description": "", **about}
                | ({} if param in schema.get("required", []) else {"nullable": True})
                for param, about in schema["properties"].items()
            }
            skip_forward_signature_validation = True

            def forward(self, *values: object, **params: object) -> str:
                # Code written by a model may pass arguments by position.
                reply = spec.call(without_nulls({**dict(zip(schema["properties"], values, strict=False)), **params}))
                if reply.is_error:
                    raise RuntimeError(reply.text)
                return reply.text

        return CallTool()

    return [tool(spec) for spec in text_specs(reader)]
