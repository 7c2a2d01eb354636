"""Google's Agent Development Kit: an `InMemoryRunner`."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.google_adk import tools


class Scripted(BaseLlm):
    script: Any

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        result = llm_request.contents[-1].parts[-1].function_response
        asked = self.script.next(*heard(result) if result else ())
        call = types.Part.from_function_call
        said = types.Part(text=asked) if isinstance(asked, str) else call(name="read", args=asked)
        yield LlmResponse(content=types.Content(role="model", parts=[said]))


def heard(result: types.FunctionResponse) -> tuple[str, bool, bytes]:
    ((key, text),) = result.response.items()
    return text, key == "error", result.parts[0].inline_data.data if result.parts else b""


def run(reader: Reader, model: Model) -> None:
    asyncio.run(arun(reader, model))


async def arun(reader: Reader, model: Model) -> None:
    agent = LlmAgent(name="reader", model=Scripted(model="script", script=model), tools=tools(reader))
    await InMemoryRunner(agent).run_debug(TASK, quiet=True)


if __name__ == "__main__":
    play(run, arun)
