"""smolagents: a `Tool`. It has no asynchronous loop; a failure is raised, so that the step is one that failed.

What tools return is shown to a model as text only.
"""
# pyright: basic, reportMissingImports=false

from typing import Any, ClassVar

from ..toolspec import Offered, ToolSpec, text_specs
from .framework import needs
from .params import given


@needs("smolagents")
def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for a `ToolCallingAgent` or a `CodeAgent`."""
    from smolagents import Tool

    def tool(spec: ToolSpec) -> Any:
        schema: Any = spec.schema

        class CallTool(Tool):
            name, description, output_type = spec.name, spec.description, "string"
            inputs: ClassVar = {
                param: told if param in schema.get("required", []) else {**told, "nullable": True}
                for param, told in schema["properties"].items()
            }
            skip_forward_signature_validation = True

            def forward(self, *values: object, **params: object) -> str:
                # Code that a model writes passes arguments by position, too.
                reply = spec.call(given({**dict(zip(schema["properties"], values, strict=False)), **params}))
                if reply.is_error:
                    raise RuntimeError(reply.text)
                return reply.text

        return CallTool()

    return [tool(spec) for spec in text_specs(reader)]
