"""LangChain and LangGraph: a `StructuredTool` whose artifact is the data of the reply."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, tool_spec


def tools(reader: Offered) -> list[Any]:
    """Returns `tools` for an agent, a `ToolNode` or `bind_tools`."""
    from langchain_core.messages.content import create_image_block, create_text_block
    from langchain_core.tools import StructuredTool, ToolException

    spec = tool_spec(reader)

    def answer(reply: Reply) -> tuple[Any, dict[str, object]]:
        if reply.is_error:
            raise ToolException(reply.text)
        if not (picture := reply.picture):
            return reply.text, reply.data
        image = create_image_block(base64=picture.base64, mime_type=picture.media_type)
        return [create_text_block(reply.text), image], reply.data

    def read(**params: object) -> tuple[Any, dict[str, object]]:
        return answer(spec.call(params))

    async def aread(**params: object) -> tuple[Any, dict[str, object]]:
        return answer(await spec.acall(params))

    tool = StructuredTool(
        name=spec.name,
        description=spec.description,
        args_schema=spec.schema,
        func=read,
        coroutine=aread,
        response_format="content_and_artifact",
        handle_tool_error=True,  # else a failure ends the graph
    )
    return [tool]
