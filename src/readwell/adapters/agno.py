"""Agno: a `Toolkit` with functions for `run` and `arun`; a failure that the model can correct is a `RetryAgentRun`."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, is_retryable, tool_specs
from .missing_framework import requires_framework


@requires_framework("agno")
def tools(reader: Offered) -> list[Any]:
    """Returns the `tools` of an `Agent`: one toolkit.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from agno.exceptions import AgentRunException, RetryAgentRun
    from agno.media import Image
    from agno.tools import Function, Toolkit
    from agno.tools.function import ToolResult

    def result_or_raise(reply: Reply) -> Any:
        """Returns a reply as a result of the framework; a failure is raised."""
        if reply.is_error:
            raise (RetryAgentRun if is_retryable(reply) else AgentRunException)(reply.text)
        images = [Image(content=picture.content, mime_type=picture.media_type) for picture in reply.pictures]
        return ToolResult(content=reply.text, images=images) if images else reply.text

    def add_tool(spec: ToolSpec) -> None:
        """Adds a tool for both kinds of calls."""

        def call(**params: object) -> Any:
            return result_or_raise(spec.call(params))

        async def acall(**params: object) -> Any:
            return result_or_raise(await spec.acall(params))

        for functions, entrypoint in ((toolkit.functions, call), (toolkit.async_functions, acall)):
            functions[spec.name] = Function(**spec.definition, entrypoint=entrypoint, skip_entrypoint_processing=True)

    toolkit = Toolkit("readwell")
    for spec in tool_specs(reader):
        add_tool(spec)
    return [toolkit]
