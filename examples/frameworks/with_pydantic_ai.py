"""Pydantic AI: an agent with a `FunctionModel`."""

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.pydantic_ai import tools


def agent(reader: Reader, model: Model) -> Agent:
    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        told = (last.content, last.outcome != "success") if isinstance(last, ToolReturnPart) else ()
        asked = model.next(*told)
        return ModelResponse([TextPart(asked) if isinstance(asked, str) else ToolCallPart("read", asked)])

    return Agent(FunctionModel(answer), tools=tools(reader))


def run(reader: Reader, model: Model) -> None:
    agent(reader, model).run_sync(TASK)


async def arun(reader: Reader, model: Model) -> None:
    await agent(reader, model).run(TASK)


if __name__ == "__main__":
    play(run, arun)
