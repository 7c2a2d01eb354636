"""smolagents: a `ToolCallingAgent`; its loop is synchronous."""

from typing import Any

from scenario import TASK, Model, play
from smolagents import LogLevel, ToolCallingAgent
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction
from smolagents.models import Model as AgentModel

from readwell import Reader
from readwell.adapters.smolagents import tools


class Scripted(AgentModel):
    def __init__(self, script: Model) -> None:
        super().__init__()
        self.script = script

    def generate(self, messages: list[ChatMessage], **_: Any) -> ChatMessage:
        content: Any = messages[-1].content
        asked = self.script.next(content[-1]["text"].removeprefix("Observation:\n"))
        name, arguments = ("final_answer", {"answer": asked}) if isinstance(asked, str) else ("read", asked)
        call = ChatMessageToolCall(ChatMessageToolCallFunction(arguments, name), str(len(messages)), "function")
        return ChatMessage("assistant", "", [call])


def run(reader: Reader, model: Model) -> None:
    ToolCallingAgent(tools(reader), Scripted(model), max_steps=50, verbosity_level=LogLevel.OFF).run(TASK)


if __name__ == "__main__":
    play(run)
