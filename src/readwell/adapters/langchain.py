"""LangChain and LangGraph: a `StructuredTool` whose artifact is the reply's data."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework


@requires_framework("langchain")
def tools(reader: Offered) -> list[Any]:
    """Returns the tools of an agent, a `ToolNode` or `bind_tools`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from langchain_core.messages.content import create_image_block, create_text_block
    from langchain_core.tools import StructuredTool, ToolException

    def content_and_artifact(reply: Reply) -> tuple[Any, dict[str, object]]:
        """Returns the content, text and images, and as artifact the data; a failure is raised."""
        if reply.is_error:
            raise ToolException(reply.text)
        if not reply.pictures:
            return reply.text, reply.data
        images = [create_image_block(base64=each.base64, mime_type=each.media_type) for each in reply.pictures]
        return [create_text_block(reply.text), *images], reply.data

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool for both kinds of calls."""

        def call(**params: object) -> tuple[Any, dict[str, object]]:
            return content_and_artifact(spec.call(params))

        async def acall(**params: object) -> tuple[Any, dict[str, object]]:
            return content_and_artifact(await spec.acall(params))

        return StructuredTool(
            name=spec.name,
            description=spec.description,
            args_schema=spec.schema,
            func=call,
            coroutine=acall,
            response_format="content_and_artifact",
            handle_tool_error=True,  # otherwise a failure ends the graph
        )

    return [tool(spec) for spec in tool_specs(reader)]
