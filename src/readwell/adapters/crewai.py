"""CrewAI: a `BaseTool` whose failures are `ToolFailure`s. What tools return is shown to a model as text only."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, text_specs
from .framework import needs
from .params import given, params_model


@needs("crewai")
def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an `Agent`."""
    from crewai.tools import BaseTool
    from crewai.tools.tool_failure import ToolFailure

    def answer(reply: Reply) -> Any:
        return ToolFailure(message=reply.text) if reply.is_error else reply.text

    def fresh(*_: object) -> bool:
        return False  # two calls may be alike and the file another

    def tool(spec: ToolSpec) -> Any:
        class CallTool(BaseTool):
            def _run(self, **params: object) -> Any:
                return answer(spec.call(given(params)))

            async def _arun(self, **params: object) -> Any:
                return answer(await spec.acall(given(params)))

        params = params_model(spec.name, _nullable(spec.schema))
        return CallTool(name=spec.name, description=spec.description, args_schema=params, cache_function=fresh)

    return [tool(spec) for spec in text_specs(reader)]


def _nullable(schema: Any) -> dict[str, object]:
    """The framework makes every parameter required, so those that are not must be allowed to be null."""
    optional = {
        name: {"anyOf": [told, {"type": "null"}]}
        for name, told in schema["properties"].items()
        if name not in schema.get("required", [])
    }
    return {**schema, "properties": {**schema["properties"], **optional}}
