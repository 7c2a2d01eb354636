"""Agno: `Agent.run` and `Agent.arun`."""

import json
from dataclasses import dataclass
from typing import Any

from agno.agent import Agent
from agno.models.base import Model as AgentModel
from agno.models.response import ModelResponse
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.agno import tools


@dataclass
class Scripted(AgentModel):
    script: Any = None

    def invoke(self, messages: list[Any], **_: Any) -> ModelResponse:
        # An image follows the message of its tool in one of its own.
        image = messages[-1].images[0].content if messages[-1].images else b""
        last = messages[-2] if image else messages[-1]
        asked = self.script.next(*((last.content, bool(last.tool_call_error), image) if last.role == "tool" else ()))
        if isinstance(asked, str):
            return ModelResponse(role="assistant", content=asked)
        function = {"name": "read", "arguments": json.dumps(asked)}
        call = {"id": str(len(messages)), "type": "function", "function": function}
        return ModelResponse(role="assistant", tool_calls=[call])

    async def ainvoke(self, messages: list[Any], **_: Any) -> ModelResponse:
        return self.invoke(messages)

    def invoke_stream(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    ainvoke_stream = _parse_provider_response = _parse_provider_response_delta = invoke_stream


def agent(reader: Reader, model: Model) -> Agent:
    return Agent(model=Scripted("script", script=model), tools=tools(reader), telemetry=False)


def run(reader: Reader, model: Model) -> None:
    agent(reader, model).run(TASK)


async def arun(reader: Reader, model: Model) -> None:
    await agent(reader, model).arun(TASK)


if __name__ == "__main__":
    play(run, arun)
