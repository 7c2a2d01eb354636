"""Strands Agents: the agent called, and `invoke_async`."""

import json
from collections.abc import AsyncGenerator
from typing import Any

from scenario import TASK, Model, play
from strands import Agent
from strands.models import Model as AgentModel

from readwell import Reader
from readwell.adapters.strands import tools


class Scripted(AgentModel):
    def __init__(self, script: Model) -> None:
        self.script = script

    def get_config(self) -> dict[str, Any]:
        return {}

    def update_config(self, **_: Any) -> None:
        pass

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncGenerator[Any, None]:
        result = messages[-1]["content"][0].get("toolResult")
        asked = self.script.next(*heard(result) if result else ())
        done = isinstance(asked, str)
        yield {"messageStart": {"role": "assistant"}}
        call = {"toolUse": {"toolUseId": str(len(messages)), "name": "read"}}
        yield {"contentBlockStart": {"start": {} if done else call}}
        yield {"contentBlockDelta": {"delta": {"text": asked} if done else {"toolUse": {"input": json.dumps(asked)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if done else "tool_use"}}


def heard(result: Any) -> tuple[str, bool, bytes]:
    text, *images = result["content"]
    image = images[0]["image"]["source"]["bytes"] if images else b""
    return text["text"], result["status"] == "error", image


def run(reader: Reader, model: Model) -> None:
    Agent(Scripted(model), tools=tools(reader), callback_handler=None)(TASK)


async def arun(reader: Reader, model: Model) -> None:
    await Agent(Scripted(model), tools=tools(reader), callback_handler=None).invoke_async(TASK)


if __name__ == "__main__":
    play(run, arun)
