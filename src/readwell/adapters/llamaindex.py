"""LlamaIndex: an `AsyncBaseTool` whose raw output is the reply's data."""
# pyright: basic, reportMissingImports=false

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, tool_specs
from .missing_framework import requires_framework
from .param_forms import params_model


@requires_framework("llama-index-core")
def tools(reader: Offered) -> list[Any]:
    """Returns the tools of a `FunctionAgent` or of `predict_and_call`.

    Args:
        reader: A `Reader`, an object of another dialect's class, or a `Tool`. Close it when the agent is done.
    """
    from llama_index.core.base.llms.types import ImageBlock, TextBlock
    from llama_index.core.tools import AsyncBaseTool, ToolMetadata, ToolOutput

    def tool_output(spec: ToolSpec, params: dict[str, object], reply: Reply) -> Any:
        """Returns a reply as a `ToolOutput`."""
        blocks: list[Any] = [TextBlock(text=reply.text)]
        blocks += [ImageBlock(image=each.content, image_mimetype=each.media_type) for each in reply.pictures]
        failure = {"is_error": reply.is_error, "exception": reply.error}
        return ToolOutput(spec.name, blocks=blocks, raw_input=params, raw_output=reply.data, **failure)

    def tool(spec: ToolSpec) -> Any:
        """Returns a tool for both kinds of calls."""

        class CallTool(AsyncBaseTool):
            @property
            def metadata(self) -> Any:
                return ToolMetadata(spec.description, spec.name, params_model(spec.name, spec.schema))

            def call(self, **params: object) -> Any:
                return tool_output(spec, params, spec.call(params))

            async def acall(self, **params: object) -> Any:
                return tool_output(spec, params, await spec.acall(params))

        return CallTool()

    return [tool(spec) for spec in tool_specs(reader)]
