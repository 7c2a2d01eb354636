"""OpenAI Agents SDK: `Runner.run_sync` and `Runner.run`."""

import json
from typing import Any

from agents import Agent, ModelResponse, RunConfig, Runner, Usage
from agents import Model as AgentModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.openai_agents import tools

OFFLINE: Any = {"run_config": RunConfig(tracing_disabled=True), "max_turns": 50}


class Scripted(AgentModel):
    def __init__(self, script: Model) -> None:
        self.script = script

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        output = input[-1]["output"] if isinstance(input, list) and "output" in input[-1] else None
        return ModelResponse([item(self.script.next(*heard(output)), str(len(input)))], Usage(), None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def heard(output: Any) -> tuple[str, None, str]:
    if not isinstance(output, list):
        return output, None, ""
    text, image = output
    return text["text"], None, image["image_url"].removeprefix("data:image/png;base64,")


def item(asked: dict | str, number: str) -> ResponseOutputMessage | ResponseFunctionToolCall:
    if not isinstance(asked, str):
        return ResponseFunctionToolCall(type="function_call", call_id=number, name="read", arguments=json.dumps(asked))
    text = ResponseOutputText(type="output_text", text=asked, annotations=[])
    return ResponseOutputMessage(type="message", id=number, role="assistant", status="completed", content=[text])


def agent(reader: Reader, model: Model) -> Agent:
    return Agent("reader", tools=tools(reader), model=Scripted(model))


def run(reader: Reader, model: Model) -> None:
    Runner.run_sync(agent(reader, model), TASK, **OFFLINE)


async def arun(reader: Reader, model: Model) -> None:
    await Runner.run(agent(reader, model), TASK, **OFFLINE)


if __name__ == "__main__":
    play(run, arun)
