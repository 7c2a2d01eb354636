"""LangChain: an agent of `create_agent`, which is a LangGraph of a model and a `ToolNode`."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.langchain import tools

ASKED: Any = {"messages": [("user", TASK)]}
CONFIG: Any = {"recursion_limit": 100}


class Scripted(BaseChatModel):
    script: Any
    _llm_type = "script"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        asked = self.script.next(*heard(last) if isinstance(last, ToolMessage) else ())
        message = AIMessage(asked if isinstance(asked, str) else "")
        if not isinstance(asked, str):
            message.tool_calls = [{"name": "read", "args": asked, "id": f"{len(messages)}", "type": "tool_call"}]
        return ChatResult(generations=[ChatGeneration(message=message)])


def heard(message: ToolMessage) -> tuple[str, bool, str]:
    images = [block["base64"] for block in message.content_blocks if block["type"] == "image"]
    return str(message.text), message.status == "error", images[0] if images else ""


def run(reader: Reader, model: Model) -> None:
    create_agent(Scripted(script=model), tools(reader)).invoke(ASKED, CONFIG)


async def arun(reader: Reader, model: Model) -> None:
    await create_agent(Scripted(script=model), tools(reader)).ainvoke(ASKED, CONFIG)


if __name__ == "__main__":
    play(run, arun)
