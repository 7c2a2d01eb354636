"""CrewAI: a `BaseTool` whose failures are `ToolFailure`s. It shows models only text, so images are left out."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, text_specs
from .missing_framework import requires_framework
from .param_forms import params_model, with_nullable_optionals, without_nulls


@requires_framework("crewai")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `Agent`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from crewai.tools import BaseTool
    from crewai.tools.tool_failure import ToolFailure

    def text_or_failure(reply: Reply) -> Any:
        """Returns a reply as text, a failure as a `ToolFailure`."""
        return ToolFailure(message=reply.text) if reply.is_error else reply.text

    def never_cache(*_: object) -> bool:
        return False  # the file may have changed between two equal calls

    def tool(spec: ToolSpec) -> Any:
        class CallTool(BaseTool):
            def _run(self, **params: object) -> Any:
                return text_or_failure(spec.call(without_nulls(params)))

            async def _arun(self, **params: object) -> Any:
                return text_or_failure(await spec.acall(without_nulls(params)))

        params = params_model(spec.name, with_nullable_optionals(spec.schema))
        return CallTool(name=spec.name, description=spec.description, args_schema=params, cache_function=never_cache)

    return [tool(spec) for spec in text_specs(reader)]
