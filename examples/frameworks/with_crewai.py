"""CrewAI: a crew of one, with `kickoff` and `akickoff`."""

import os
from typing import Any

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="true")

from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.crewai import tools


class Scripted(BaseLLM):
    script: Any = None

    def supports_function_calling(self) -> bool:
        return True

    def get_context_window_size(self) -> int:
        return 200_000  # a result above a quarter of it would be put aside

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        last = next((each for each in reversed(messages) if each["role"] == "tool"), {})
        asked = self.script.next(last.get("content"))
        if isinstance(asked, str):
            return asked
        return [{"id": str(len(messages)), "type": "function", "function": {"name": "read", "arguments": asked}}]

    async def acall(self, messages: Any, *_: Any, **__: Any) -> Any:
        return self.call(messages)


def crew(reader: Reader, model: Model) -> Crew:
    llm = Scripted(model="script", script=model)
    agent = Agent(role="reader", goal="read", backstory="It reads.", tools=tools(reader), llm=llm)
    return Crew(agents=[agent], tasks=[Task(description=TASK, expected_output="text", agent=agent)])


def run(reader: Reader, model: Model) -> None:
    crew(reader, model).kickoff()


async def arun(reader: Reader, model: Model) -> None:
    await crew(reader, model).akickoff()


if __name__ == "__main__":
    play(run, arun)
