"""OpenAI Agents SDK: `Runner.run_sync` and `Runner.run`."""

import json
from typing import Any

from agents import Agent, ModelResponse, RunConfig, Runner, Usage
from agents import Model as AgentModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.openai_agents import tools

OFFLINE = RunConfig(tracing_disabled=True)


class Scripted(AgentModel):
    def __init__(self, script: Model) -> None:
        self.script = script

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        last = input[-1] if isinstance(input, list) else {}
        return ModelResponse([item(self.script.next(last.get("output")), str(len(input)))], Usage(), None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def item(asked: dict | str, number: str) -> ResponseOutputMessage | ResponseFunctionToolCall:
    if not isinstance(asked, str):
        return ResponseFunctionToolCall(type="function_call", call_id=number, name="read", arguments=json.dumps(asked))
    text = ResponseOutputText(type="output_text", text=asked, annotations=[])
    return ResponseOutputMessage(type="message", id=number, role="assistant", status="completed", content=[text])


def agent(reader: Reader, model: Model) -> Agent:
    return Agent("reader", tools=tools(reader), model=Scripted(model))


def run(reader: Reader, model: Model) -> None:
    Runner.run_sync(agent(reader, model), TASK, run_config=OFFLINE)


async def arun(reader: Reader, model: Model) -> None:
    await Runner.run(agent(reader, model), TASK, run_config=OFFLINE)


if __name__ == "__main__":
    play(run, arun)
