"""A loop of a framework that searches, then reads the block around the match: run in the framework's environment.

The model is a script. It takes path and line from what the loop gives it, and prints all it heard as JSON.
"""

import json
import re
import sys

from readwell import Reader
from readwell.adapters import langchain, pydantic_ai

TASK = "Where is RetryError raised? Show the function."
heard = []


def next_call(text=None):
    """Returns the next call as (tool, params), or what the model says at the end."""
    if text is not None:
        heard.append(text)
    if len(heard) == 0:
        return "search", {"pattern": "raise RetryError"}
    if len(heard) == 1:
        path, line = re.search(r"^\[(\S+) \| 1 match.*\n(\d+)\t", text, re.M).groups()
        return "read", {"path": path, "offset": int(line), "view": "block"}
    return "done"


def with_langchain(reader):
    from langchain.agents import create_agent
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Scripted(BaseChatModel):
        _llm_type = "script"

        def bind_tools(self, tools, **_):
            return self

        def _generate(self, messages, *_, **__):
            last = messages[-1]
            call = next_call(str(last.text)) if isinstance(last, ToolMessage) else next_call()
            message = AIMessage(call if isinstance(call, str) else "")
            if not isinstance(call, str):
                message.tool_calls = [{"name": call[0], "args": call[1], "id": f"{len(heard)}", "type": "tool_call"}]
            return ChatResult(generations=[ChatGeneration(message=message)])

    agent = create_agent(Scripted(), langchain.tools(reader))
    return agent.invoke({"messages": [("user", TASK)]})["messages"][-1].text


def with_pydantic_ai(reader):
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    def answer(messages, _):
        last = messages[-1].parts[-1]
        call = next_call(last.content) if isinstance(last, ToolReturnPart) else next_call()
        return ModelResponse([TextPart(call) if isinstance(call, str) else ToolCallPart(*call)])

    return Agent(FunctionModel(answer), tools=pydantic_ai.tools(reader)).run_sync(TASK).output


if __name__ == "__main__":
    framework, root = sys.argv[1:]
    with Reader(root, cache_dir=None) as reader:
        said = {"langchain": with_langchain, "pydantic_ai": with_pydantic_ai}[framework](reader)
    print(json.dumps({"said": str(said), "heard": heard}))
