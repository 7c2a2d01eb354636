"""Agno: a `Toolkit` with a function for `run` and one for `arun`; what the model can mend is a `RetryAgentRun`."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, is_retryable, tool_spec


def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an `Agent`."""
    from agno.exceptions import AgentRunException, RetryAgentRun
    from agno.media import Image
    from agno.tools import Function, Toolkit
    from agno.tools.function import ToolResult

    spec = tool_spec(reader)

    def answer(reply: Reply) -> Any:
        if reply.is_error:
            raise (RetryAgentRun if is_retryable(reply) else AgentRunException)(reply.text)
        if not (picture := reply.picture):
            return reply.text
        return ToolResult(content=reply.text, images=[Image(content=picture.content, mime_type=picture.media_type)])

    def read(**params: object) -> Any:
        return answer(spec.call(params))

    async def aread(**params: object) -> Any:
        return answer(await spec.acall(params))

    def function(entrypoint: Any) -> Any:
        named = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
        return Function(**named, entrypoint=entrypoint, skip_entrypoint_processing=True)

    toolkit = Toolkit("readwell")
    toolkit.functions[spec.name], toolkit.async_functions[spec.name] = function(read), function(aread)
    return [toolkit]
