"""LlamaIndex: a `FunctionAgent`, and `chat_with_tools` in a loop of one's own where there is no event loop."""

from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.llamaindex import tools


def run(reader: Reader, model: Model) -> None:
    llm = scripted(model)
    history = [ChatMessage(TASK)]
    while True:
        answer = llm.chat_with_tools(tools(reader), chat_history=history)
        history.append(answer.message)
        calls = llm.get_tool_calls_from_response(answer, error_on_no_tool_call=False)
        if not calls:
            return
        offered = {tool.metadata.name: tool for tool in tools(reader)}
        for wanted in calls:
            output = offered[wanted.tool_name].call(**wanted.tool_kwargs)
            history.append(ChatMessage(blocks=output.blocks, role="tool"))


async def arun(reader: Reader, model: Model) -> None:
    await FunctionAgent(tools=tools(reader), llm=scripted(model)).run(TASK, max_iterations=50)


def scripted(model: Model) -> Any:
    def answer(messages: Any, **_: Any) -> ChatMessage:
        last = messages[-1]
        images = [block.resolve_image().read() for block in last.blocks if isinstance(block, ImageBlock)]
        asked = model.next(last.content if last.role == "tool" else None, None, images[0] if images else b"")
        if isinstance(asked, str):
            return ChatMessage(asked, role="assistant")
        call = ToolCallBlock(tool_call_id=str(len(messages)), tool_name="read", tool_kwargs=asked)
        return ChatMessage(role="assistant", blocks=[call])

    return MockFunctionCallingLLM(response_generator=answer)


if __name__ == "__main__":
    play(run, arun)
